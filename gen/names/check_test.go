package names_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/names"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	const wantTool, wantProperty = "some clients want 1 to 64 of [A-Za-z0-9_-]", "some clients want 1 to 64 of [A-Za-z0-9_.-]"
	tests := []struct {
		name           string
		tool, property bool // accepted as such
	}{
		{"mw", true, true},
		{"_1", true, true},
		{"tmp-dir", true, true},
		{"a.b", false, true},
		{"config int", false, false},
		{"größe", false, false},
		{"", false, false},
		{strings.Repeat("Z", 64), true, true},
		{strings.Repeat("9", 65), false, false},
		{"a\x00", false, false},
	}
	for _, test := range tests {
		if got := names.CheckTool(test.name); (got == "") != test.tool || got != "" && got != wantTool {
			t.Errorf("CheckTool(%q) = %q", test.name, got)
		}
		if got := names.CheckProperty(test.name); (got == "") != test.property || got != "" && got != wantProperty {
			t.Errorf("CheckProperty(%q) = %q", test.name, got)
		}
	}
}
