package files_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/files"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

func TestSaveFails(t *testing.T) {
	t.Parallel()
	onLinux(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), []byte("old"))
	for path, want := range map[string]string{
		"":                                   "IO error: No such file or directory (os error 2)",
		dir:                                  "IO error: Is a directory (os error 21)",
		dir + "/":                            "IO error: Is a directory (os error 21)",
		dir + "/missing/":                    "IO error: No such file or directory (os error 2)",
		dir + "/missing/x":                   "IO error: No such file or directory (os error 2)",
		dir + "/file/x":                      "IO error: Not a directory (os error 20)",
		dir + "/a\x00b":                      "IO error: Invalid argument (os error 22)",
		dir + "/" + strings.Repeat("x", 300): "IO error: File name too long (os error 36)",
	} {
		err := files.SaveJSON(path, []byte("new"))
		if err == nil || err.Error() != want || !pure.IsUser(err) {
			t.Errorf("SaveJSON(%q) = %v, want the user error %s", path, err, want)
		}
	}
	noLeftovers(t, dir)
}

// Schemas and payloads come from the generator; what is wrong with them is reported.
func TestSaveBadValues(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	outside := bytes.Repeat([]byte{0x7F}, 16)
	for name, err := range map[string]error{
		"voidstar":         files.SaveVoidstar(path, "s", 0, outside),
		"voidstar, schema": files.SaveVoidstar(path, "x", 0, outside),
		"msgpack":          files.SaveMsgpack(path, "s", outside),
		"msgpack, schema":  files.SaveMsgpack(path, "x", outside),
	} {
		if !pure.IsUser(err) {
			t.Errorf("%s: %v, want a user error", name, err)
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a bad value was written")
	}
}

// A value of more than one frame, at each level.
func TestSaveLarge(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("All of this is said again and again, ", 600_000)[:20<<20]
	payload := payloadOf("s", 16, func(c *packet.Call) { c.PutString(0, text) })
	for _, level := range []int64{0, 1} {
		path := filepath.Join(t.TempDir(), "large")
		if err := files.SaveVoidstar(path, "s", int(level), payload); err != nil {
			t.Fatal(err)
		}
		got, err := files.Load(path, &loadText)
		if err != nil || got != text {
			t.Errorf("level %d: Load = %d bytes, %v, want %d", level, len(got), err, len(text))
		}
		info, err := os.Stat(path)
		if small := err == nil && info.Size() < 1<<20; small != (level > 0) {
			t.Errorf("level %d: a file of %d bytes, %v", level, info.Size(), err)
		}
	}
}

func TestSaveFloats(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	payload := payloadOf("f8", 8, func(c *packet.Call) { c.PutFloat64(0, math.NaN()) })
	for name, save := range map[string]func() error{
		"voidstar": func() error { return files.SaveVoidstar(path, "f8", 0, payload) },
		"msgpack":  func() error { return files.SaveMsgpack(path, "f8", payload) },
		"json":     func() error { return files.SaveJSON(path, pure.ShowFloat64(nil, math.NaN())) },
	} {
		if err := save(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := loads["f8"](path); got != `"nan"` {
			t.Errorf("%s: Load = %s, want nan", name, got)
		}
	}
}

// Readers see one content or the other, never a part.
func TestReplaceIsAtomic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	contents := [][]byte{bytes.Repeat([]byte("a"), 100_000), bytes.Repeat([]byte("b"), 50_000)}
	write(t, path, contents[0])
	var wg sync.WaitGroup
	for _, content := range contents {
		wg.Go(func() {
			for range 50 {
				if err := files.SaveJSON(path, content); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range 100 {
				got, err := files.Load(path, &loadText)
				if err != nil || got != string(contents[0]) && got != string(contents[1]) {
					t.Errorf("Load = %d bytes, %v", len(got), err)
				}
			}
		})
	}
	wg.Wait()
	noLeftovers(t, dir)
}
