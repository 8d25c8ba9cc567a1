package pure_test

import (
	"testing"

	"github.com/mcpgen/mcpgen/runtime/pure"
)

func TestJoin(t *testing.T) {
	t.Parallel()
	if got := pure.Join([]byte("a"), []string{"b", "", "c"}); string(got) != "abc" {
		t.Errorf("Join of texts = %q, want abc", got)
	}
	if got := pure.Join(nil, [][]byte{{0xFF}, nil, {0}}); string(got) != "\xff\x00" {
		t.Errorf("Join of bytes = %q, want ff00", got)
	}
}
