package verify

import (
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/verify/client"
)

// A manifest of a command line says something of tools, but is no listing. What its server
// lists depends on the revision.
func TestExpectCommandLine(t *testing.T) {
	t.Parallel()
	const data = "../testdata/golden/argsbarg/"
	e, err := ReadExpect(data + "fleet.manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	listing, err := ReadExpect(data + "fleet.tools.json")
	if err != nil {
		t.Fatal(err)
	}
	live := make([]client.Tool, len(listing.tools))
	for i, members := range listing.tools {
		live[i] = client.Tool{Name: nameOf(members), Members: members}
	}
	tests := []struct{ revision, want string }{
		{"2024-11-05", `tool "node_list": outputSchema is not expected`},
		{"2025-03-26", `tool "node_list": outputSchema is not expected`},
		{"2025-06-18", ""},
		{"2025-11-25", ""},
		{"2026-07-28", ""},
	}
	for _, test := range tests {
		if got := e.compare(live, test.revision, false); got != test.want {
			t.Errorf("%s: %q, want %q", test.revision, got, test.want)
		}
	}
	live[0].Members = map[string]json.RawMessage{"name": live[0].Members["name"]}
	if got := e.compare(live, "2025-11-25", false); got != "tool \"node_list\": description is missing" {
		t.Errorf("got %q", got)
	}
}
