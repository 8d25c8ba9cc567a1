package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/argv"
	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
)

// TestGolden runs all calls of the specification whose command was run: what comes back for
// what the command has written.
func TestGolden(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../testdata/golden/argsbarg/calls.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID              int
		ProtocolVersion string
		Exec            *struct {
			Exit           int
			Stdout, Stderr string
		}
		Result json.RawMessage
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	run := 0
	for _, c := range cases {
		if c.Exec == nil {
			continue
		}
		run++
		f := connect(t, newCLI(), c.ProtocolVersion)
		words := []string{"out=" + c.Exec.Stdout, "err=" + c.Exec.Stderr, "exit=" + string(rune('0'+c.Exec.Exit))}
		expect(t, f.callGolden(words), string(c.Result))
	}
	if run < 40 {
		t.Errorf("only %d cases were run", run)
	}
}

// callGolden leaves out what the file leaves out.
func (f *fixture) callGolden(words []string) string {
	f.t.Helper()
	return strings.Replace(f.call(plain, words...), `,"_meta":{"io.modelcontextprotocol/serverInfo":{}}`, "", 1)
}

// isObjectWithA is the check of a schema.
func isObjectWithA(v jsoncheck.Value) jsoncheck.Fault {
	if !v.Is(jsoncheck.Object) {
		return v.Fault("must be object")
	}
	return v.Require("a")
}

// isText is the check of another one.
func isText(v jsoncheck.Value) jsoncheck.Fault {
	if !v.Is(jsoncheck.String) {
		return v.Fault("must be string")
	}
	return jsoncheck.Fault{}
}

// TestResults is section 8 of the specification.
func TestResults(t *testing.T) {
	t.Parallel()
	const mismatch = "Output does not match outputSchema: "
	object := &Leaf{Name: "object", Output: isObjectWithA}
	text := &Leaf{Name: "text", Output: isText, AnyOutput: true}
	structured := func(value string, texts ...string) string {
		return strings.Replace(succeeded(texts...), `"isError"`, `"structuredContent":`+value+`,"isError"`, 1)
	}
	binary := `{"type":"resource","resource":{"uri":"mcpgen://stdout/plain","mimeType":"application/octet-stream","blob":"`
	long := strings.Repeat("x", 65536)
	for _, tt := range []struct {
		name     string
		revision string
		leaf     *Leaf
		words    []string
		want     string
	}{
		{"nothing", latest, plain, nil, succeeded("")},
		{"both streams", latest, plain, []string{"out= o \n", "err=\n e\u00a0\n"}, succeeded(" o \n", "e")},
		{"colours stay", latest, plain, []string{"out=\x1b[1mb\x1b[0m"}, succeeded("\x1b[1mb\x1b[0m")},
		{"U+FEFF and U+0085", latest, plain, []string{"err=\ufeff\u0085\u2003"}, succeeded("", "\u0085")},
		{"stderr not UTF-8", latest, plain, []string{"err=a\xffb"}, succeeded("", "a\ufffdb")},
		{"stdout not UTF-8", latest, plain, []string{"out=\xff\n", "err=e"},
			`{"content":[` + binary + `/wo="}},{"type":"text","text":"e"}],"isError":false}`},
		{"stdout not UTF-8, failed", latest, plain, []string{"out=\xff", "exit=2"},
			`{"content":[{"type":"text","text":"Exit code 2"},` + binary + `/w=="}}],"isError":true}`},

		{"exit code", latest, plain, []string{"exit=7"}, failed("Exit code 7")},
		{"exit code, blank streams", latest, plain, []string{"out= \n", "err= \n", "exit=7"}, failed("Exit code 7")},
		{"signal", latest, plain, []string{"die=9"}, failed("Killed by signal SIGKILL")},
		{"another signal", latest, plain, []string{"die=15"}, failed("Killed by signal SIGTERM")},
		{"signal, and stderr", latest, plain, []string{"out=o", "err=e\n", "die=9"}, failed("e", "o")},
		{"JSON of a failure", latest, plain, []string{`out={"a":1}`, "exit=1"}, failed("Exit code 1", `{"a":1}`)},

		{"stderr at the limit", latest, plain, []string{"fillerr=65536"}, succeeded("", long)},
		{"stderr over the limit", latest, plain, []string{"fillerr=65537"}, succeeded("", long+"\n[truncated]")},
		{"stderr over the limit, failed", latest, plain, []string{"fillerr=70000", "exit=1"}, failed(long + "\n[truncated]")},
		{"stderr cut in a character", latest, plain, []string{"fillerr=65534", "err=\U0001F600"},
			succeeded("", long[:65534]+"\n[truncated]")},
		{"stderr before a character", latest, plain, []string{"fillerr=65532", "err=\U0001F600!"},
			succeeded("", long[:65532]+"\U0001F600\n[truncated]")},
		{"white space does not count", latest, plain, []string{"err=" + strings.Repeat(" ", 65536), "err=e"}, succeeded("", "e")},

		{"object, 2024-11-05", "2024-11-05", plain, []string{`out={"a":1}`}, succeeded(`{"a":1}`)},
		{"object, 2025-03-26", "2025-03-26", plain, []string{`out={"a":1}`}, succeeded(`{"a":1}`)},
		{"object, 2025-06-18", "2025-06-18", plain, []string{`out={"a":1}`}, structured(`{"a":1}`, `{"a":1}`)},
		{"last member, digits, white space", latest, plain, []string{"out=\n{\"a\" : 1,\n\"b\":[1.50, 1e400 ],\"a\":12345678901234567890}\n"},
			structured(`{"b":[1.50,1e400],"a":12345678901234567890}`, "\n{\"a\" : 1,\n\"b\":[1.50, 1e400 ],\"a\":12345678901234567890}\n")},
		{"NaN", latest, plain, []string{`out={"a":NaN}`}, succeeded(`{"a":NaN}`)},

		{"schema", latest, object, []string{`out={"a":1}`}, structured(`{"a":1}`, `{"a":1}`)},
		{"schema, not published", "2025-03-26", object, []string{"out=plain"}, succeeded("plain")},
		{"schema, violated", latest, object, []string{`out={"b":1}`, "err=e"}, failed(mismatch+"/a is required", `{"b":1}`, "e")},
		{"schema, another type", latest, object, []string{"out=[1]"}, failed(mismatch+"must be object", "[1]")},
		{"schema, no JSON", latest, object, []string{"out=plain"}, failed(mismatch+"no JSON on stdout", "plain")},
		{"schema, failed", latest, object, []string{"out=plain", "exit=1"}, failed("Exit code 1", "plain")},
		{"schema of a text, not published", latest, text, []string{`out={"b":1}`}, structured(`{"b":1}`, `{"b":1}`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, pipe := range []bool{false, true} {
				cli := newCLI()
				cli.Pipe = pipe
				got := connect(t, cli, tt.revision).call(tt.leaf, tt.words...)
				if got != tt.want {
					expect(t, got, tt.want)
				}
			}
		})
	}

	f := connect(t, newCLI(), "2026-07-28")
	for _, tt := range []struct {
		leaf       *Leaf
		out        string
		structured string
		fault      string
	}{
		{plain, "null\n", "null", ""},
		{plain, " [1, 2]", "[1,2]", ""},
		{plain, "true", "true", ""},
		{plain, "1\n2\n", "", ""},
		{text, `"x"`, `"x"`, ""},
		{text, "[]", "", mismatch + "must be string"},
		{text, "x", "", mismatch + "no JSON on stdout"},
	} {
		want := succeeded(tt.out)
		if tt.fault != "" {
			want = failed(tt.fault, tt.out)
		}
		want = `{"resultType":"complete",` + want[1:]
		if tt.structured != "" {
			want = strings.Replace(want, `"isError"`, `"structuredContent":`+tt.structured+`,"isError"`, 1)
		}
		if got := strings.Replace(f.call(tt.leaf, "out="+tt.out), `,"_meta":{"io.modelcontextprotocol/serverInfo":{}}`, "", 1); got != want {
			t.Errorf("%q: got %s, want %s", tt.out, got, want)
		}
	}
}

