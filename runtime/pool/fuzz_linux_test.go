package pool

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// FuzzOutput cuts what a pool prints, read in pieces, into lines, and holds them against a
// split of the whole.
func FuzzOutput(f *testing.F) {
	f.Add([]byte("a\nbc\n\nd"), []byte{1}, byte(1))
	f.Add([]byte("0123456789"), []byte{255, 0, 3}, byte(255))
	f.Add([]byte("\n\r\n\x00\xff"), []byte{7}, byte(3))
	f.Add(bytes.Repeat([]byte("x"), 1999), []byte{255}, byte(250))
	f.Add(bytes.Repeat([]byte("x"), 2000), []byte{1}, byte(250))
	f.Fuzz(func(t *testing.T, part, sizes []byte, times byte) {
		if len(part) > 2000 {
			return
		}
		text := bytes.Repeat(part, 1+int(times))
		var got, want [][]byte
		take := func(line []byte) { got = append(got, bytes.Clone(line)) }
		var b lines
		for n, rest := 0, text; len(rest) > 0; n++ {
			room := b.room()
			if len(sizes) > 0 && n < 1000 {
				room = room[:min(len(room), 16*int(sizes[n%len(sizes)]))]
			}
			took := copy(room, rest)
			rest = rest[took:]
			b.take(took, take)
		}
		b.end(take)
		for line := range bytes.SplitSeq(text, []byte{'\n'}) {
			for len(line) > maxLine {
				want, line = append(want, line[:maxLine]), line[maxLine:]
			}
			want = append(want, line)
		}
		if last := len(want) - 1; len(want[last]) == 0 {
			want = want[:last] // nothing follows the last line break
		}
		if !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("%q, %d times, in pieces of %v has %d lines, want %d", part, 1+int(times), sizes, len(got), len(want))
		}
	})
}

// FuzzRunDir holds what is read of run directories of other servers against regular
// expressions: their names, and whose they say they are.
func FuzzRunDir(f *testing.F) {
	f.Add("morloc.42-abc123", "42 1234 boot pid:[4026531836]\n")
	f.Add("morloc.+42-abc123", "+7 1 2 3")
	f.Add("morloc.aB3dE6", "0 1 2 3")
	f.Add("morloc.042-abc12", "7 1 2 3 4")
	numbered := regexp.MustCompile(`^morloc\.0*([1-9][0-9]*)-[a-z0-9]{6}$`)
	tagged := regexp.MustCompile(`^morloc\.[A-Za-z0-9]{6}$`)
	owned := regexp.MustCompile(`^[\t-\r ]*0*([1-9][0-9]*)[\t-\r ]+([^\t-\r ]+)[\t-\r ]+([^\t-\r ]+)[\t-\r ]+([^\t-\r ]+)[\t-\r ]*$`)
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, name, text string) {
		pid, ok := parseRunDir(name)
		if m := numbered.FindStringSubmatch(name); ok != (m != nil && isInt(m[1])) || ok && m[1] != strconv.Itoa(pid) {
			t.Errorf("parseRunDir(%q) = %d, %v", name, pid, ok)
		}
		if isTaggedDir(name) != tagged.MatchString(name) {
			t.Errorf("isTaggedDir(%q) = %v", name, isTaggedDir(name))
		}
		if strings.ContainsFunc(text, func(r rune) bool { return r > 0x7f }) {
			return // other kinds of white space
		}
		if err := os.WriteFile(filepath.Join(folder, ownerFile), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		o, ok := readOwner(folder)
		m := owned.FindStringSubmatch(text)
		if ok != (m != nil && isInt(m[1])) || ok && (owner{o.pid, m[2], m[3], m[4]} != o || m[1] != strconv.Itoa(o.pid)) {
			t.Errorf("readOwner of %q = %v, %v", text, o, ok)
		}
	})
}

func isInt(digits string) bool {
	_, err := strconv.Atoi(digits)
	return err == nil
}
