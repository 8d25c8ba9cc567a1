package emit

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// random makes schemas, and values that have a chance to conform to them. Names and numbers
// are few, so that they meet.
type random struct{ *rand.Rand }

func (r *random) pick(of ...string) string { return of[r.IntN(len(of))] }

var someNames = []string{"a", "b", "c d", "~/"}

// document returns a schema whose parts refer to one another.
func (r *random) document() string {
	members := r.keywords(3)
	members["$defs"] = object(map[string]string{"d": r.schema(2), "e": r.schema(2)})
	return object(members)
}

func (r *random) schema(depth int) string {
	switch n := r.IntN(20); {
	case n == 0:
		return "true"
	case n == 1:
		return "false"
	case n == 2:
		return `{"$ref":"` + r.pick("#", "#/$defs/d", "#/$defs/e") + `"}`
	}
	return object(r.keywords(depth))
}

func (r *random) keywords(depth int) map[string]string {
	members := map[string]string{}
	for range 1 + r.IntN(3) {
		if r.IntN(3) > 0 || depth == 0 {
			r.plain(members)
		} else {
			r.nested(members, depth-1)
		}
	}
	return members
}

// plain adds a keyword that has no schemas in it.
func (r *random) plain(members map[string]string) {
	types := []string{`"null"`, `"boolean"`, `"integer"`, `"number"`, `"string"`, `"array"`, `"object"`}
	switch r.IntN(9) {
	case 0, 1:
		members["type"] = r.pick(types...)
	case 2:
		i := r.IntN(len(types) - 1)
		members["type"] = "[" + types[i+1] + "," + types[i] + "]"
	case 3:
		members["const"] = r.value(1)
	case 4:
		members["enum"] = "[" + r.value(1) + "," + r.value(0) + "," + r.value(0) + "]"
	case 5:
		members[r.pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")] = r.number()
	case 6:
		members[r.pick("minLength", "maxLength", "minItems", "maxItems")] = r.pick("0", "1", "2", "3.0")
	case 7:
		members["pattern"] = r.pick(`"^a"`, `"b|é"`, `"^[^a]*$"`, `"\\d"`)
	case 8:
		members["required"] = `["` + r.pick("a", "b") + `","` + r.pick("c d", "~/") + `"]`
	}
}

// nested adds a keyword that has schemas in it.
func (r *random) nested(members map[string]string, depth int) {
	schemas := func() string {
		all := []string{r.schema(depth), r.schema(depth), r.schema(depth)}
		return "[" + strings.Join(all[:1+r.IntN(3)], ",") + "]"
	}
	switch r.IntN(8) {
	case 0, 1:
		all := map[string]string{}
		for range 1 + r.IntN(3) {
			all[r.pick(someNames...)] = r.schema(depth)
		}
		members["properties"] = object(all)
	case 2:
		members["additionalProperties"] = r.schema(depth)
	case 3:
		members["items"] = r.schema(depth)
	case 4:
		members["prefixItems"] = schemas()
	case 5:
		members[r.pick("anyOf", "oneOf")] = schemas()
	case 6:
		members["allOf"] = schemas()
	case 7:
		members["not"] = r.schema(depth)
	}
}

func (r *random) number() string { return r.pick("0", "1", "2", "-1", "1.0", "1.5", "10e-1", "3") }

func (r *random) text() string { return r.pick(`""`, `"a"`, `"ab"`, `"é1"`, `"\u0061b😀"`, `"x9"`) }

// value returns any value.
func (r *random) value(depth int) string {
	n := r.IntN(7)
	if depth == 0 {
		n = r.IntN(5)
	}
	switch n {
	case 0:
		return r.pick("null", "true", "false")
	case 1, 2:
		return r.number()
	case 3, 4:
		return r.text()
	case 5:
		return r.array(func(int) string { return r.value(depth - 1) })
	}
	members := map[string]string{}
	for range r.IntN(4) {
		members[r.pick(someNames...)] = r.value(depth - 1)
	}
	return object(members)
}

func (r *random) array(element func(i int) string) string {
	var all []string
	for i := range r.IntN(4) {
		all = append(all, element(i))
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// instance returns a value that is made for a schema, but not for all it says.
func (r *random) instance(schema any, document map[string]any, depth int) string {
	s, ok := schema.(map[string]any)
	if !ok || depth == 0 || r.IntN(6) == 0 {
		return r.value(max(0, min(depth-1, 2)))
	}
	for _, keyword := range []string{"$ref", "const", "enum", "allOf", "anyOf", "oneOf"} {
		if s[keyword] != nil && r.IntN(3) > 0 {
			return r.made(keyword, s, document, depth)
		}
	}
	return r.shaped(s, document, depth)
}

// made returns a value that is made for one keyword.
func (r *random) made(keyword string, s, document map[string]any, depth int) string {
	switch keyword {
	case "const":
		return remarshal(s["const"])
	case "$ref":
		if name, ok := strings.CutPrefix(s["$ref"].(string), "#/$defs/"); ok {
			return r.instance(document["$defs"].(map[string]any)[name], document, depth-1)
		}
		return r.instance(document, document, depth-1)
	}
	all := s[keyword].([]any)
	one := all[r.IntN(len(all))]
	if keyword == "enum" {
		return remarshal(one)
	}
	return r.instance(one, document, depth-1)
}

// shaped returns a value of a type that the schema admits, or says something of.
func (r *random) shaped(s, document map[string]any, depth int) string {
	var kind string
	switch t := s["type"].(type) {
	case string:
		kind = t
	case []any:
		kind = t[r.IntN(len(t))].(string)
	default:
		kind = "object"
		if s["items"] != nil || s["prefixItems"] != nil {
			kind = "array"
		}
	}
	switch kind {
	case "null":
		return "null"
	case "boolean":
		return r.pick("true", "false")
	case "integer", "number":
		return r.number()
	case "string":
		return r.text()
	case "array":
		prefix, _ := s["prefixItems"].([]any)
		return r.array(func(i int) string {
			if i < len(prefix) {
				return r.instance(prefix[i], document, depth-1)
			}
			return r.instance(s["items"], document, depth-1)
		})
	}
	members := map[string]string{}
	properties, _ := s["properties"].(map[string]any)
	required, _ := s["required"].([]any)
	for _, name := range someNames {
		wanted := false
		for _, x := range required {
			wanted = wanted || x == name
		}
		if wanted || r.IntN(3) == 0 {
			of := s["additionalProperties"]
			if properties[name] != nil {
				of = properties[name]
			}
			members[name] = r.instance(of, document, depth-1)
		}
	}
	return object(members)
}

func remarshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// object returns the text of an object, its members in the order of their names.
func object(members map[string]string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		all = append(all, strconv.Quote(name)+": "+members[name])
	}
	return fmt.Sprintf("{%s}", strings.Join(all, ", "))
}