// TestSignalName names signals.
func TestSignalName(t *testing.T) {
	t.Parallel()
	for sig, want := range map[syscall.Signal]string{syscall.SIGSEGV: "SIGSEGV", syscall.SIGHUP: "SIGHUP", 40: "40"} {
		if got := signalName(sig); got != want {
			t.Errorf("signalName(%d) = %q, want %q", sig, got, want)
		}
	}
}

// FuzzDescribe describes anything that a program can write to standard error.
func FuzzDescribe(f *testing.F) {
	f.Add([]byte(" a\xff\n"), 0)
	f.Add([]byte("\U0001F600"), maxStderr-2)
	f.Fuzz(func(t *testing.T, b []byte, pad int) {
		b = append(bytes.Repeat([]byte("x"), min(max(pad, 0), 2*maxStderr)), b...)
		before := bytes.Clone(b)
		got := describe(b)
		if !bytes.Equal(b, before) {
			t.Error("it has changed what it was given")
		}
		trimmed := argv.Trim(string(b))
		switch {
		case !utf8.Valid(got):
			t.Errorf("%q is not UTF-8", got)
		case utf8.ValidString(trimmed) && len(trimmed) <= maxStderr && string(got) != trimmed:
			t.Errorf("got %q, want %q", got, trimmed)
		case utf8.ValidString(trimmed) && len(trimmed) > maxStderr:
			kept, ok := strings.CutSuffix(string(got), "\n[truncated]")
			if !ok || !strings.HasPrefix(trimmed, kept) || len(kept) > maxStderr || len(kept) <= maxStderr-utf8.UTFMax {
				t.Errorf("of %d bytes %d are kept", len(trimmed), len(kept))
			}
		}
	})
}

// TestTempFile tests what stands in where the kernel has no files in memory.
func TestTempFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	f, err := tempFile()
	if err != nil {
		t.Fatal(err)
	}
	c := fileCapture{f}
	if _, err := f.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	if got, err := c.read([]byte("some "), 100); string(got) != "some text" || c.size() != 4 || err != nil {
		t.Errorf("got %q of size %d, %v", got, c.size(), err)
	}
	c.close()
	if entries, err := os.ReadDir(dir); len(entries) > 0 || err != nil {
		t.Errorf("left: %v, %v", entries, err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	if _, err := tempFile(); err == nil || reason(err) != "temporary file: no such file or directory" {
		t.Errorf("without a folder: %v", err)
	}
}
