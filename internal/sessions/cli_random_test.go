package sessions

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// choices are what a random program, or random arguments, are made of: a number below n for
// each thing to choose.
type choices func(n int) int

// of data, a byte each; zeros when it is used up.
func choicesOf(data []byte) choices {
	return func(n int) int {
		if len(data) == 0 {
			return 0
		}
		c := int(data[0])
		data = data[1:]
		return c % n
	}
}

func pick[T any](c choices, from ...T) T { return from[c(len(from))] }

// A randomProgram is a program with the way it is started.
type randomProgram struct {
	root       *commandLine
	newer      bool
	equals     bool
	doubleDash string
}

// manifest returns the manifest of the program.
func (p *randomProgram) manifest() []byte {
	dialect, style := 1, "separate"
	if p.newer {
		dialect = 7
	}
	if p.equals {
		style = "equals"
	}
	text, _ := json.Marshal(map[string]any{
		"mcpgen": 1, "format": "argsbarg", "dialect": dialect, "schema": p.root,
		"exec": map[string]any{"command": []string{p.root.Key}, "optionStyle": style, "doubleDash": p.doubleDash},
	})
	return text
}

// leaves returns the rules of all leaves, in the order of the tools.
func (p *randomProgram) leaves() []*commandRules {
	var all []*commandRules
	var walk func(chain []*commandLine)
	walk = func(chain []*commandLine) {
		n := chain[len(chain)-1]
		if n.isLeaf() {
			all = append(all, &commandRules{chain: chain, doubleDash: p.doubleDash, equals: p.equals, newer: p.newer})
			return
		}
		for i := range n.Commands {
			walk(append(slices.Clip(chain), &n.Commands[i]))
		}
	}
	walk([]*commandLine{p.root})
	return all
}

// A programmer makes random programs.
type programmer struct {
	choose choices
	n      int // of names so far
}

func newRandomProgram(c choices) *randomProgram {
	g := &programmer{choose: c}
	p := &randomProgram{newer: c(2) == 1, equals: c(4) == 3, doubleDash: pick(c, "auto", "auto", "always", "never")}
	root := g.command("prog", 2+c(2), map[string]bool{}, p.newer)
	p.root = &root
	return p
}

// newLargeProgram makes one with many commands.
func newLargeProgram(c choices, key string, commands int, newer, equals bool) *randomProgram {
	g := &programmer{choose: c}
	root := commandLine{Key: key, Options: []option{g.option(map[string]bool{}, newer)}}
	names := map[string]bool{root.Options[0].Name: true}
	for range commands {
		root.Commands = append(root.Commands, g.command(g.name(), c(3), names, newer))
	}
	return &randomProgram{root: &root, newer: newer, equals: equals, doubleDash: "auto"}
}

// name returns a name that is new, and no good as a Go identifier more often than not.
func (g *programmer) name() string {
	g.n++
	return pick(g.choose, "name", "type", "a-b", "Ä", "func", "x.y", "call", "err") + fmt.Sprint(g.n)
}

// command makes a command with at most depth levels below. Names are those in scope.
func (g *programmer) command(key string, depth int, names map[string]bool, newer bool) commandLine {
	n := commandLine{Key: key, Description: pick(g.choose, "Does something.", "*/ `x` \n//go:build", "")}
	names = maps.Clone(names)
	if strings.HasPrefix(key, ":") {
		names[key[1:]] = true
	}
	for range g.choose(4) {
		n.Options = append(n.Options, g.option(names, newer))
	}
	if depth == 0 || g.choose(3) == 0 && key[0] != ':' {
		n.Positionals = g.positionals()
		return n
	}
	for range 1 + g.choose(3) {
		n.Commands = append(n.Commands, g.command(g.name(), depth-1, names, newer))
	}
	if g.choose(3) == 0 && depth > 1 {
		g.n++
		n.Commands = append(n.Commands, g.command(fmt.Sprint(":p", g.n), depth-1, names, newer))
	}
	return n
}

func (g *programmer) option(names map[string]bool, newer bool) option {
	o := option{Name: g.name(), Kind: pick(g.choose, "presence", "string", "string", "number", "enum", "json")}
	if special := pick(g.choose, "json", "yes", "verbose"); newer && o.Kind == "presence" && !names[special] {
		o.Name = special
	}
	names[o.Name] = true
	switch o.Kind {
	case "presence":
		return o
	case "enum":
		o.Choices = []string{"low", "-x", "7"}
	case "string":
		o.Format = pick(g.choose, "", "", "duration", "date", "date-time", "comma-list")
		if o.Format == "" && g.choose(3) == 0 {
			o.Pattern = "^[a-z0-9]+$"
		}
	}
	o.Required = g.choose(4) == 0
	return o
}

// positionals makes slots that a program may have: those that must be filled first, and one
// for any number of words at the end.
func (g *programmer) positionals() []positional {
	var all []positional
	add := func(least, most int) {
		all = append(all, positional{Name: g.name(), Kind: "string", ArgMin: &least, ArgMax: &most})
	}
	for range g.choose(3) {
		bounds := pick(g.choose, [2]int{1, 1}, [2]int{2, 2}, [2]int{1, 3})
		add(bounds[0], bounds[1])
	}
	if g.choose(4) == 0 {
		add(g.choose(3), 0)
		return all
	}
	for range g.choose(3) {
		add(0, 1+g.choose(2))
	}
	if g.choose(3) == 0 {
		add(0, 0)
	}
	return all
}

