//go:build unix

package molecules

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// recordedCall is one exchange with a pool that the Morloc compiler generated.
type recordedCall struct {
	Name      string `json:"name"`
	Program   string `json:"program"`
	MID       uint32 `json:"mid"`
	CallHex   string `json:"call_hex"`
	ReplyForm string `json:"reply_form"`
	ReplyHex  string `json:"reply_hex"`
	Fail      string `json:"fail"`
}

// recordedCalls returns the recorded calls of program smiles.
func recordedCalls(t *testing.T) []recordedCall {
	t.Helper()
	var file struct {
		Entries []recordedCall `json:"entries"`
	}
	readJSON(t, "../../testdata/golden/packets-live.json", &file)
	var calls []recordedCall
	for _, call := range file.Entries {
		if call.Program == "smiles" {
			calls = append(calls, call)
		}
	}
	return calls
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// checkCall replays one recorded call. The replies must be equal to the last byte, the zeros that
// pools leave behind a value included.
func checkCall(t *testing.T, p *process, call recordedCall) {
	t.Helper()
	reply, err := exchange(p.socket, unhex(call.CallHex))
	if err != nil {
		t.Fatalf("%s: %v", call.Name, err)
	}
	if want := unhex(call.ReplyHex); !bytes.Equal(reply, want) {
		t.Errorf("%s: got\n%x, want\n%x", call.Name, reply, want)
	}
}

func TestRecordedCalls(t *testing.T) {
	t.Parallel()
	p := startPool(t)
	forms := map[string]int{}
	mids := map[uint32]bool{}
	for _, call := range recordedCalls(t) {
		checkCall(t, p, call)
		if call.ReplyForm == "FAIL" {
			if text, ok := failureText(unhex(call.ReplyHex)); !ok || text != call.Fail {
				t.Errorf("%s: recorded failure reads %q, want %q", call.Name, text, call.Fail)
			}
		}
		forms[call.ReplyForm]++
		mids[call.MID] = true
	}
	if forms["MESG+VOIDSTAR"] == 0 || forms["FAIL"] == 0 || len(mids) != 5 {
		t.Errorf("replayed %v of %d commands, want results, failures and 5 commands", forms, len(mids))
	}
}

// TestFailures has the failures that a recorded MCP session of the program shows.
func TestFailures(t *testing.T) {
	t.Parallel()
	p := startPool(t)
	for _, test := range []struct {
		mid      uint32
		argument []byte
		want     string
	}{
		{1, stringValue("Xx"), "unknown atom 'X' at 0 in 'Xx'\n  at mw [py] (mid=1, smiles.loc:2:16)"},
		{1, stringValue("C("), "unclosed branch or ring in 'C('\n  at mw [py] (mid=1, smiles.loc:2:16)"},
		{2, stringValue("c"), "unknown atom 'c' at 0 in 'c'\n  at formula [py] (mid=2, smiles.loc:2:20)"},
		{3, stringValue("[Na+]"),
			"unknown atom '[' at 0 in '[Na+]'\n  at describe [py] (mid=3, smiles.loc:2:29)"},
		{4, stringList(`C"`, ""),
			"unknown atom '\"' at 1 in 'C\"'\n  at heaviest [py] (mid=4, smiles.loc:2:39)"},
		{5, stringList("C", "("),
			"unclosed branch or ring in '('\n  at parseAll [py] (mid=5, smiles.loc:2:49)"},
	} {
		reply, err := exchange(p.socket, callPacket(test.mid, test.argument))
		if text, ok := failureText(reply); err != nil || !ok || text != test.want {
			t.Errorf("mid %d: got %q, %v, want failure %q", test.mid, reply, err, test.want)
		}
	}
}

// TestManifestCommands calls each command of the manifest with one argument too many: the answer
// shows that the pool has the command's number, name and count of arguments right.
func TestManifestCommands(t *testing.T) {
	t.Parallel()
	var manifest struct {
		Pools []struct {
			Exec []string `json:"exec"`
		} `json:"pools"`
		Commands []struct {
			Name string            `json:"name"`
			MID  uint32            `json:"mid"`
			Args []json.RawMessage `json:"args"`
		} `json:"commands"`
	}
	readJSON(t, "smiles-build/manifest.json", &manifest)
	if got := "smiles-build/" + manifest.Pools[0].Exec[1]; got != poolFile {
		t.Errorf("the manifest starts %q, want %q", got, poolFile)
	}
	p := startPool(t)
	for _, command := range manifest.Commands {
		if len(command.Args) != 1 {
			t.Fatalf("%s: %d arguments, want 1", command.Name, len(command.Args))
		}
		reply, err := exchange(p.socket, callPacket(command.MID, stringValue("C"), stringValue("C")))
		want := command.Name + ": want 1 arguments, got 2"
		if text, ok := failureText(reply); err != nil || !ok || text != want {
			t.Errorf("%s: got %q, %v, want failure %q", command.Name, reply, err, want)
		}
	}
}

// TestLooseArguments sends arguments that differ from ours in what the protocol leaves free.
func TestLooseArguments(t *testing.T) {
	t.Parallel()
	p := startPool(t)
	calls := recordedCalls(t)
	mw, formula := calls[0], calls[2] // mw("CCO"), formula("")
	ethanol := append(words(3, 16), "CCO"...)
	metadata := append([]byte("mmh\x01\x03\x00\x00\x00f8\x00"), make([]byte, 21)...)
	for _, test := range []struct {
		name     string
		argument []byte
		same     recordedCall
	}{
		{"no padding", argument(ethanol), mw},
		{"many zeros", argument(append(bytes.Clone(ethanol), make([]byte, 1000)...)), mw},
		{"gap before bytes", argument(append(words(3, 32, 0, 0), "CCO"...)), mw},
		{"wrong metadata", packet([8]byte{2: 4}, metadata, ethanol), mw},
		{"empty at no place", argument(words(0, 1<<64-1)), formula},
		{"empty beyond the end", argument(words(0, 1000)), formula},
	} {
		reply, err := exchange(p.socket, callPacket(test.same.MID, test.argument))
		if want := unhex(test.same.ReplyHex); err != nil || !bytes.Equal(reply, want) {
			t.Errorf("%s: got %x, %v, want %x", test.name, reply, err, want)
		}
	}
}

// TestLargeResult returns twice what the buffer of a socket holds (about 219,000 bytes).
func TestLargeResult(t *testing.T) {
	t.Parallel()
	p := startPool(t)
	molecule := strings.Repeat("C", 500_000)
	reply, err := exchange(p.socket, callPacket(4, stringList(molecule, "C")))
	if err != nil {
		t.Fatal(err)
	}
	metadata := append([]byte("mmh\x01\x03\x00\x00\x00?s\x00"), make([]byte, 21)...)
	payload := append(words(8, uint64(len(molecule)), 24), molecule...)
	payload = append(payload, make([]byte, 7)...) // spec: pool-protocol 4.7
	if want := packet([8]byte{2: 4}, metadata, payload); !bytes.Equal(reply, want) {
		t.Errorf("got %d bytes, want %d, or they differ", len(reply), len(want))
	}
}

// TestBadInput sends one bad request after the other; a good call must work after each.
func TestBadInput(t *testing.T) {
	t.Parallel()
	p := startPool(t)
	good := recordedCalls(t)[0]
	call := unhex(good.CallHex)
	const atMW = "\n  at mw [py] (mid=1, smiles.loc:2:16)"
	const notInPayload = " are not in the payload" + atMW
	bad := func(at int, value byte) []byte {
		b := bytes.Clone(call)
		b[at] = value
		return b
	}
	length := func(n uint64) []byte {
		return binary.LittleEndian.AppendUint64(bytes.Clone(call[:24]), n)
	}
	form := func(command [8]byte, payload string) []byte {
		return callPacket(1, packet(command, nil, []byte(payload)))
	}
	for _, test := range []struct {
		name    string
		request []byte
		want    string // text of the failure; "" if the pool closes without an answer
	}{
		{"nothing", nil, ""},
		{"half a header", call[:16], ""},
		{"header only", call[:32], ""},
		{"half a packet", call[:len(call)-4], ""},
		{"text", bytes.Repeat([]byte("GET / HTTP/1.1\r\n"), 8), "packet error: Malformed morloc packet"},
		{"wrong magic", bad(0, 0), "packet error: Malformed morloc packet"},
		{"length 2^40", length(1 << 40),
			"packet error: 1099511627776 bytes announced, at most 1073741824 taken"},
		{"length 2^64-1", length(1<<64 - 1),
			"packet error: 18446744073709551615 bytes announced, at most 1073741824 taken"},
		{"data packet", call[32:], "Expected a ping or call type packet"},
		{"unknown type", bad(12, 7), "Expected a ping or call type packet"},
		{"remote call", bad(13, 1), "1"},
		{"unknown mid", callPacket(99999, stringValue("C")), "99999"},
		{"mid 0", callPacket(0, stringValue("C")), "0"},
		{"no argument", callPacket(1), "mw: want 1 arguments, got 0"},
		{"two arguments", callPacket(1, stringValue("C"), stringValue("C")),
			"mw: want 1 arguments, got 2"},
		{"call as argument", callPacket(1, callPacket(1)),
			"packet error: Argument #0 is not a DATA packet (type=1)"},
		{"ping as second argument", callPacket(1, stringValue("C"), pingPacket),
			"packet error: Argument #1 is not a DATA packet (type=2)"},
		{"junk as argument", callPacket(1, make([]byte, 32)), "packet error: Malformed morloc packet"},
		{"short argument header", callPacket(1, stringValue("C")[:20]),
			"packet error: Malformed morloc packet"},
		{"short argument", callPacket(1, stringValue("C")[:40]),
			"packet error: Argument #0 is cut short"},
		{"JSON", form([8]byte{}, `"CCO"`),
			"packet error: Unsupported packet source/format/compression: 0x00/0x00/0x00" + atMW},
		{"msgpack", form([8]byte{2: 1}, "\xa1C"),
			"packet error: Unsupported packet source/format/compression: 0x00/0x01/0x00" + atMW},
		{"file", form([8]byte{1: 1, 2: 3}, "/etc/passwd"),
			"packet error: Unsupported packet source/format/compression: 0x01/0x03/0x00" + atMW},
		{"shared memory", form([8]byte{1: 2, 2: 4}, "\x10\x00\x00\x00\x00\x00\x00\x00"),
			"packet error: Unsupported packet source/format/compression: 0x02/0x04/0x00" + atMW},
		{"compressed", form([8]byte{2: 4, 3: 1}, "?"),
			"packet error: Unsupported packet source/format/compression: 0x00/0x04/0x01" + atMW},
		{"failed argument", form([8]byte{2: 2, 5: 1}, "broken"), "packet error: \nbroken" + atMW},
		{"empty payload", callPacket(1, argument(nil)),
			"packet error: 1 x 16 bytes at 0" + notInPayload},
		{"long string", callPacket(1, argument(words(9, 16, 0))),
			"packet error: 9 x 1 bytes at 16" + notInPayload},
		{"endless string", callPacket(1, argument(words(1<<63-1, 16, 0))),
			"packet error: 9223372036854775807 x 1 bytes at 16" + notInPayload},
		{"negative length", callPacket(1, argument(words(1<<64-5, 16, 0))),
			"packet error: -5 x 1 bytes at 16" + notInPayload},
		{"negative relptr", callPacket(1, argument(words(1, 1<<64-8, 0))),
			"packet error: 1 x 1 bytes at -8" + notInPayload},
		{"not UTF-8", callPacket(1, stringValue("C\xff")),
			"'utf-8' codec can't decode byte 0xff in position 1: invalid start byte" + atMW},
		{"endless list", callPacket(4, argument(words(1<<60, 16, 0, 0))),
			"packet error: 1152921504606846976 x 16 bytes at 16 are not in the payload" +
				"\n  at heaviest [py] (mid=4, smiles.loc:2:39)"},
		{"bad string in a list", callPacket(4, argument(words(1, 16, 1, 99))),
			"packet error: 1 x 1 bytes at 99 are not in the payload" +
				"\n  at heaviest [py] (mid=4, smiles.loc:2:39)"},
	} {
		reply, err := exchange(p.socket, test.request)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		} else if text, ok := failureText(reply); text != test.want || ok != (test.want != "") {
			t.Errorf("%s: got %q, want failure %q", test.name, reply, test.want)
		}
		checkCall(t, p, good)
	}
}
