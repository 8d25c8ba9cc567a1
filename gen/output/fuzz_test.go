package output

import (
	"io/fs"
	"strings"
	"testing"
)

// FuzzRecord reads arbitrary records: what is read is what its lines say, names no file
// outside of the folder, and is the same in any of the forms in which lines may end. What
// formatRecord writes of files, whatever they are called, reads as it was.
func FuzzRecord(f *testing.F) {
	f.Add(string(formatRecord([]File{{Path: "a.go", Data: []byte("x")}, {Path: "sub/b c.go"}})), "a  b.go")
	f.Add(recordHeader+"\r\n"+strings.Repeat("0", 64)+"  ../x\n", "..")
	f.Add(strings.Repeat("é", 32)+"  x", "x/./y")
	f.Fuzz(func(t *testing.T, text, name string) {
		files, err := parseRecord([]byte(text))
		want := map[string]string{}
		valid := true
		for line := range strings.SplitSeq(text, "\n") {
			line = strings.TrimRight(line, "\r")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			sum, path, found := strings.Cut(line, "  ")
			valid = valid && found && len(sum) == 64 && fs.ValidPath(path) && path != "."
			want[path] = sum
		}
		if valid != (err == nil) {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil && len(files) != len(want) {
			t.Fatalf("%q: %q, want %q", text, files, want)
		}
		for path, sum := range files {
			if want[path] != sum || strings.HasPrefix(path, "/") || strings.Contains("/"+path+"/", "/../") {
				t.Fatalf("%q: %q, want %q", text, files, want)
			}
		}
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\r\n") {
			return
		}
		files, err = parseRecord(formatRecord([]File{{Path: name, Data: []byte(text)}}))
		if err != nil || len(files) != 1 || files[name] != hash([]byte(text)) {
			t.Fatalf("a record of %q reads as %q, %v", name, files, err)
		}
	})
}
