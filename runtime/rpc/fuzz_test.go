package rpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// names are the members that a server reads, by the object they are in: the message, its
// params, their _meta.
var names = [3]map[string]rpc.Member{
	{
		"jsonrpc": rpc.JSONRPC, "id": rpc.ID, "method": rpc.Method, "params": rpc.Params, "result": rpc.Result,
		"error": rpc.Error,
	},
	{
		"name": rpc.ParamName, "arguments": rpc.ParamArguments, "_meta": rpc.ParamMeta,
		"protocolVersion": rpc.ParamProtocolVersion, "cursor": rpc.ParamCursor, "requestId": rpc.ParamRequestID,
		"level": rpc.ParamLevel, "uri": rpc.ParamURI,
	},
	{
		"io.modelcontextprotocol/protocolVersion":    rpc.MetaVersion,
		"io.modelcontextprotocol/clientCapabilities": rpc.MetaCapabilities,
		"io.modelcontextprotocol/logLevel":           rpc.MetaLogLevel,
		"progressToken":                              rpc.MetaProgressToken,
	},
}

// An envelope is what encoding/json finds in a message.
type envelope struct {
	members map[rpc.Member]json.RawMessage // the last of each
	repeats []string                       // names of those that came more than once
}

// read notes the members of an object that is inside of depth others.
func (e *envelope) read(t *testing.T, text []byte, depth int) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token() // the brace
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
		name := key.(string)
		member, ok := names[depth][name]
		if !ok {
			continue
		}
		if (member == rpc.Params || member == rpc.ParamMeta) && value[0] == '{' {
			e.read(t, value, depth+1)
		}
		if e.members[member] != nil {
			e.repeats = append(e.repeats, name)
		}
		e.members[member] = value
	}
}

// halves finds escapes of surrogates: encoding/json repairs halves of pairs, we refuse them.
var halves = regexp.MustCompile(`(?i)\\ud[89a-f]`)

// FuzzEnvelope holds the scanner against encoding/json: the same lines are messages, with
// the same members at the same places, and the same ones are given twice.
func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{"x":[1]},"_meta":{"progressToken":"t"}}}`,
		`{"id":1,"id":2}`, `{"params":{"name":1},"params":{"name":2}}`, `{"params":{"_meta":{"progressToken":1,"progressToken":2}}}`,
		`{"ID":1,"Method":"x","\u0069d":7}`, `{"\u006dethod":"a\nb","params":[{"name":1}]}`, ` { "id" : "\u00e9\ud83d\ude00" } `,
		`{"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},` +
			`"io.modelcontextprotocol/logLevel":"info"},"protocolVersion":"1","cursor":null,"requestId":-1,"level":"x"}}`,
		`[{"id":1},2,[]]`, `{"id":1}x`, `{"result":{},"error":{"code":1}}`, `{"id":"` + "\xff" + `"}`, `{"id":1,"x":"` + "\xc3" + `"`, "null", "",
		`{"params":null,"params":{"_meta":[],"_meta":{}}}`, `{"\ud800":1}`, "\ufeff{}", `{"id":-}`, `{"id":01}`,
		`{"jsonrpc" :"2.0","id" :1,"idd":2,"method": "x","params":{"name": "a","arguments" : 1,"_meta":[]}}`, `{"jsonrpc":`, `{"id":`,
	} {
		f.Add([]byte(seed))
	}
	for _, name := range []string{"pure-envelope", "pure-protocol"} {
		text, err := os.ReadFile("../../testdata/golden/morloc/transcripts/" + name + ".transcript")
		if err != nil {
			f.Fatal(err)
		}
		for line := range bytes.SplitSeq(text, []byte{'\n'}) {
			if message, ok := bytes.CutPrefix(line, []byte("--> ")); ok {
				f.Add(message)
			}
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var m rpc.Message
		err := m.Scan(line)
		if errors.Is(err, jsonx.ErrUTF8) {
			if utf8.Valid(line) {
				t.Fatalf("%q is UTF-8", line)
			}
			line = rpc.Repair(line)
			if err = m.Scan(line); errors.Is(err, jsonx.ErrUTF8) {
				t.Fatalf("%q is repaired and still %v", line, err)
			}
		}
		if halves.Match(line) || bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{")) >= jsonx.MaxDepth {
			return // another rule than that of encoding/json
		}
		valid := utf8.Valid(line) && json.Valid(line)
		isObject := valid && bytes.TrimLeft(line, " \t\r\n")[0] == '{'
		switch {
		case errors.Is(err, rpc.ErrNotObject):
			if !valid || isObject {
				t.Fatalf("Scan(%q) = %v, encoding/json: valid %v", line, err, valid)
			}
			checkElements(t, line)
			return
		case (err == nil) != isObject:
			t.Fatalf("Scan(%q) = %v, encoding/json: an object %v", line, err, isObject)
		case err != nil:
			return
		}
		checkMembers(t, line, &m)
	})
}

// checkMembers compares the members that a scan has found.
func checkMembers(t *testing.T, line []byte, m *rpc.Message) {
	t.Helper()
	e := envelope{members: map[rpc.Member]json.RawMessage{}}
	e.read(t, line, 0)
	if name := m.Duplicate(); (name != nil) != (len(e.repeats) > 0) || name != nil && string(name) != e.repeats[0] {
		t.Fatalf("%q: Duplicate() = %q, want the first of %q", line, name, e.repeats)
	}
	for _, known := range names {
		for name, member := range known {
			raw := m.Raw(member)
			if !bytes.Equal(raw, e.members[member]) || (raw == nil) != (e.members[member] == nil) {
				t.Fatalf("%q: %s is %q, want %q", line, name, raw, e.members[member])
			}
			var want *string
			if raw != nil {
				_ = json.Unmarshal(raw, &want) // nil if it is null or no string
			}
			if text, ok := m.Text(member); ok != (want != nil && raw[0] == '"') || ok && string(text) != *want {
				t.Fatalf("%q: %s is the text %q, %v", line, name, text, ok)
			}
		}
	}
	if id := m.Raw(rpc.ID); id != nil {
		var want any
		_ = json.Unmarshal(id, &want)
		isNumber := slices.Contains([]byte("-0123456789"), id[0])
		_, isText := want.(string)
		if rpc.ValidID(id) != (isNumber || isText) {
			t.Fatalf("ValidID(%s) = %v", id, rpc.ValidID(id))
		}
	}
}

// checkElements compares the elements of an array.
func checkElements(t *testing.T, line []byte) {
	t.Helper()
	var got, want []string
	n := rpc.EachElement(line, func(element []byte) { got = append(got, string(element)) })
	var elements []json.RawMessage
	if bytes.TrimLeft(line, " \t\r\n")[0] != '[' {
		if n != -1 {
			t.Fatalf("%q has %d elements", line, n)
		}
		return
	}
	if err := json.Unmarshal(line, &elements); err != nil {
		t.Fatal(err)
	}
	for _, element := range elements {
		want = append(want, string(element))
	}
	if n != len(want) || !slices.Equal(got, want) {
		t.Fatalf("%q has the elements %q, %d of them; want %q", line, got, n, want)
	}
}
