package manifest

import (
	"bytes"
	"sort"
)

// A File is the text of a document and its name, for messages.
type File struct {
	Name string // as the user gave it
	Src  []byte

	lines []int // offsets of the first bytes of the lines, once asked for
}

// Text returns the text of a value of f.
func (f *File) Text(n *Node) []byte { return f.Src[n.Offset:n.End] }

// Position returns the line and the column of an offset in f, both counted from 1;
// columns count bytes. Offsets outside of the document are moved to its nearer end.
// Position is not safe for concurrent use.
func (f *File) Position(offset int) (line, col int) {
	if f.lines == nil {
		f.lines = append(f.lines, 0)
		for i := 0; ; {
			nl := bytes.IndexByte(f.Src[i:], '\n')
			if nl < 0 {
				break
			}
			i += nl + 1
			f.lines = append(f.lines, i)
		}
	}
	offset = min(max(offset, 0), len(f.Src))
	line = sort.SearchInts(f.lines, offset+1)
	return line, offset - f.lines[line-1] + 1
}
