package names_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/names"
)

func TestTool(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, want string }{ // words are separated by /
		{"stat/owner/lookup", "stat_owner_lookup"},
		{"issue/label-set", "issue_label_set"},
		{"hello.sh", "hello_sh"},
		{"naïve", "na_ve"},
		{"node/:id/show", "node__id_show"},
		{"a-b", "a_b"},
		{"a_b", "a_b"},
		{"a/b", "a_b"},
		{"😀", "__"},
		{"größe 2", "gr__e_2"},
	}
	for _, tt := range tests {
		if got := names.Tool(strings.Split(tt.path, "/")); got != tt.want {
			t.Errorf("Tool(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}

func TestCheckExplicit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		ok   bool
	}{
		{"a_b.c-1", true}, {strings.Repeat("Z", 128), true},
		{"", false}, {"a b", false}, {"é", false}, {"a/b", false}, {strings.Repeat("Z", 129), false},
	}
	const want = "want 1 to 128 of [A-Za-z0-9_.-]"
	for _, tt := range tests {
		if got := names.CheckExplicit(tt.name); (got == "") != tt.ok || got != "" && got != want {
			t.Errorf("CheckExplicit(%q) = %q", tt.name, got)
		}
	}
}
