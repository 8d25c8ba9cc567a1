package emit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"
)

// render returns the source of a file that holds code.
func render(tb testing.TB, code jen.Code) string {
	f := jen.NewFile("main")
	f.Add(code)
	return f.GoString()
}

// FuzzComment puts text into a comment: the file then holds one declaration, the comment's
// own, whatever the text is.
func FuzzComment(f *testing.F) {
	for _, seed := range []string{
		"see a*/b", "one\nfunc init() {}", "/* open", "//", "//go:embed x", "`", "\r\nx", "\u2028x", "\u202e", "\x00", "\xff",
		"#cgo CFLAGS", "+build ignore", "line:1", "\vx\f", strings.Repeat("long ", 100), "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := render(t, jen.Add(comment("f "+text)).Line().Func().Id("f").Params().Block())
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", src, parser.ParseComments)
		if err != nil {
			t.Fatalf("%q: %v\n%s", text, err, src)
		}
		if len(file.Decls) != 1 {
			t.Fatalf("%q: %d declarations\n%s", text, len(file.Decls), src)
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if !strings.HasPrefix(c.Text, "// ") && c.Text != "//" {
					t.Fatalf("%q: comment %q", text, c.Text)
				}
			}
		}
	})
}

// FuzzLiteral puts text into a literal: it means the same when it is read.
func FuzzLiteral(f *testing.F) {
	for _, seed := range []string{`say "hi"`, "`", "a\nb", "\x00", "\xff", "\\", `\"`, "\u2028", "\ufeff\"", "\r\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := render(t, jen.Var().Id("v").Op("=").Add(literal(text)))
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", src, 0)
		if err != nil {
			t.Fatalf("%q: %v\n%s", text, err, src)
		}
		spec := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		if got, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value); err != nil || got != text {
			t.Fatalf("%q reads back as %q (%v)", text, got, err)
		}
	})
}

func TestListing(t *testing.T) {
	t.Parallel()
	for _, json := range []string{
		`{"name":"a","description":"x,{\"y\":1}","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false}}`,
		`{"name":"b","description":"","inputSchema":{"type":"object","properties":{"p":{"type":"object","properties":{"q":{"type":"integer"}},` +
			`"required":["q"],"additionalProperties":false},"r":{"type":"string"}},"required":["p","r"],"additionalProperties":false},` +
			`"outputSchema":{"type":"object","properties":{"x":{"type":"number"}},"required":["x"],"additionalProperties":false}}`,
	} {
		src := render(t, jen.Const().Id("c").Op("=").Add(listing(json)))
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				s, _ := strconv.Unquote(lit.Value)
				got.WriteString(s)
			}
			return true
		})
		if got.String() != json {
			t.Errorf("got  %s\nwant %s", got.String(), json)
		}
		for line := range strings.SplitSeq(src, "\n") {
			if len(line) > 120 {
				t.Errorf("a line of %d bytes: %s", len(line), line)
			}
		}
	}
}
