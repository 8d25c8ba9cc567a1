package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A commandLine is the description that a program of the library exports: the root of its
// commands. It is read here once more, without mcpgen, and so are command lines: by the
// rules of the library's parser (cli-schema.md 6.3 and 6.4).
type commandLine struct {
	Key         string        `json:"key"`
	Description string        `json:"description"`
	Options     []option      `json:"options,omitempty"`
	Positionals []positional  `json:"positionals,omitempty"`
	Commands    []commandLine `json:"commands,omitempty"`
	Fallback    string        `json:"fallbackCommand,omitempty"`
}

type option struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Kind        string   `json:"kind"`
	Required    bool     `json:"required,omitempty"`
	Choices     []string `json:"choices,omitempty"`
	Format      string   `json:"format,omitempty"`
	Pattern     string   `json:"pattern,omitempty"`
	Default     *string  `json:"default,omitempty"`
}

type positional struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Kind        string `json:"kind"`
	ArgMin      *int   `json:"argMin,omitempty"`
	ArgMax      *int   `json:"argMax,omitempty"`
}

// bounds returns how many words the positional takes; most 0 is any number.
func (p positional) bounds() (least, most int) {
	least, most = 1, 1
	if p.ArgMin != nil {
		least = *p.ArgMin
	}
	if p.ArgMax != nil {
		most = *p.ArgMax
	}
	return least, most
}

// builtins are commands that the library adds to leaves.
var builtins = strings.Fields("completion mcp ai install uninstall update version docs config configure http api")

func (n *commandLine) isLeaf() bool {
	return len(n.Positionals) > 0 ||
		!slices.ContainsFunc(n.Commands, func(c commandLine) bool { return !slices.Contains(builtins, c.Key) })
}

func (n *commandLine) child(word string) *commandLine {
	for i := range n.Commands {
		if n.Commands[i].Key == word {
			return &n.Commands[i]
		}
	}
	for i := range n.Commands {
		if strings.HasPrefix(n.Commands[i].Key, ":") {
			return &n.Commands[i]
		}
	}
	return nil
}

// An invocation is what the handler of a command sees. Options are in the order in which they
// came, defaults last.
type invocation struct {
	path []string // keys
	args []string
	opts []pair
}

type pair struct{ name, value string }

func (v *invocation) opt(name string) (value string, given bool) {
	for _, o := range v.opts {
		if o.name == name {
			return o.value, true
		}
	}
	return "", false
}

// A parse is a command line that is being read.
type parse struct {
	invocation
	chain  []*commandLine // commands so far
	strict bool           // options count only right behind the command that declares them
}

// parseArgv reads the words of a command line. Newer versions of the library are strict.
func parseArgv(root *commandLine, strict bool, argv []string) (*invocation, error) {
	p := &parse{chain: []*commandLine{root}, strict: strict}
	if root.isLeaf() && len(argv) > 0 && slices.Contains(builtins, argv[0]) {
		return nil, errors.New("the built-in command runs")
	}
	var words []string
	for len(argv) > 0 {
		word, last := argv[0], p.chain[len(p.chain)-1]
		argv = argv[1:]
		var err error
		switch {
		case word == "--":
			words, argv = append(words, argv...), nil
		case strings.HasPrefix(word, "-"):
			argv, err = p.option(word, argv)
		case last.isLeaf():
			words = append(words, word)
			if slot := len(words) - 1; !strict && slot < len(last.Positionals) {
				if _, most := last.Positionals[slot].bounds(); most == 0 { // takes all that follow
					words, argv = append(words, argv...), nil
				}
			}
		default:
			next := last.child(word)
			if next == nil {
				return nil, errors.New("Unknown command: " + word)
			}
			p.chain, p.path = append(p.chain, next), append(p.path, next.Key)
		}
		if err != nil {
			return nil, err
		}
	}
	return &p.invocation, p.end(words)
}

// option reads an option, and its value from the words behind it, and returns what is left
// of those.
func (p *parse) option(word string, rest []string) ([]string, error) {
	name, value, hasValue := strings.Cut(strings.TrimPrefix(word, "--"), "=")
	if !strings.HasPrefix(word, "--") {
		name = ""
	}
	o := p.declared(name)
	switch {
	case o == nil:
		return nil, errors.New("Unknown option: " + word)
	case o.Kind == "presence":
		value = "1"
	case !hasValue && len(rest) == 0:
		return nil, errors.New("Missing value for option: " + word)
	case !hasValue:
		value, rest = rest[0], rest[1:]
	}
	if o.Kind == "enum" && !slices.Contains(o.Choices, value) {
		return nil, fmt.Errorf("Option --%s: '%s' is not one of: %s", name, value, strings.Join(o.Choices, ", "))
	}
	if err := o.check(value); p.strict && err != nil {
		return nil, err
	}
	p.opts = slices.DeleteFunc(p.opts, func(x pair) bool { return x.name == name })
	p.opts = append(p.opts, pair{name, value})
	return rest, nil
}

// check checks a value as newer versions of the library do.
func (o *option) check(value string) error {
	if o.Kind == "number" && !numbers.MatchString(strings.Trim(value, ecmaSpace)) {
		return errors.New("Invalid number for option --" + o.Name + ": " + value)
	}
	if o.Kind == "json" && !json.Valid([]byte(value)) {
		return errors.New("Invalid JSON for option --" + o.Name)
	}
	return nil
}

func (p *parse) declared(name string) *option {
	for i := len(p.chain) - 1; i >= 0; i-- {
		for k := range p.chain[i].Options {
			if o := &p.chain[i].Options[k]; o.Name == name {
				return o
			}
		}
		if p.strict {
			break
		}
	}
	return nil
}

