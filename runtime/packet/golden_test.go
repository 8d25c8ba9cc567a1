package packet

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"testing"
)

const goldenDir = "../../testdata/golden/"

type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text))
	return err
}

// An exchange is one of the packets, or pairs of packets, that are not values.
type exchange struct {
	Name, Kind, Message, Source, Format, Schema, Path string
	MID                                               uint32
	Args                                              []string
	Entrypoint, Volume, Offset                        int
	Hex                                               hexBytes
	SendHex                                           hexBytes `json:"send_hex"`
	ReplyHex                                          hexBytes `json:"reply_hex"`
	Fail                                              *string
}

type golden struct {
	Packets []struct {
		Name, Schema, Encoding string
		Hex                    hexBytes
	}
	Control []exchange
	Entries []struct {
		CallHex    hexBytes `json:"call_hex"`
		ReplyHex   hexBytes `json:"reply_hex"`
		FileHex    hexBytes `json:"file_hex"`
		ArgSchemas []string `json:"arg_schemas"`
	}
}

func load(t testing.TB, name string) (g golden) {
	t.Helper()
	text, err := os.ReadFile(goldenDir + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestComputedControl(t *testing.T) {
	t.Parallel()
	g := load(t, "packets.json")
	values := map[string][]byte{}
	for _, p := range g.Packets {
		values[p.Name] = p.Hex
	}
	if len(g.Control) != 12 {
		t.Fatalf("%d packets, want 12", len(g.Control))
	}
	for _, e := range g.Control {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			switch e.Kind {
			case "ping":
				if string(e.Hex) != Ping {
					t.Errorf("Ping = %x, want %x", Ping, []byte(e.Hex))
				}
			case "call":
				checkCall(t, e, values)
			case "fail":
				if _, err := Open(e.Hex); err != Failure(e.Message) {
					t.Errorf("Open = %v, want the failure %q", err, e.Message)
				}
				if got := AppendFailure(nil, e.Message); !bytes.Equal(got, e.Hex) {
					t.Errorf("AppendFailure = %x, want %x", got, []byte(e.Hex))
				}
			default:
				checkReference(t, e)
			}
		})
	}
}

func checkCall(t *testing.T, e exchange, values map[string][]byte) {
	h, err := ParseHeader(e.Hex)
	want := Header{Type: TypeCall, Remote: e.Entrypoint == 1, MID: e.MID, Length: uint64(len(e.Hex) - HeaderSize)}
	if err != nil || h != want {
		t.Errorf("ParseHeader = %+v, %v, want %+v", h, err, want)
	}
	n := 0
	err = EachArgument(e.Hex, func(i int, schema string, payload []byte) bool {
		n++
		reply, err := Open(values[e.Args[i]])
		if err != nil || schema != reply.Schema() || !bytes.Equal(payload, reply.Payload) {
			t.Errorf("argument %d is %s %x, want %s", i, schema, payload, e.Args[i])
		}
		return true
	})
	if err != nil || n != len(e.Args) {
		t.Errorf("%d arguments, %v, want %d", n, err, len(e.Args))
	}
}

// checkReference checks a packet whose value is elsewhere.
func checkReference(t *testing.T, e exchange) {
	reply, err := Open(e.Hex)
	if e.Format == "arrow" {
		if want := "packet error: Unsupported packet source/format: 0x02/0x05"; err == nil || err.Error() != want {
			t.Errorf("Open = %v, want %s", err, want)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := reply.Schema(); got != e.Schema {
		t.Errorf("Schema() = %q, want %q", got, e.Schema)
	}
	if e.Path != "" {
		if got, err := reply.Path(); got != e.Path || err != nil {
			t.Errorf("Path() = %q, %v, want %q", got, err, e.Path)
		}
		return
	}
	if got, err := reply.Address(); got != e.Volume<<48|e.Offset || err != nil {
		t.Errorf("Address() = %#x, %v, want %#x in volume %d", got, err, e.Offset, e.Volume)
	}
}

func TestComputedValues(t *testing.T) {
	t.Parallel()
	for _, p := range load(t, "packets.json").Packets {
		reply, err := Open(p.Hex)
		if err != nil {
			t.Errorf("%s: %v", p.Name, err)
			continue
		}
		if got := AppendData(nil, p.Schema, reply.Format, reply.Payload); !bytes.Equal(got, p.Hex) {
			t.Errorf("%s: AppendData = %x, want %x", p.Name, got, []byte(p.Hex))
		}
	}
}

func TestRecordedControl(t *testing.T) {
	t.Parallel()
	g := load(t, "packets-live.json")
	if len(g.Control) != 30 {
		t.Fatalf("%d exchanges, want 30", len(g.Control))
	}
	for _, e := range g.Control {
		if _, err := ParseHeader(e.SendHex); err != nil && e.Name != "wrong magic" {
			t.Errorf("%s: sent %v", e.Name, err)
		}
		_, err := Open(e.ReplyHex)
		switch failure, ok := errors.AsType[Failure](err); {
		case e.Fail != nil:
			if !ok || string(failure) != *e.Fail {
				t.Errorf("%s: Open = %v, want the failure %q", e.Name, err, *e.Fail)
			}
		case string(e.ReplyHex) == Ping:
			if err != ErrMalformed {
				t.Errorf("%s: Open of a ping = %v, want %v", e.Name, err, ErrMalformed)
			}
		case err != nil:
			t.Errorf("%s: Open = %v", e.Name, err)
		}
	}
	for _, e := range g.Entries {
		n := 0
		err := EachArgument(e.CallHex, func(int, string, []byte) bool { n++; return true })
		if err != nil || n != len(e.ArgSchemas) {
			t.Errorf("%x: %d arguments, %v, want %d", []byte(e.CallHex), n, err, len(e.ArgSchemas))
		}
		if e.FileHex != nil {
			if _, err := OpenFile(e.FileHex); err != nil {
				t.Errorf("OpenFile = %v", err)
			}
		}
	}
}
