package pure_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/pure"
)

func TestErrors(t *testing.T) {
	t.Parallel()
	plain := errors.New("plain")
	tests := []struct {
		name string
		err  error
		text string
		user bool
	}{
		{"thrown", pure.Throw("boom"), "boom", true},
		{"empty", pure.Throw(""), "", true},
		{"NUL", pure.Throw("a\x00b"), "a?b", true},
		{"not UTF-8", pure.Throw("a\xffb"), "a\uFFFDb", true},
		{"made a user error", pure.User(plain), "plain", true},
		{"wrapped", fmt.Errorf("more: %w", pure.Throw("boom")), "more: boom", true},
		{"wrapped and made a user error", pure.User(fmt.Errorf("more: %w", pure.Throw("boom"))), "more: boom", true},
		{"internal", plain, "plain", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.err.Error(); got != tt.text {
				t.Errorf("text = %q, want %q", got, tt.text)
			}
			if got := pure.IsUser(tt.err); got != tt.user {
				t.Errorf("IsUser = %v, want %v", got, tt.user)
			}
		})
	}
	if pure.User(nil) != nil || pure.IsUser(nil) {
		t.Error("nil becomes an error")
	}
	if !errors.Is(pure.User(fs.ErrNotExist), fs.ErrNotExist) {
		t.Error("User hides the cause")
	}
}