// end fills the slots of the positionals, and checks that nothing is missing.
func (p *parse) end(words []string) error {
	leaf := p.chain[len(p.chain)-1]
	if !leaf.isLeaf() {
		leaf = leaf.child(leaf.Fallback)
		p.chain, p.path = append(p.chain, leaf), append(p.path, leaf.Key)
	}
	p.args = words
	for _, slot := range leaf.Positionals {
		least, most := slot.bounds()
		n := len(words)
		if most > 0 {
			n = min(n, most)
		}
		if least == 0 && most == 1 && n == 1 && strings.HasPrefix(words[0], "-") {
			n = 0 // even behind "--"
		}
		if n < least {
			return errors.New("Missing positional argument: " + slot.Name)
		}
		words = words[n:]
	}
	if len(words) > 0 {
		return errors.New("Unexpected extra arguments")
	}
	for _, n := range p.chain {
		for _, o := range n.Options {
			if _, given := p.opt(o.Name); given {
				continue
			}
			if o.Required {
				return errors.New("Missing required option: --" + o.Name)
			}
			if o.Default != nil {
				p.opts = append(p.opts, pair{o.Name, *o.Default})
			}
		}
	}
	return nil
}

// A commandProgram is one of the programs that were recorded.
type commandProgram struct {
	name string
	root commandLine
}

func loadProgram(folder, name string) (*commandProgram, error) {
	p := &commandProgram{name: name}
	return p, readJSON(filepath.Join(folder, name+".schema.json"), &p.root)
}

// effect returns what the program does with words, as far as its handlers go.
func (p *commandProgram) effect(argv []string, stdin string) effect {
	v, err := parseArgv(&p.root, p.name == "fleet", argv)
	if err != nil {
		return effect{Exit: 1, Stderr: err.Error() + "\n\n(help screen elided)\n"}
	}
	return p.handle(v, stdin)
}

// handle does what the handler of a command does.
func (p *commandProgram) handle(v *invocation, stdin string) effect {
	path := strings.Join(v.path, " ")
	switch p.name + " " + path {
	case "hello ":
		text := "hello " + append(v.args, "world")[0] + "\n"
		if _, shout := v.opt("shout"); shout {
			text = strings.ToUpper(text)
		}
		return effect{Stdout: text}
	case "tracker status":
		out := effect{Stdout: "ok\n"}
		if _, trace := v.opt("trace"); trace {
			out.Stderr = "trace on\n"
		}
		return out
	case "kinds out":
		return saying(v)
	case "kinds a-b", "kinds a b", "kinds a_b":
		return effect{Stdout: path + "\n"}
	case "kinds naïve":
		return effect{Stdout: "n\n"}
	case "fleet apply":
		return effect{Stdout: indented(`{"got":` + stdin + `}`)}
	case "fleet patch":
		doc, _ := v.opt("doc")
		_, force := v.opt("force")
		return effect{Stdout: indented(fmt.Sprintf(`{"got":%s,"force":%v}`, doc, force))}
	case "fleet node list", "fleet node drain", "fleet node :id show", "fleet many", "fleet quiet":
		return effect{Stdout: indented(`{"path":` + list(v.path) + `,"args":` + list(v.args) + `,"opts":` + v.options() + `,"inv":"cli"}`)}
	case "tracker issue get", "tracker issue label-set":
		return effect{Stdout: `{"path":` + list(v.path) + `,"args":` + list(v.args) + `,"opts":` + v.options() + "}\n"}
	}
	return effect{Stdout: `{"args":` + list(v.args) + `,"opts":` + v.options() + "}\n"}
}

// saying is the command that does what it is told to.
func saying(v *invocation) effect {
	var out effect
	out.Stdout, _ = v.opt("stdout")
	out.Stderr, _ = v.opt("stderr")
	if code, given := v.opt("code"); given {
		_, _ = fmt.Sscan(code, &out.Exit)
	}
	if text, given := v.opt("throw"); given {
		out.Stderr += text + "\n"
		out.Exit = 1
	}
	return out
}

func list(words []string) string {
	text, _ := json.Marshal(append([]string{}, words...))
	return string(text)
}

func (v *invocation) options() string {
	var members []string
	for _, o := range v.opts {
		name, _ := json.Marshal(o.name)
		value, _ := json.Marshal(o.value)
		members = append(members, string(name)+":"+string(value))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func indented(text string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(json.RawMessage(text)); err != nil {
		return "no JSON: " + text
	}
	return b.String()
}

// TestFakePrograms holds the parser and the handlers of these tests against what the real
// programs did.
func TestFakePrograms(t *testing.T) {
	t.Parallel()
	recorded, err := recordings(commandLines)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, r := range recorded {
		special := []string{"log", "boom", "die", "text", "bin", "arr", "num", "apply", "docs", "version", "quiet"} // not known here
		if r.App == "hello" && r.bun || r.App == "fleet" && slices.Contains(special, r.Argv[0]) ||
			slices.Equal(r.Argv, []string{"mcp", "x"}) || strings.HasPrefix(r.Stdout, "(schema") || r.App == "fleet" && len(r.Argv) == 2 && r.Argv[1] == "--force" {
			continue
		}
		p, err := loadProgram(commandLines, r.App)
		if err != nil {
			t.Fatal(err)
		}
		got := p.effect(r.Argv, r.Stdin)
		if r.Exit != 0 && got.Exit != 0 { // how a mistake is told is of no interest
			got = r.effect
		}
		compared++
		if got != r.effect {
			t.Errorf("%s %q: got %+v, want %+v", r.App, r.Argv, got, r.effect)
		}
	}
	if compared < 100 {
		t.Errorf("only %d runs compared", compared)
	}
}
