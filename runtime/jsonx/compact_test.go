package jsonx_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// FuzzCompact holds AppendCompact against encoding/json.
func FuzzCompact(f *testing.F) {
	for _, seed := range []string{
		`{"a" : [1 , 2.50, -0e1 ] , "a":"x y\" \\" }`, ` "\\" `, "[\n\t]", `{"\" ":" \" "}`, "12345678901234567890",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			t.Skip()
		}
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := jsonx.AppendCompact([]byte("x"), []byte(text)); string(got) != "x"+want.String() {
			t.Errorf("AppendCompact(%q) = %q, want %q", text, got[1:], want.String())
		}
	})
}
