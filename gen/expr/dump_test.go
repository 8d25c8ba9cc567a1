package expr

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// dump writes a function as text that is easy to compare and to read.
func dump(f *ir.Func) string {
	var b strings.Builder
	for i, p := range f.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name(p) + " " + p.Type.Text)
	}
	b.WriteString(" -> " + f.Result.Text + "\n")
	dumpBlock(&b, f.Body, "")
	if f.Const != "" {
		b.WriteString("const " + f.Const + "\n")
	}
	return b.String()
}

func name(v *ir.Var) string { return v.Hint + strconv.Itoa(v.ID) }

func dumpBlock(b *strings.Builder, stmts []ir.Stmt, indent string) {
	for _, s := range stmts {
		b.WriteString(indent)
		dumpStmt(b, s, indent)
	}
}

func dumpStmt(b *strings.Builder, s ir.Stmt, indent string) {
	in := indent + "\t"
	switch s := s.(type) {
	case *ir.Let:
		fmt.Fprintf(b, "%s := %s\n", name(s.Var), show(s.Of))
	case *ir.Declare:
		fmt.Fprintf(b, "var %s\n", name(s.Var))
	case *ir.Assign:
		fmt.Fprintf(b, "%s%s = %s\n", name(s.Var), path(s.Path), show(s.Of))
	case *ir.If:
		fmt.Fprintf(b, "if %s\n", show(s.Cond))
		dumpBlock(b, s.Then, in)
		if len(s.Else) > 0 {
			b.WriteString(indent + "else\n")
			dumpBlock(b, s.Else, in)
		}
	case *ir.Map:
		fmt.Fprintf(b, "%s := map %s over %s\n", name(s.Var), name(s.Elem), show(s.Over))
		dumpBlock(b, s.Body, in)
		fmt.Fprintf(b, "%sgive %s\n", in, show(s.Result))
	case *ir.Index:
		fmt.Fprintf(b, "%s := index %s at %s\n", name(s.Var), show(s.Over), show(s.At))
	case *ir.Slice:
		fmt.Fprintf(b, "%s := slice %s [%s:%s:%s]\n", name(s.Var), show(s.Over), show(s.Start), show(s.Stop), show(s.Step))
	case *ir.Read:
		fmt.Fprintf(b, "%s := read %s\n", name(s.Var), show(s.Text))
	case *ir.Load:
		fmt.Fprintf(b, "%s := load %s\n", name(s.Var), show(s.Path))
	case *ir.CheckLevel:
		fmt.Fprintf(b, "check level %s\n", show(s.Level))
	case *ir.Save:
		fmt.Fprintf(b, "save %s level %s: %s to %s\n", s.Format, show(s.Level), show(s.Of), show(s.Path))
	case *ir.Throw:
		fmt.Fprintf(b, "throw %s\n", show(s.Message))
	case *ir.Catch:
		fmt.Fprintf(b, "%s := try\n", name(s.Var))
		dumpBlock(b, s.Body, in)
		b.WriteString(indent + "catch\n")
		dumpBlock(b, s.Fallback, in)
	case *ir.Return:
		fmt.Fprintf(b, "return %s\n", show(s.Of))
	}
}

func show(v ir.Value) string {
	switch v := v.(type) {
	case nil:
		return ""
	case *ir.Lit:
		return v.Text
	case *ir.Str:
		return strconv.Quote(v.Text)
	case *ir.None:
		return "none"
	case *ir.Some:
		return "some(" + show(v.Of) + ")"
	case *ir.Ref:
		return name(v.Var)
	case *ir.Select:
		return show(v.Of) + path(v.Path)
	case *ir.Make:
		if v.Type.Kind == ir.List {
			return "[" + showAll(v.Parts, ", ") + "]"
		}
		return "{" + showAll(v.Parts, ", ") + "}"
	case *ir.Concat:
		return showAll(v.Parts, " + ")
	case *ir.Show:
		return "show(" + show(v.Of) + ")"
	case *ir.Hash:
		return "hash(" + show(v.Of) + ")"
	}
	return "?"
}

func showAll(vs []ir.Value, sep string) string {
	var texts []string
	for _, v := range vs {
		texts = append(texts, show(v))
	}
	return strings.Join(texts, sep)
}

func path(steps []int) string {
	text := ""
	for _, i := range steps {
		text += "." + strconv.Itoa(i)
	}
	return text
}
