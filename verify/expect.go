package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/gen/jsonschema"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/verify/client"
)

// An Expect is the exact list of tools that a server must have.
type Expect struct {
	tools  []tool
	lists  map[string][]tool // of a server of ours: the same in each revision
	prefix string            // that names may have over HTTP
	own    bool              // made from a manifest: the server is one of ours
}

// A tool is the members of its object in a listing.
type tool = map[string]json.RawMessage

// ReadExpect reads a tools/list result, or the manifest or schema of a program, of which one is
// made.
func ReadExpect(path string) (*Expect, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var document map[string]json.RawMessage
	if json.Unmarshal(text, &document) == nil && isListing(document) {
		e := &Expect{}
		if err := json.Unmarshal(document["tools"], &e.tools); err != nil {
			return nil, fmt.Errorf("%s: tools: %w", path, err)
		}
		return e, nil
	}
	m, err := manifest.Read(path, manifest.Options{})
	if err != nil {
		return nil, err
	}
	program, err := lower.Lower(m)
	if err != nil {
		return nil, err
	}
	e := &Expect{own: true, prefix: program.Module + "__", lists: map[string][]tool{}}
	for _, revision := range client.Revisions {
		e.tools = nil
		if err := json.Unmarshal(jsonschema.ToolsFor(program, revision), &e.tools); err != nil {
			return nil, err
		}
		e.lists[revision] = e.tools
	}
	return e, nil
}

// isListing tells a tools/list result from a manifest, which may say something of tools too.
func isListing(document map[string]json.RawMessage) bool {
	return document["tools"] != nil && document["commands"] == nil && document["mcpgen"] == nil
}

// listed returns the tools as a revision lists them.
func (e *Expect) listed(revision string) []tool {
	if list, ok := e.lists[revision]; ok {
		return list
	}
	return e.tools
}

func nameOf(t tool) string {
	var name string
	_ = json.Unmarshal(t["name"], &name)
	return name
}

func (e *Expect) names() []string {
	names := make([]string, len(e.tools))
	for i, t := range e.tools {
		names[i] = nameOf(t)
	}
	return names
}

// compared are the members that must be equal, with the revision that brought them.
var compared = []struct{ name, since string }{
	{"description", ""},
	{"inputSchema", ""},
	{"outputSchema", "2025-06-18"},
	{"annotations", "2025-03-26"},
}

// compare returns the first difference between a live list and what is expected, "" if
// there is none.
func (e *Expect) compare(live []client.Tool, revision string, overHTTP bool) string {
	prefix := ""
	if overHTTP && e.own && len(live) > 0 && strings.HasPrefix(live[0].Name, e.prefix) {
		prefix = e.prefix // all of them, or none
	}
	expected := e.listed(revision)
	for i, want := range expected {
		name := prefix + nameOf(want)
		if i >= len(live) {
			return fmt.Sprintf("tool %q is missing at the end", name)
		}
		if live[i].Name != name {
			return fmt.Sprintf("tools[%d] is %q, want %q", i, live[i].Name, name)
		}
		for _, m := range compared {
			if !e.own && isBefore(revision, m.since) {
				continue
			}
			if difference := jsonDifference(live[i].Members[m.name], want[m.name], m.name); difference != "" {
				return fmt.Sprintf("tool %q: %s", name, difference)
			}
		}
	}
	if len(live) > len(expected) {
		return fmt.Sprintf("tool %q is not expected", live[len(expected)].Name)
	}
	return ""
}

func isBefore(revision, since string) bool {
	i := slices.Index(client.Revisions, revision)
	return i >= 0 && i < slices.Index(client.Revisions, since)
}

// jsonDifference returns where two JSON texts differ as values.
func jsonDifference(got, want json.RawMessage, at string) string {
	if got == nil && want == nil {
		return ""
	}
	if got == nil {
		return at + " is missing"
	}
	if want == nil {
		return at + " is not expected"
	}
	return treeDifference(decode(got), decode(want), at)
}

func decode(text json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree any
	_ = d.Decode(&tree) // it is part of a text that was decoded before
	return tree
}

func treeDifference(got, want any, at string) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		if !ok {
			break
		}
		for _, key := range sortedKeys(want, got) {
			g, inGot := got[key]
			w, inWant := want[key]
			switch {
			case !inGot:
				return at + "." + key + " is missing"
			case !inWant:
				return at + "." + key + " is not expected"
			}
			if d := treeDifference(g, w, at+"."+key); d != "" {
				return d
			}
		}
		return ""
	case []any:
		got, ok := got.([]any)
		if !ok {
			break
		}
		if len(got) != len(want) {
			return fmt.Sprintf("%s has %d elements, want %d", at, len(got), len(want))
		}
		for i := range want {
			if d := treeDifference(got[i], want[i], fmt.Sprintf("%s[%d]", at, i)); d != "" {
				return d
			}
		}
		return ""
	case json.Number:
		if got, ok := got.(json.Number); ok && sameNumber(got, want) {
			return ""
		}
	default:
		if got == want { // texts, booleans and null
			return ""
		}
	}
	return fmt.Sprintf("%s is %s, want %s", at, show(got), show(want))
}

func sortedKeys(maps ...map[string]any) []string {
	var keys []string
	for _, m := range maps {
		for key := range m {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// sameNumber compares numbers exactly, unless their exponents are absurd.
func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	const longest = 400
	x, okX := new(big.Rat).SetString(limitExponent(a.String(), longest))
	y, okY := new(big.Rat).SetString(limitExponent(b.String(), longest))
	return okX && okY && x.Cmp(y) == 0
}

// limitExponent returns "" for a number that would fill memory.
func limitExponent(number string, longest int) string {
	_, exponent, _ := strings.Cut(strings.ToLower(number), "e")
	if len(number) > longest || len(strings.Trim(exponent, "+-0")) > 3 {
		return ""
	}
	return number
}

func show(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return shorten(string(text), 80)
}
