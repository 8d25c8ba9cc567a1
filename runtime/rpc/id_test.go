package rpc_test

import (
	"testing"

	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// TestSameID compares ids that requests have with those that notifications name.
func TestSameID(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`1`, `1`, true},
		{`1`, `2`, false},
		{`1`, `"1"`, false},
		{`"a"`, `"a"`, true},
		{`"é/"`, `"\u00e9\/"`, true},
		{`"\u00E9"`, `"\u00e9"`, true},
		{`"\ud83d\ude00"`, `"😀"`, true},
		{`"\n"`, `"\\n"`, false},
		{`"a"`, `"\u0061b"`, false},
		{`"\u0031"`, `1`, false},
		{`"x"`, `{"\n":1}`, false},
		{`"\u007b"`, `{}`, false},
		{`""`, `null`, false},
	} {
		if got, back := rpc.SameID([]byte(tt.a), []byte(tt.b)), rpc.SameID([]byte(tt.b), []byte(tt.a)); got != tt.want || back != tt.want {
			t.Errorf("SameID(%s, %s) = %v, and the other way %v, want %v", tt.a, tt.b, got, back, tt.want)
		}
	}
}
