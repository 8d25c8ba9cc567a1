package emit

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// name returns the named Go type of t. If it has no name yet it gets the one that was
// declared, or text's, or one from the context.
func (e *emitter) name(t *ir.Type, text, context string) *goType {
	id := identity(t)
	if g := e.types[id]; g != nil {
		return g
	}
	want := context
	switch {
	case t.Owner != nil:
		arm := t.Arm().Name
		want = e.name(t.Owner, "", "").name + names.Exported(arm)
		text = arm
	case t.Name != "":
		name, _, _ := strings.Cut(t.Name, "#") // compilers number types of one name
		want = names.Unexported(name)
		text = name
	case (t.Kind == ir.Record || t.IsSum()) && text != "":
		want = names.Unexported(text)
	case t.Kind == ir.Tuple:
		text = ""
		if l := e.tupleLabel(t); l != "" {
			want = names.Unexported(l)
		}
	}
	if want == "" {
		want = map[ir.Kind]string{ir.Record: "record", ir.Tuple: "tuple", ir.Enum: "enum", ir.Variant: "variant"}[t.Kind]
	}
	g := &goType{t: t, name: e.top.Take(want), text: text}
	e.types[id] = g
	scope := names.NewScope()
	for i, f := range t.Fields {
		name := "F" + strconv.Itoa(i)
		if t.Kind == ir.Record {
			name = scope.Take(names.Exported(f.Name))
		}
		g.fields = append(g.fields, name)
	}
	if t.Kind == ir.Variant {
		g.fields = armFields(t)
	}
	return g
}

// tupleLabel joins the labels of a tuple's fields; "" if that gets long.
func (e *emitter) tupleLabel(t *ir.Type) string {
	label := ""
	for _, f := range t.Fields {
		label += e.label(f.Type)
	}
	if len(label) > 32 || label == "" {
		return ""
	}
	return label
}

// label returns a word for t to be part of names: StrList, RealOption, Molecule.
func (e *emitter) label(t *ir.Type) string {
	if s, ok := scalars[t.Kind]; ok {
		return s.label
	}
	if isNamed(t) {
		return upperFirst(e.name(t, "", "").name)
	}
	if t.Kind == ir.Optional {
		return e.label(t.Elem) + "Option"
	}
	if t.Len > 0 {
		return e.label(t.Elem) + "List" + strconv.Itoa(t.Len)
	}
	return e.label(t.Elem) + "List"
}

// identity returns a text that is the same for types of the same Go type: it is the type
// schema, but a list's length does not count.
func identity(t *ir.Type) string {
	var b strings.Builder
	if t.Owner != nil { // the fields of a constructor are a type of their own
		b.WriteString(strconv.Quote(t.Arm().Name) + " of ")
		t = t.Owner
	}
	writeIdentity(&b, t, map[*ir.Type]bool{})
	return b.String()
}

func writeIdentity(b *strings.Builder, t *ir.Type, open map[*ir.Type]bool) {
	if t.Name != "" {
		if open[t] {
			b.WriteString("^" + strconv.Quote(t.Name))
			return
		}
		open[t] = true
		defer delete(open, t)
		b.WriteString("&" + strconv.Quote(t.Name))
	}
	b.WriteByte('a' + byte(t.Kind))
	if t.Elem != nil {
		writeIdentity(b, t.Elem, open)
	}
	if t.Fields != nil {
		b.WriteByte('(')
		for _, f := range t.Fields {
			b.WriteString(strconv.Quote(f.Name))
			writeIdentity(b, f.Type, open)
		}
		b.WriteByte(')')
	}
	if t.Arms != nil {
		writeArms(b, t, open)
	}
}

func writeArms(b *strings.Builder, t *ir.Type, open map[*ir.Type]bool) {
	b.WriteByte('[')
	for _, a := range t.Arms {
		b.WriteString(strconv.Quote(a.Name))
		if a.Payload == nil {
			continue
		}
		b.WriteByte('(')
		for _, f := range a.Payload.Fields {
			writeIdentity(b, f.Type, open)
		}
		b.WriteByte(')')
	}
	b.WriteByte(']')
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return names.Exported(s)
}

// nameTypes names the types of what tools take and return, where the author's names are
// known, before anything else asks for them.
func (e *emitter) nameTypes() {
	e.taken = map[string]bool{}
	for _, t := range e.tools {
		for _, p := range t.Params {
			e.nameParts(p.Type, p.TypeText, t.base+names.Exported(p.Key), e.taken)
		}
		for _, s := range t.Slots {
			if s.Param < 0 {
				e.nameParts(s.Type, s.Group, t.base+"Group", e.taken)
			}
		}
	}
	for _, t := range e.tools {
		if t.Leaf != nil {
			continue
		}
		e.nameParts(t.Raw.Return, t.Raw.ReturnText, t.base+"Value", map[string]bool{})
		for _, r := range t.Renders {
			context := t.base + names.Exported(r.Name)
			e.nameParts(r.Target.Return, r.Target.ReturnText, context, map[string]bool{})
		}
	}
}

// nameParts names t and what it is made of, by the author's text for t as far as the two
// have the same shape, else by the context. It adds what it meets to seen.
func (e *emitter) nameParts(t *ir.Type, text, context string, seen map[string]bool) {
	id := identity(t)
	if seen[id] {
		return
	}
	seen[id] = true
	text = strings.TrimSpace(text)
	for strings.HasPrefix(text, "<") { // an effect
		_, text, _ = strings.Cut(text, ">")
		text = strings.TrimSpace(text)
	}
	inner, hasParts := "", false
	switch t.Kind {
	case ir.Optional:
		inner, hasParts = strings.CutPrefix(text, "?")
	case ir.List, ir.Tuple:
		if n := len(text); n > 1 && (text[0] == '[' && text[n-1] == ']' || text[0] == '(' && text[n-1] == ')') {
			inner, hasParts = text[1:n-1], true
		}
	}
	if isNamed(t) {
		if hasParts {
			text = ""
		}
		e.name(t, typeName(text), context)
		context = e.types[id].name
	}
	if t.Elem != nil {
		e.nameParts(t.Elem, inner, context, seen)
	}
	parts := splitTop(inner)
	for i, f := range t.Fields {
		text := ""
		if hasParts && len(parts) == len(t.Fields) {
			text = parts[i]
		}
		e.nameParts(f.Type, text, context+names.Exported(f.Name), seen)
	}
	for _, a := range t.Arms {
		if a.Payload != nil {
			e.nameParts(a.Payload, "", context+names.Exported(a.Name), seen)
		}
	}
}

// typeName returns the constructor at the start of a type's text: "Config Int" is Config.
func typeName(text string) string {
	name, _, _ := strings.Cut(text, " ")
	if name == "" || !unicode.IsLetter([]rune(name)[0]) {
		return ""
	}
	return name
}

// splitTop splits text at commas that are not inside of brackets.
func splitTop(text string) []string {
	var parts []string
	depth, start := 0, 0
	for i, r := range text {
		switch r {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, text[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, text[start:])
}
