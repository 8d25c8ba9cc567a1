package sessions

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestFiles saves and loads files in one session, in a working directory of its own, and
// compares what has been written.
func TestFiles(t *testing.T) {
	t.Parallel()
	var f struct {
		Program     string
		Setup       map[string]string
		Directories []string
		Steps       []*goldenCall
		Written     map[string]string // in base64
	}
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(golden, "files.json"))), &f); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range f.Directories {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range f.Setup {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, serverOf(t, f.Program).binary, dir)
	s.handshake("2025-06-18")
	for i, c := range f.Steps {
		s.send(call(i, c.Command, string(c.Args)))
		ours := c.ours()
		ours.check(t, c, i, s.receive())
	}

	for name, text := range f.Written {
		want, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		got := []byte(readFile(t, filepath.Join(dir, name)))
		if name == "e.dat" {
			// Compressed: another encoder than upstream's gives other bytes, which are as
			// good. That ours can be loaded is among the steps, like that of z.dat; here
			// is that upstream's can be, and that the header, which is not compressed, is
			// the same but for the size of what follows.
			upstream := filepath.Join(dir, "upstream.dat")
			if err := os.WriteFile(upstream, want, 0o644); err != nil {
				t.Fatal(err)
			}
			n := len(f.Steps)
			s.ask(call(n, "takeInts", `{"_1":"upstream.dat"}`), result(n, `{"content":[{"type":"text","text":"[]"}],"isError":false}`))
			const sizeAt = 24
			got, want = got[:sizeAt], want[:sizeAt]
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s holds %q, want %q", name, got, want)
		}
	}
	checkCompressed(t, filepath.Join(dir, "z.dat"))
	s.end()
}

// checkCompressed checks that a file is a packet whose payload says that it is compressed.
func checkCompressed(t *testing.T, path string) {
	t.Helper()
	const at, zstd = 15, 1 // of the byte of a packet's header that says so
	if data := readFile(t, path); len(data) < 32 || data[at] != zstd {
		t.Errorf("%s is not compressed: %s", path, strconv.Quote(data))
	}
}
