package output

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
)

// recordName is the file that lists the files of ours.
const recordName = "mcpgen.lock"

const recordHeader = "# " + Marker + "\n" +
	"# The files that mcpgen wrote here. It writes them anew, and removes those it no\n" +
	"# longer needs; all others are left alone.\n"

// formatRecord returns the record of files, a line each in the format of sha256sum.
func formatRecord(files []File) []byte {
	var b bytes.Buffer
	b.WriteString(recordHeader)
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s\n", hash(f.Data), f.Path)
	}
	return b.Bytes()
}

// parseRecord returns the hashes of the files in a record, by path.
func parseRecord(text []byte) (map[string]string, error) {
	files := map[string]string{}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		sum, path, found := strings.Cut(line, "  ")
		if !found || len(sum) != hex.EncodedLen(sha256.Size) || !fs.ValidPath(path) || path == "." {
			return nil, fmt.Errorf("%s:%d: %q: want a hash and a path; remove the file and run mcpgen again",
				recordName, n, line)
		}
		files[path] = sum
	}
	return files, nil
}

func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// isMarked reports whether the first line of a file says that mcpgen wrote it.
func isMarked(data []byte) bool {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return bytes.Contains(line, []byte(Marker))
}
