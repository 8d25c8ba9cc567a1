package manifest

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxProblems is how many problems of one input are kept; the others are counted.
const MaxProblems = 10

// A Problem is something wrong at a place of an input.
type Problem struct {
	File      string // as the user gave it
	Line, Col int    // from 1, columns in bytes; 0 if the problem is the file
	Path      string // of the value: commands[3].args[0].schema; "" for the document
	Text      string // what is wrong, and what to do about it

	source *File
	offset int
}

// Error returns file:line:col: path: text.
func (p *Problem) Error() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", p.Line, p.Col)
	}
	if p.Path != "" {
		b.WriteString(": " + p.Path)
	}
	b.WriteString(": " + p.Text)
	return b.String()
}

// How much of a line a listing shows on each side of the place; the lines of manifests are
// long.
const before, after = 40, 36

// Listing returns the source line of the problem, or the part around its place, and a
// caret below. It is "" if the problem has no place.
func (p *Problem) Listing() string {
	if p.Line == 0 {
		return ""
	}
	src := p.source.Src
	start := p.offset - (p.Col - 1)
	end := len(src)
	if n := slices.Index(src[start:], '\n'); n >= 0 {
		end = start + n
	}
	head := window(src[max(start, p.offset-before):p.offset], p.offset-before > start, false)
	tail := window(src[p.offset:max(p.offset, min(end, p.offset+after))], false, end > p.offset+after)
	gutter := fmt.Sprintf("%5d | ", p.Line)
	return fmt.Sprintf("%s%s%s\n%*s%*s^\n", gutter, head, tail, len(gutter), "| ", utf8.RuneCountInString(head), "")
}

// window makes a part of a line fit for a terminal; cuts are marked.
func window(part []byte, cutBefore, cutAfter bool) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return ' '
	}, string(part))
	if cutBefore {
		text = "..." + text
	}
	if cutAfter {
		text += "..."
	}
	return text
}

// Errors are the problems of one input, in the order of their places.
type Errors struct {
	Problems []*Problem // the first that were found, at most [MaxProblems]
	More     int        // how many others there are
}

// Error returns a line for each problem.
func (e *Errors) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Error())
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "\n... and %d more", e.More)
	}
	return b.String()
}

// Unwrap gives the problems one by one.
func (e *Errors) Unwrap() []error {
	errs := make([]error, len(e.Problems))
	for i, p := range e.Problems {
		errs[i] = p
	}
	return errs
}

// A Report collects the problems of one input, which is a file or several.
type Report struct {
	file *File
	errs *Errors
}

// NewReport returns an empty report on f.
func NewReport(f *File) *Report { return &Report{file: f, errs: new(Errors)} }

// In returns the same report for problems in another file of the input.
func (r *Report) In(f *File) *Report { return &Report{file: f, errs: r.errs} }

// Add notes a problem at an offset of the file.
func (r *Report) Add(offset int, path, text string) {
	if len(r.errs.Problems) == MaxProblems {
		r.errs.More++
		return
	}
	line, col := r.file.Position(offset)
	r.errs.Problems = append(r.errs.Problems, &Problem{
		File: r.file.Name, Line: line, Col: col, Path: path, Text: text, source: r.file, offset: offset,
	})
}

// Len returns the number of problems.
func (r *Report) Len() int { return len(r.errs.Problems) + r.errs.More }

// Err returns the problems as [*Errors], nil if there are none: those of this file before
// those of another.
func (r *Report) Err() error {
	if r.Len() == 0 {
		return nil
	}
	slices.SortStableFunc(r.errs.Problems, func(a, b *Problem) int {
		switch {
		case a.source == b.source:
			return a.offset - b.offset
		case a.source == r.file:
			return -1
		}
		return 1
	})
	return r.errs
}
