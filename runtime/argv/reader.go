package argv

import (
	"bytes"
	"unsafe"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// A Reader reads and checks the arguments of one call. It gathers all that is wrong, one
// problem for each argument, in the order of cli-schema.md 6.1: unknown and repeated
// arguments as the client sent them, then the others in the order in which its methods are
// called. The zero value is ready for one call.
//
// Strings it yields alias the request, or memory of their own: they are valid as long as
// what the decoder reads.
type Reader struct {
	args     []argument
	rejected []*rejection
	byName   map[string]*rejection // the same, but for that of all: there may be very many
	slots    []slot                // the positionals so far
	problems []byte                // lines
	err      error                 // the arguments are no object
}

// An argument is an argument that a tool takes, and what came for it.
type argument struct {
	name string
	raw  []byte // JSON text; nil if it did not come, or is null
	came bool
	told bool // what is wrong with it
}

// A rejection is what the author's schema finds wrong with an argument; see [Reader.Reject].
type rejection struct {
	name, reason string
	all          bool // arguments together, which have no name
	told         bool
}

// Reject notes before Read that an argument does not conform to the author's schema. That is
// told in the place of the argument, and nothing else of it. If all is true, the fault is not
// of one of them, but of all together.
func (r *Reader) Reject(name string, all bool, reason string) {
	x := &rejection{name: name, all: all, reason: reason}
	if !all {
		if r.byName[name] != nil {
			return // the first one counts
		}
		if r.byName == nil {
			r.byName = map[string]*rejection{}
		}
		r.byName[name] = x
	}
	r.rejected = append(r.rejected, x)
}

// Read reads the arguments of a call that takes those called names; others, which the author's
// schema leaves out, are as if they had not come. So is null.
func (r *Reader) Read(d *jsonx.Decoder, names []string) {
	r.args = make([]argument, len(names))
	for i, name := range names {
		r.args[i].name = name
	}
	var unknown map[string]bool
	r.each(d, func(name, raw []byte) {
		switch a := r.find(alias(name)); {
		case a != nil:
			r.take(a, raw)
		case !unknown[string(name)]:
			if unknown == nil {
				unknown = map[string]bool{}
			}
			unknown[string(name)] = true
			if !r.tellRejected(string(name)) {
				r.problem("Unknown argument: ", string(name))
			}
		}
	})
}

// ReadAny reads the arguments of a call that takes what the author's schema allows: they must
// not be repeated, and not be rejected.
func (r *Reader) ReadAny(d *jsonx.Decoder) {
	seen := map[string]*argument{}
	r.each(d, func(name, _ []byte) {
		a := seen[string(name)]
		if a == nil {
			seen[string(name)] = &argument{name: string(name)}
			return
		}
		r.tell(a, "duplicate argument '", a.name, "'")
		if x := r.byName[a.name]; x != nil {
			x.told = true // instead
		}
	})
}

// None returns the error for the arguments of a call that takes none.
func None(d *jsonx.Decoder) error {
	var r Reader
	r.Read(d, nil)
	return r.Err()
}

// each calls f for each member of the arguments, whose text was checked before.
func (r *Reader) each(d *jsonx.Decoder, f func(name, raw []byte)) {
	if r.err = d.Err(); r.err != nil {
		return
	}
	l := jsonx.Lexer{Src: d.Src}
	more, _ := l.Open('}', 0)
	for more {
		name, _ := l.Key()
		start := l.Pos
		_ = l.Value(0)
		f(name, l.Src[start:l.Pos])
		more, _ = l.Next('}')
	}
}

func (r *Reader) find(name string) *argument {
	for i := range r.args {
		if r.args[i].name == name {
			return &r.args[i]
		}
	}
	return nil
}

func (r *Reader) take(a *argument, raw []byte) {
	if a.came {
		r.tell(a, "duplicate argument '", a.name, "'")
		return
	}
	a.came = true
	if raw[0] != 'n' {
		a.raw = raw
	}
}

// argument returns what came for an argument, whose turn it is.
func (r *Reader) argument(name string) *argument {
	a := r.find(name)
	if a == nil {
		a = &argument{name: name} // it is not taken
	}
	if !a.told {
		a.told = r.tellRejected(name)
	}
	return a
}

// tellRejected tells that an argument was rejected, if so.
func (r *Reader) tellRejected(name string) bool {
	x := r.byName[name]
	if x == nil || x.told {
		return false
	}
	x.told = true
	r.problem("Argument ", name, ": ", x.reason)
	return true
}

// tell notes a problem of an argument, unless one was told already.
func (r *Reader) tell(a *argument, pieces ...string) {
	if !a.told {
		a.told = true
		r.problem(pieces...)
	}
}

func (r *Reader) problem(pieces ...string) {
	if len(r.problems) > 0 {
		r.problems = append(r.problems, '\n')
	}
	for _, piece := range pieces {
		r.problems = append(r.problems, piece...)
	}
}

// Err returns nil, [jsonx.ErrNotObject] or a [jsonx.ArgumentError] with all problems, a line
// each.
func (r *Reader) Err() error {
	if r.err != nil {
		return r.err
	}
	for _, x := range r.rejected { // those that are missing and not taken, and of all together
		switch {
		case x.all:
			r.problem("Arguments: ", x.reason)
		case r.find(x.name) == nil:
			r.tellRejected(x.name)
		}
	}
	if len(r.problems) > 0 {
		return jsonx.ArgumentError(r.problems)
	}
	return nil
}

// JSON returns the arguments of a call as JSON without white space.
func JSON(d *jsonx.Decoder) []byte { return jsonx.AppendCompact(nil, d.Src) }

// Present returns the arguments of a call as JSON, without those that are null: as if they had
// not come.
func Present(d *jsonx.Decoder) []byte {
	dst := []byte{'{'}
	l := jsonx.Lexer{Src: d.Src}
	more, _ := l.Open('}', 0)
	for more {
		start := l.Pos
		_, _ = l.Key()
		null := l.Peek() == 'n'
		_ = l.Value(0)
		if !null {
			if len(dst) > 1 {
				dst = append(dst, ',')
			}
			dst = append(dst, l.Src[start:l.Pos]...)
		}
		more, _ = l.Next('}')
	}
	return append(dst, '}')
}

// text returns the text of a string, or of a number as the program would print it; false for
// anything else.
func text(raw []byte) (s string, ok bool) {
	switch c := raw[0]; {
	case c == '"':
		return unquote(raw), true
	case c == '-' || c-'0' < 10:
		return render(raw), true
	}
	return "", false
}

// unquote returns the text of a JSON string. Without escapes it aliases raw.
func unquote(raw []byte) string {
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') >= 0 {
		raw = jsonx.AppendUnescaped(nil, raw)
	}
	return alias(raw)
}

// alias returns bytes that nobody changes as a string.
func alias(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
