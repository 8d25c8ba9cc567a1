package voidstar_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/runtime/msgpack"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

const goldenDir = "../../testdata/golden/"

type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// A computed packet, by hand from the specification.
type computed struct {
	Name, Schema, JSON, Encoding, Form string
	Hex                                hexBytes
}

// A recorded exchange with a live pool.
type recorded struct {
	Name         string
	MID          uint32
	ArgSchemas   []string `json:"arg_schemas"`
	ReturnSchema string   `json:"return_schema"`
	Args         string
	CallHex      hexBytes `json:"call_hex"`
	ReplyForm    string   `json:"reply_form"`
	ReplyHex     hexBytes `json:"reply_hex"`
	FileHex      hexBytes `json:"file_hex"`
	Result, Fail *string
	SHM          struct {
		Volume       int
		HeaderOffset int `json:"header_offset"`
		Hex          hexBytes
	}
}

func load(t testing.TB, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(goldenDir + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func computedPackets(t testing.TB) []computed {
	t.Helper()
	var file struct{ Packets []computed }
	load(t, "packets.json", &file)
	if len(file.Packets) != 92 {
		t.Fatalf("packets.json has %d packets, want 92", len(file.Packets))
	}
	return file.Packets
}

func recordedCalls(t testing.TB) []recorded {
	t.Helper()
	var file struct{ Entries []recorded }
	load(t, "packets-live.json", &file)
	if len(file.Entries) != 136 {
		t.Fatalf("packets-live.json has %d entries, want 136", len(file.Entries))
	}
	return file.Entries
}

// checkValue renders the value of r in both ways and compares it with JSON text.
func checkValue(t *testing.T, schema string, r *voidstar.Reader, want string) {
	t.Helper()
	s := mustParse(t, schema)
	wanted := decodeJSON(t, want)
	if diff := cmp.Diff(wanted, value(s)(r, r.Root())); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	text := appender(s)(r, nil, r.Root())
	if r.Bad() {
		t.Fatal("reader is bad")
	}
	if diff := cmp.Diff(wanted, normal(s, decodeJSON(t, string(text)))); diff != "" {
		t.Errorf("text %s (-want +got):\n%s", text, diff)
	}
	if !json.Valid(text) || bytes.ContainsAny(text, "\n") || strings.Contains(string(text), `\/`) {
		t.Errorf("text %s is not plain JSON", text)
	}
}

// payloadOf returns the voidstar payload of an opened packet.
func payloadOf(t *testing.T, reply packet.Reply, schema string) []byte {
	t.Helper()
	if reply.Format != packet.FormatMsgpack {
		return reply.Payload
	}
	payload, err := msgpack.ToVoidstar(schema, reply.Payload)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

func TestComputedPackets(t *testing.T) {
	t.Parallel()
	for _, p := range computedPackets(t) {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			reply, err := packet.Open(p.Hex)
			if err != nil {
				t.Fatal(err)
			}
			if got := reply.Schema(); got != p.Schema {
				t.Errorf("Schema() = %q, want %q", got, p.Schema)
			}
			payload := payloadOf(t, reply, p.Schema)
			var r voidstar.Reader
			r.Reset(payload)
			checkValue(t, p.Schema, &r, p.JSON)

			switch {
			case p.Form == "client":
				var c packet.Call
				c.Reset(0)
				argument(t, &c, p.Schema, decodeJSON(t, p.JSON))
				if got := c.Bytes()[packet.HeaderSize:]; !bytes.Equal(got, p.Hex) {
					t.Errorf("encoded\n%x, want\n%x", got, []byte(p.Hex))
				}
			case p.Encoding == "voidstar":
				checkEstimate(t, p.Schema, payload)
			default:
				got, err := msgpack.FromVoidstar(p.Schema, payload)
				if err != nil || !bytes.Equal(got, reply.Payload) {
					t.Errorf("FromVoidstar = %x, %v, want %x", got, err, reply.Payload)
				}
			}
		})
	}
}

// checkEstimate checks that a pool's payload is as long as it was estimated to be.
func checkEstimate(t *testing.T, schema string, payload []byte) {
	t.Helper()
	if n, err := voidstar.Estimate(schema, payload); err != nil || n != len(payload) {
		t.Errorf("Estimate = %d, %v, want %d", n, err, len(payload))
	}
}

func TestRecordedCalls(t *testing.T) {
	t.Parallel()
	for _, e := range recordedCalls(t) {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			var c packet.Call
			c.Reset(e.MID)
			for i, arg := range decodeJSON(t, e.Args).([]any) {
				argument(t, &c, withoutHints(e.ArgSchemas[i]), arg)
			}
			if got := c.Bytes(); !bytes.Equal(got, e.CallHex) {
				t.Errorf("call\n%x, want\n%x", got, []byte(e.CallHex))
			}
			checkReply(t, e)
		})
	}
}

func checkReply(t *testing.T, e recorded) {
	if n, err := packet.Total(e.ReplyHex, 1<<30); err != nil || n != uint64(len(e.ReplyHex)) {
		t.Errorf("Total = %d, %v, want %d", n, err, len(e.ReplyHex))
	}
	reply, err := packet.Open(e.ReplyHex)
	if e.Fail != nil {
		if failure, ok := errors.AsType[packet.Failure](err); !ok || string(failure) != *e.Fail {
			t.Errorf("Open = %v, want the failure %q", err, *e.Fail)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var r voidstar.Reader
	switch reply.Source {
	case packet.SourceRelptr:
		memory := make([]byte, e.SHM.HeaderOffset+len(e.SHM.Hex))
		copy(memory[e.SHM.HeaderOffset:], e.SHM.Hex)
		root, err := reply.Address()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.ResetShared(root, volumes{e.SHM.Volume: memory}.region); err != nil {
			t.Fatal(err)
		}
	case packet.SourceFile:
		if _, err := reply.Path(); err != nil {
			t.Error(err)
		}
		file, err := packet.OpenFile(e.FileHex)
		if err != nil {
			t.Fatal(err)
		}
		r.Reset(file.Payload)
	default:
		checkEstimate(t, e.ReturnSchema, reply.Payload)
		r.Reset(reply.Payload)
	}
	checkValue(t, e.ReturnSchema, &r, *e.Result)
}

// volumes are the data regions of shared memory, by index.
type volumes map[int][]byte

func (v volumes) region(index int) []byte { return v[index] }
