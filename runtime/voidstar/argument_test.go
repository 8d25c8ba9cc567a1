package voidstar_test

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

func TestFindNUL(t *testing.T) {
	t.Parallel()
	const person = "m24names5where?m14tagsas"
	for _, tt := range []struct {
		name, schema, json string
		path               string
		at, size           int
		found              bool
	}{
		{"none", "s", `"abc"`, "", 0, 0, false},
		{"empty", "s", `""`, "", 0, 0, false},
		{"no strings", "t2i4ai8", `[0,[0]]`, "", 0, 0, false},
		{"whole", "s", `"ab\u0000c"`, "", 2, 4, true},
		{"bytes are UTF-8", "s", `"é\u0000"`, "", 2, 3, true},
		{"first of several", "as", `["a","b\u0000","\u0000"]`, "[1]", 1, 2, true},
		{"tuple", "t2i4s", `[0,"\u0000"]`, "[1]", 0, 1, true},
		{"record", person, `{"name":"\u0000","where":{"tags":["\u0000"]}}`, ".name", 0, 1, true},
		{"deep", "a" + person, `[{"name":"a","where":null},{"name":"a","where":{"tags":["a","b","\u0000"]}}]`, "[1].where.tags[2]", 0, 1, true},
		{"absent", "a?s", `[null,"\u0000"]`, "[1]", 0, 1, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var c packet.Call
			c.Reset(0)
			argument(t, &c, "i4", decodeJSON(t, "0"))
			argument(t, &c, tt.schema, decodeJSON(t, tt.json))
			if c.SawNUL() != tt.found {
				t.Errorf("SawNUL() = %t, want %t", c.SawNUL(), tt.found)
			}
			n := 0
			err := packet.EachArgument(c.Bytes(), func(i int, schema string, payload []byte) bool {
				n++
				path, at, size, ok := voidstar.FindNUL(schema, payload)
				if want := tt.found && i == 1; ok != want {
					t.Errorf("FindNUL of argument %d found %t, want %t", i, ok, want)
				}
				if ok && (path != tt.path || at != tt.at || size != tt.size) {
					t.Errorf("FindNUL = %q, %d, %d, want %q, %d, %d", path, at, size, tt.path, tt.at, tt.size)
				}
				return true
			})
			if err != nil || n != 2 {
				t.Errorf("EachArgument: %d arguments, %v", n, err)
			}
		})
	}
}

// The file that saving [4,5] as a list of j leaves behind, compared whole.
func TestSavedFile(t *testing.T) {
	t.Parallel()
	want, err := base64.StdEncoding.DecodeString("bfgHBwAAAAAAAAAAAAAEAAAAAAAgAAAANwAAAAAAAABtbWgBAwAAAGFqAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
		"AAIAAAAAAAAAEAAAAAAAAAABAAAAAAAAAAQAAAAAAAAAAQAAAAAAAAAFAAAAAAAAAAAAAAAAAAA=")
	if err != nil {
		t.Fatal(err)
	}
	var c packet.Call
	c.Reset(0)
	argument(t, &c, "aj", decodeJSON(t, "[4,5]"))
	before := bytes.Clone(c.Bytes())
	payload, err := voidstar.Fit("aj", c.Payload())
	if err != nil {
		t.Fatal(err)
	}
	got := packet.AppendData(nil, "aj", packet.FormatVoidstar, payload)
	if !bytes.Equal(got, want) {
		t.Errorf("saved\n%x, want\n%x", got, want)
	}
	if !bytes.Equal(c.Bytes(), before) {
		t.Error("Fit changed the call")
	}
	reply, err := packet.OpenFile(got)
	if err != nil {
		t.Fatal(err)
	}
	var r voidstar.Reader
	r.Reset(reply.Payload)
	checkValue(t, reply.Schema(), &r, "[4,5]")
}

// A payload may be longer than the estimate, by the padding of arguments.
func TestFitCuts(t *testing.T) {
	t.Parallel()
	var c packet.Call
	c.Reset(0)
	argument(t, &c, "s", "hi")
	if got, err := voidstar.Fit("s", c.Payload()); err != nil || len(got) != 18 || string(got[16:]) != "hi" {
		t.Errorf("Fit = %q, %v, want 18 bytes", got, err)
	}
	if _, err := voidstar.Fit("s", []byte("\x09\x00")); err != voidstar.ErrMalformed {
		t.Errorf("Fit of damaged bytes = %v, want %v", err, voidstar.ErrMalformed)
	}
}
