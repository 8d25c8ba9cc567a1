package schema_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestTextsOfPackets holds the texts of types against the schemas in recorded packets: that
// of each argument in its call, that of the result in its reply.
func TestTextsOfPackets(t *testing.T) {
	t.Parallel()
	var live struct {
		Entries []struct {
			Name         string
			ArgSchemas   []string `json:"arg_schemas"`
			ReturnSchema string   `json:"return_schema"`
			Call         string   `json:"call_hex"`
			Reply        string   `json:"reply_hex"`
			Fail         string
		}
	}
	readJSON(t, "../../testdata/golden/packets-live.json", &live)
	for _, e := range live.Entries {
		var want []string
		for _, text := range e.ArgSchemas {
			want = append(want, parse(t, text).Text)
		}
		if got := packetSchemas(t, e.Call); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: arguments %q, the packet has %q", e.Name, want, got)
		}
		if e.Fail == "" {
			got := packetSchemas(t, e.Reply)
			if want := parse(t, e.ReturnSchema).Text; len(got) != 1 || got[0] != want {
				t.Errorf("%s: result %q, the packet has %q", e.Name, want, got)
			}
		}
	}
	var computed struct {
		Packets []struct{ Name, Schema, Hex string }
	}
	readJSON(t, "../../testdata/golden/packets.json", &computed)
	for _, e := range computed.Packets {
		got := packetSchemas(t, e.Hex)
		if want := parse(t, e.Schema).Text; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, the packet has %q", e.Name, want, got)
		}
	}
	if len(live.Entries) != 136 || len(computed.Packets) == 0 {
		t.Errorf("%d live and %d computed packets", len(live.Entries), len(computed.Packets))
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

// packetSchemas collects the schemas in a packet and, if it is a call, in those inside.
func packetSchemas(t *testing.T, text string) []string {
	t.Helper()
	packet, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	const header, isCall = 32, 1
	command := packet[12]
	if command != isCall {
		return metadataSchemas(packet[header:][:binary.LittleEndian.Uint32(packet[20:])])
	}
	var list []string
	rest := packet[header+binary.LittleEndian.Uint32(packet[20:]):]
	for len(rest) >= header {
		meta := binary.LittleEndian.Uint32(rest[20:])
		list = append(list, metadataSchemas(rest[header:][:meta])...)
		rest = rest[header+uint64(meta)+binary.LittleEndian.Uint64(rest[24:]):]
	}
	return list
}

// metadataSchemas collects the schemas in a block of metadata.
func metadataSchemas(block []byte) []string {
	const isSchema = 1
	var list []string
	for len(block) >= 8 && string(block[:3]) == "mmh" {
		size := binary.LittleEndian.Uint32(block[4:])
		if block[3] == isSchema {
			list = append(list, strings.TrimRight(string(block[8:8+size]), "\x00"))
		}
		block = block[8+size:]
	}
	return list
}
