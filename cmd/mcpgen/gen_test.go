package main

import "testing"

func TestShellWord(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ path, want string }{
		{"calc-mcp", "calc-mcp"},
		{"../a/b_c.d", "../a/b_c.d"},
		{"a b", "'a b'"},
		{"it's", `'it'\''s'`},
		{"-x", "./-x"},
		{"-x y", "'./-x y'"},
	} {
		if got := shellWord(tt.path); got != tt.want {
			t.Errorf("shellWord(%q) = %s, want %s", tt.path, got, tt.want)
		}
	}
}
