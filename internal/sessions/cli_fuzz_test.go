package sessions

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/argv"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// interpret does what is generated for a leaf, without generating it.
func interpret(l *ir.Leaf, d *jsonx.Decoder, w *argv.Words) error {
	var (
		r     argv.Reader
		names []string
		flags = make([]bool, len(l.Properties))
		words = make([]argv.Word, len(l.Properties))
		lists = make([][]string, len(l.Properties))
	)
	for _, p := range l.Properties {
		names = append(names, p.Name)
	}
	r.Read(d, names)
	for i, p := range l.Properties {
		switch {
		case p.IsList():
			lists[i] = r.Words(nil, p.Name, p.Min, p.Max)
		case p.Place == ir.Option && p.Kind == ir.KindPresence:
			flags[i] = r.Option(p.Name).Flag()
		default:
			words[i] = interpretWord(&r, l, p)
		}
	}
	if err := r.Err(); err != nil {
		return err
	}
	for _, s := range l.Argv {
		switch p := s.Property; {
		case p < 0:
			w.Word(s.Word)
		case l.Properties[p].Place == ir.PathParam:
			w.PathParam(words[p])
		case l.Properties[p].Kind == ir.KindPresence:
			w.Flag(l.Properties[p].Name, flags[p])
		default:
			w.Option(l.Properties[p].Name, words[p])
		}
	}
	for i, p := range l.Properties {
		if p.Place == ir.Positional {
			w.Positional(words[i])
			w.Positionals(lists[i])
		}
	}
	return nil
}

func interpretWord(r *argv.Reader, l *ir.Leaf, p *ir.Property) argv.Word {
	switch last := l.Properties[len(l.Properties)-1]; {
	case p.Place == ir.PathParam:
		return r.PathParam(p.Name, p.Siblings...)
	case p.Place == ir.Option:
		return interpretOption(r, p)
	case p.Min > 0:
		return r.Word(p.Name)
	case p == last:
		return r.OptionalWord(p.Name)
	}
	return r.InnerWord(p.Name)
}

func interpretOption(r *argv.Reader, p *ir.Property) argv.Word {
	o := r.Option(p.Name)
	if p.Required {
		o = r.Required(p.Name)
	}
	switch {
	case p.Kind == ir.KindEnum:
		return o.Enum(p.Choices...)
	case p.Kind == ir.KindNumber:
		return o.Number()
	case p.Kind == ir.KindJSON:
		return o.JSON()
	case p.RE2 != "":
		return o.Pattern(regexp.MustCompile(p.RE2), p.Pattern)
	}
	return map[string]func() argv.Word{
		"": o.Text, "duration": o.Duration, "comma-list": o.CommaList, "date": o.Date, "date-time": o.DateTime,
	}[p.Format]()
}

// FuzzCommands makes random programs and calls of them. What is told of the arguments, and
// the words of the command line, must be those of a second implementation of the rules, and
// the parser of such programs must find in the words what was meant: no argument becomes
// anything but itself.
func FuzzCommands(f *testing.F) {
	for seed := range uint64(200) {
		data := make([]byte, 200)
		random := rand.New(rand.NewPCG(seed, 0))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	file := filepath.Join(root, "fuzz.json")
	f.Fuzz(func(t *testing.T, data []byte) {
		c := choicesOf(data)
		p := newRandomProgram(c)
		if err := os.WriteFile(file, p.manifest(), 0o600); err != nil {
			t.Fatal(err)
		}
		loaded, err := gen.Load(gen.Options{Manifests: []string{file}})
		if err != nil {
			t.Fatalf("%v\n%s", err, p.manifest())
		}
		tools, leaves := loaded.Tools(), p.leaves()
		if len(tools) != len(leaves) {
			t.Fatalf("%d tools, want %d\n%s", len(tools), len(leaves), p.manifest())
		}
		for i, leaf := range leaves {
			arguments := leaf.arguments(c)
			d := new(jsonx.Decoder)
			d.Reset([]byte(arguments))
			var w argv.Words
			w.Reset(argv.Style{Equals: p.equals, Dash: map[string]argv.Dash{"always": argv.DashAlways, "never": argv.DashNever}[p.doubleDash]})
			err := interpret(tools[i].Leaf, d, &w)
			leaf.compare(t, p, arguments, err, w.AppendTo(nil))
		}
	})
}

// compare holds what came of arguments, an error or words, against the rules.
func (r *commandRules) compare(t *testing.T, p *randomProgram, arguments string, err error, words []string) {
	t.Helper()
	lines, values := r.check(arguments)
	if len(lines) > 0 || err != nil {
		want := strings.Join(lines, "\n")
		if got, _ := err.(jsonx.ArgumentError); string(got) != want {
			t.Errorf("%s\n%s\ntold %q\nwant %q", p.manifest(), arguments, err, want)
		}
		return
	}
	want, meant := r.argv(values)
	if !slices.Equal(words, want) {
		t.Errorf("%s\n%s\nwords %q\n want %q", p.manifest(), arguments, words, want)
	}
	if p.doubleDash == "never" {
		return // then words are what the program takes them for
	}
	got, err := parseArgv(p.root, p.newer, words)
	if last := len(r.leaf().Positionals) - 1; err != nil && last >= 0 {
		if least, most := r.leaf().Positionals[last].bounds(); least == 0 && most == 1 && strings.HasPrefix(words[len(words)-1], "-") {
			return // the call fails, as nothing else can be done with such a word
		}
	}
	if err != nil || !slices.Equal(got.path, meant.path) || !slices.Equal(got.args, meant.args) || !slices.Equal(got.opts, meant.opts) {
		t.Errorf("%s\n%s\nwords %q\nare taken for %+v, %v\nand meant %+v", p.manifest(), arguments, words, got, err, meant)
	}
}
