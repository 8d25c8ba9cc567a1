package catalog

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzSubstitute fills values into arguments, and holds that against a scanner that looks at
// one byte after the other.
func FuzzSubstitute(f *testing.F) {
	for _, seed := range [][3]string{
		{"--key=${KEY} ${ENV:KEY:-x}", "KEY", "v"}, {"${OTHER}", "KEY", ""}, {"${KEY:-${KEY}}", "KEY", "$1"}, {"$${KEY}}", "KEY", ""}, {"${9A}${A:-", "A", "b"},
		{"${A:-a b}${A:}${ A}", "A", ""}, {"${ENV:ENV:A}${ENV}", "ENV", "e"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, arg, key, value string) {
		e := &Entry{Env: []Variable{{Key: "DECLARED"}}}
		got, err := e.Substitute([]string{arg}, map[string]string{key: value})
		want, ok := filled(arg, key, value)
		if got[0] != want || ok != (err == nil) {
			t.Fatalf("Substitute(%q) with %s=%q = %q, %v, want %q", arg, key, value, got, err, want)
		}
	})
}

// filled is Substitute for one variable that has a value and one that is declared; ok is false
// if others are named without a default.
func filled(arg, key, value string) (text string, ok bool) {
	ok = true
	var b strings.Builder
	for arg != "" {
		rest, found := strings.CutPrefix(arg, "${")
		inner, after, closed := strings.Cut(rest, "}")
		name, fallback, hasDefault := strings.Cut(strings.TrimPrefix(inner, "ENV:"), ":-")
		if !found || !closed || !isName(name) {
			b.WriteByte(arg[0])
			arg = arg[1:]
			continue
		}
		arg = after
		switch {
		case name == key && value != "":
			b.WriteString(value)
		case hasDefault:
			b.WriteString(fallback)
		case name != key && name != "DECLARED":
			ok = false
		}
	}
	return b.String(), ok
}

func isName(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
	return s != "" && strings.Contains(letters, s[:1]) && strings.Trim(s, letters+"0123456789") == ""
}

// FuzzArguments puts a folder into the arguments of a probe: they mean what they did, with its
// path in their texts, whatever characters it holds.
func FuzzArguments(f *testing.F) {
	f.Add(`{"path":"${SCRATCH}","list":["${SCRATCH}/x",1]}`, "/tmp/a")
	f.Add(`["${SCRATCH}"]`, `C:\a "b"`)
	f.Add(`{"${SCRATCH}":null}`, "\x01<é>\"")
	f.Fuzz(func(t *testing.T, args, folder string) {
		var before, after any
		if strings.Contains(args, `\`) || !utf8.ValidString(args+"|"+folder) || json.Unmarshal([]byte(args), &before) != nil {
			return // the mark may be written with escapes
		}
		p := Probe{Args: json.RawMessage(args)}
		got := p.Arguments(folder)
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%s with %q is %s: %v", args, folder, got, err)
		}
		if want := replaced(before, folder); !reflect.DeepEqual(after, want) {
			t.Fatalf("%s with %q is %s, want %q", args, folder, got, want)
		}
	})
}

// replaced puts a folder into all texts of a JSON value.
func replaced(v any, folder string) any {
	switch v := v.(type) {
	case string:
		return strings.ReplaceAll(v, "${SCRATCH}", folder)
	case []any:
		for i := range v {
			v[i] = replaced(v[i], folder)
		}
	case map[string]any:
		members := map[string]any{}
		for name, value := range v {
			members[strings.ReplaceAll(name, "${SCRATCH}", folder)] = replaced(value, folder)
		}
		return members
	}
	return v
}

// FuzzParse reads configurations that encoding/json has written of maps: what is in them is
// found, and what they say to the harness alone is read or refused.
func FuzzParse(f *testing.F) {
	f.Add("http", "npx", "-y", "API_KEY", "http://x", "add", `{"probe":null,"env":{"B":"c"},"backing":"postgres-mcp"}`, byte(0xff))
	f.Add("", "", "", "", "", "", `{"probe":{"tool":"t","args":[1]},"timeoutMs":5,"backing":{"image":"x","probe":{}}}`, byte(0))
	f.Add("stdio", "./run", "${A}", "A", "", "b", `{"seed":7}`, byte(5))
	f.Fuzz(func(t *testing.T, transport, command, arg, key, url, tool, own string, parts byte) {
		if !utf8.ValidString(strings.Join([]string{transport, command, arg, key, url, tool}, "|")) || !json.Valid([]byte(own)) {
			return
		}
		block := map[string]any{
			"command": command, "url": url, "verify": json.RawMessage(own),
			"env":      []any{map[string]any{"key": key, "required": parts&1 != 0, "secret": parts&2 != 0}},
			"manifest": map[string]any{"tools": []any{map[string]any{"name": tool}, map[string]any{}}},
		}
		want := Entry{Name: tool, HasMCP: true, Transport: "stdio", Command: command, URL: url}
		if parts&4 != 0 {
			block["transport"] = transport
			want.Transport = transport
		}
		if parts&8 != 0 {
			block["args"] = []string{arg, ""}
			want.Args, want.HasArgs = []string{arg, ""}, true
		}
		if key != "" {
			want.Env = []Variable{{key, parts&1 != 0, parts&2 != 0}}
		}
		if tool != "" {
			want.Declared = []string{tool}
		}
		text, err := json.Marshal(map[string]any{"name": tool, "mcp": block})
		if err != nil {
			t.Fatal(err)
		}
		e, err := parse(text)
		if wantErr := json.Unmarshal([]byte(own), new(Verify)); err != nil || wantErr != nil {
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: %v, want %v", text, err, wantErr)
			}
			return
		}
		got := *e
		got.Verify = Verify{}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s is %+v, want %+v", text, got, want)
		}
		for name, value := range e.Verify.Env {
			if v := e.Resolve(Sources{}); v.Of[name] != value {
				t.Fatalf("%s: %s has the value %q", text, name, v.Of[name])
			}
		}
		if _, err := e.Backing(); err != nil && !strings.HasPrefix(err.Error(), "verify.backing: ") {
			t.Fatal(err)
		}
		if p := e.Probe(); p != nil && !json.Valid(p.Arguments("/scratch")) {
			t.Fatalf("%s: the arguments of the probe are %s", text, p.Args)
		}
	})
}