var (
	randomTexts = []string{
		`"a"`, `"a b"`, `""`, `"-x"`, `"--"`, `"--help"`, `"docs"`, `"é😀"`, `"low"`, `"7"`, `"20m"`, `" 20M "`, `"2024-02-29"`,
		`"2023-02-29"`, `"2026-06-22T15:00:00Z"`, `"x\u0000"`, `"\u0061\"\\"`, `"a=b"`, `"0x1F"`, `" .5 "`, `"name1"`, "\"\u2028\"",
	}
	randomNumbers = []string{"0", "-0", "7", "-7", "1.50", "1e21", "-0.0", "1E-7", "12345678901234567890", "1e999", "0.1"}
	randomOthers  = []string{`true`, `false`, `null`, `{}`, `{"a" : [1.50, "x"],"a":null}`, `[]`, `[[]]`, `[null]`, `["a",{}]`, `[true]`}
)

// arguments makes the arguments of a call, as JSON.
func (r *commandRules) arguments(c choices) string {
	if c(2) == 1 {
		return r.goodArguments(c)
	}
	var members []string
	add := func(name, value string) {
		key, _ := json.Marshal(name)
		if c(8) == 7 {
			key = []byte(`"` + fmt.Sprintf(`\u%04x`, []rune(name)[0]) + string([]rune(name)[1:]) + `"`)
		}
		members = append(members, string(key)+pick(c, ":", " : ")+value)
	}
	for _, name := range r.published() {
		if c(8) != 0 {
			add(name, r.value(c, name))
		}
	}
	if len(members) > 0 && c(8) == 7 {
		members = append(members, members[c(len(members))])
	}
	if c(8) == 7 {
		add("unknown", pick(c, randomOthers...))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// goodArguments makes arguments of which most are taken.
func (r *commandRules) goodArguments(c choices) string {
	values := map[string]string{}
	var names []string
	add := func(name, value string) {
		names = append(names, name)
		values[name] = value
	}
	for _, n := range r.chain {
		if strings.HasPrefix(n.Key, ":") {
			add(n.Key[1:], pick(c, `"a"`, `"a b"`, "7", `"docs"`))
		}
		for i := range n.Options {
			if o := &n.Options[i]; !r.hidden(o) && (o.Required || c(2) == 1) {
				add(o.Name, o.good(c))
			}
		}
	}
	for i, p := range r.leaf().Positionals {
		least, most := p.bounds()
		if least == 0 && c(2) == 1 {
			break // and so are those that follow
		}
		last := i == len(r.leaf().Positionals)-1
		n := most
		if last && most != 1 {
			n = least + c(max(most-least, 2)+1)
		}
		words := randomWords(c, n)
		if least == 0 && most == 1 && !last {
			words[0] = pick(c, `"a"`, "0", `""`)
		}
		if add(p.Name, "["+strings.Join(words, ",")+"]"); most == 1 {
			values[p.Name] = words[0]
		}
	}
	var members []string
	for len(names) > 0 { // in any order
		i := c(len(names))
		key, _ := json.Marshal(names[i])
		members = append(members, string(key)+":"+values[names[i]])
		names = slices.Delete(names, i, i+1)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// good makes a value that the option takes.
func (o *option) good(c choices) string {
	switch {
	case o.Kind == "presence":
		return pick(c, "true", "false")
	case o.Kind == "number":
		return pick(c, append(slices.Clone(randomNumbers), `"0x1F"`, `" .5 "`)...)
	case o.Kind == "enum":
		return pick(c, `"low"`, `"-x"`, `7`)
	case o.Kind == "json":
		return pick(c, `{"a" : [1.50, "x"],"a":null}`, `"--"`, "[ ]", "-0.0", "false")
	case o.Pattern != "":
		return pick(c, `"a"`, `"low"`, "7")
	}
	switch o.Format {
	case "duration":
		return pick(c, `"20m"`, `" 20M "`, `7`)
	case "date":
		return `"2024-02-29"`
	case "date-time":
		return `"2026-06-22T15:00:00Z"`
	case "comma-list":
		return pick(c, `["a","-b",""]`, `"a,b"`, `"-x"`, `""`)
	}
	return pick(c, append(slices.Clone(randomTexts[:14]), randomNumbers...)...)
}

// value makes a value of a property, more often than not one that it takes.
func (r *commandRules) value(c choices, name string) string {
	if c(8) == 7 {
		return pick(c, slices.Concat(randomTexts, randomNumbers, randomOthers)...)
	}
	for _, p := range r.leaf().Positionals {
		if _, most := p.bounds(); p.Name == name && most != 1 {
			return "[" + strings.Join(randomWords(c, c(4)), ",") + "]"
		}
	}
	for _, n := range r.chain {
		for _, o := range n.Options {
			if o.Name == name {
				return o.value(c)
			}
		}
	}
	return randomWords(c, 1)[0]
}

func randomWords(c choices, n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = pick(c, append(slices.Clone(randomTexts), randomNumbers[:4]...)...)
	}
	return words
}

func (o *option) value(c choices) string {
	switch {
	case o.Kind == "presence":
		return pick(c, "true", "false")
	case o.Kind == "number":
		return pick(c, append(slices.Clone(randomNumbers), `"0x1F"`, `" .5 "`, `"1_0"`)...)
	case o.Kind == "enum":
		return pick(c, `"low"`, `"-x"`, `7`, `"high"`)
	case o.Kind == "json":
		return pick(c, randomOthers...)
	case o.Format == "duration":
		return pick(c, `"20m"`, `" 20M "`, `7`, `"x"`)
	case o.Format == "date":
		return pick(c, `"2024-02-29"`, `"2023-02-29"`)
	case o.Format == "date-time":
		return pick(c, `"2026-06-22T15:00:00Z"`, `"2026-06-22"`)
	case o.Format == "comma-list":
		return pick(c, `["a","-b",""]`, `"a,b"`, `[]`, `[""]`, `["a",1]`, `[null]`, `"-x"`)
	}
	return pick(c, randomTexts...)
}
