package position

import (
	"encoding/json"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text          string
		id, tool, arguments string
		ok                  bool
	}{
		{"call", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"_1":1,"_2":2}}}`,
			"7", "add", `"_1":1,"_2":2`, true},
		{"meta", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"_1":"x"},"_meta":{}}}`,
			"7", "echo", `"_1":"x"`, true},
		{"handshake", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}`, "", "", "", false},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "", "", false},
		{"cut", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"_1":"x"`, "", "", "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			id, tool, arguments, ok := Find([]byte(test.text))
			if ok != test.ok || ok && (string(id) != test.id || string(tool) != test.tool || string(arguments) != test.arguments) {
				t.Errorf("Find = %q, %q, %q, %v, want %q, %q, %q, %v",
					id, tool, arguments, ok, test.id, test.tool, test.arguments, test.ok)
			}
		})
	}
}

func TestEscape(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", `"hello"`, `"a\\b\"c"`, `[1,2.5]`, `\`} {
		want, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := `"` + string(Escape(nil, []byte(text))) + `"`; got != string(want) {
			t.Errorf("Escape(%q) = %s, want %s", text, got, want)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	if got := string(Value([]byte(`"_1":[1,2]`))); got != "[1,2]" {
		t.Errorf("Value = %q", got)
	}
}
