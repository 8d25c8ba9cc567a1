package jsonschema_test

import (
	"encoding/json"
	"math/rand/v2"
)

// randomExport makes a manifest of a random command line that mostly keeps the rules.
func randomExport(seed uint64) string {
	r := randomCLI{rand.New(rand.NewPCG(seed, 0))}
	export := r.node(0)
	if _, ok := export["commands"]; r.chance(2) && !ok {
		export["positionals"] = r.list(3, r.positional)
	}
	text, err := json.Marshal(map[string]any{
		"mcpgen": 1, "format": "argsbarg", "dialect": r.pick("auto", 1, 7), "schema": export,
		"server": map[string]any{"onCollision": "suffix"},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

type randomCLI struct{ *rand.Rand }

// chance is true once in n times.
func (r randomCLI) chance(n int) bool { return r.IntN(n) == 0 }

func (r randomCLI) pick(from ...any) any { return from[r.IntN(len(from))] }

// word is a name, mostly a short one, so that names clash at times.
func (r randomCLI) word() any {
	return r.pick("a", "b", "c-d", "c_d", "e.f", "json", "yes", "verbose", "naïve", "😀", "id", "with space", "schema", "--", "version")
}

func (r randomCLI) list(most int, element func() map[string]any) []map[string]any {
	list := []map[string]any{}
	for range r.IntN(most + 1) {
		list = append(list, element())
	}
	return list
}

func (r randomCLI) node(depth int) map[string]any {
	n := map[string]any{"key": r.word(), "description": r.pick("", "D.", "<b>\n\u2028")}
	if r.chance(3) {
		n["notes"] = r.pick(" ", "See {app}.")
	}
	if options := r.list(3, r.option); options != nil {
		n["options"] = options
	}
	switch {
	case depth < 3 && !r.chance(3):
		if depth > 0 && r.chance(4) {
			n["key"] = r.pick(":id", ":a", ":b_1")
		}
		n["commands"] = append(r.list(3, func() map[string]any { return r.node(depth + 1) }), r.node(3))
	case depth > 0:
		n["positionals"] = r.list(3, r.positional)
		n["commands"] = []any{map[string]any{"key": r.pick("completion", "configure")}}
	}
	return n
}

func (r randomCLI) option() map[string]any {
	o := map[string]any{"name": r.word(), "description": "O.", "kind": r.pick("presence", "string", "number", "enum", "json")}
	switch o["kind"] {
	case "string":
		o["format"] = r.pick("date", "date-time", "duration", "comma-list")
		if r.chance(2) {
			delete(o, "format")
			o["pattern"] = r.pick("^a+$", "(?=a)", `\s`)
		}
	case "number":
		o["default"] = r.pick("1", "0x10", "-.5e3", "007")
	case "enum":
		o["choices"] = []string{"x", "y"}
		o["required"] = r.chance(2)
	}
	return o
}

func (r randomCLI) positional() map[string]any {
	return map[string]any{"name": r.word(), "description": "A.", "argMin": r.IntN(2), "argMax": 1 + r.IntN(3)}
}
