package pure

import (
	"errors"
	"strconv"
)

// A sequence is where a decoder is in an array.
type sequence struct {
	count int // elements begun
	at    int // start of the last of them
	open  bool
	done  bool // the end was read
}

// next moves to the next element; false at the end of the array and after an error.
func (d *Decoder) next(s *sequence) bool {
	if d.err != nil || s.done {
		return false
	}
	more := false
	if s.open {
		more, _ = d.lex.Next(']')
	} else {
		more, _ = d.lex.Open(']', 0)
	}
	s.open, s.done = true, !more
	if more {
		s.count++
		s.at = d.lex.Pos
	}
	return more
}

// end moves past the array and returns how many elements it has, those not read among
// them. An error stays.
func (d *Decoder) end(s *sequence) int {
	for d.next(s) {
		d.skip()
	}
	if s.done {
		return s.count
	}
	d.lex.Pos = s.at
	n := s.count
	for more := true; more; n++ {
		d.skip()
		more, _ = d.lex.Next(']')
	}
	return n - 1
}

// A Tuple is where a decoder is in a tuple.
type Tuple struct {
	n    int
	seq  sequence
	dead bool // there was an error before it
}

// Tuple begins a tuple of n elements. Each is read after Next; EndTuple ends it.
func (d *Decoder) Tuple(n int) Tuple {
	t := Tuple{n: n, dead: d.err != nil}
	if !t.dead && d.lex.Peek() != '[' {
		text, _ := d.text()
		d.fail("expected JSON array: " + mismatch(text, "a sequence") + " (in " + cut(text) + ")")
		t.dead = true
	}
	return t
}

// Next moves to the next element and reports whether there is one to be read.
func (d *Decoder) Next(t *Tuple) bool { return !t.dead && d.next(&t.seq) }

// EndTuple moves past the tuple.
func (d *Decoder) EndTuple(t *Tuple) {
	if t.dead {
		return
	}
	if got := d.end(&t.seq); got != t.n {
		d.fail("expected " + strconv.Itoa(t.n) + " fields, got " + strconv.Itoa(got))
	}
}

// A Record is where a decoder is in a record.
type Record struct {
	Index int // of the field at hand, in the order of the type

	names  []string
	errs   []error // of the fields: what is wrong with the last value that was read
	at     int     // start of the value at hand
	begun  bool
	object bool
	dead   bool // there was an error before it
	seq    sequence
}

var errMissing = errors.New("missing")

// Record begins a record with fields of the given names, an object or an array. Fields
// are read as [Decoder.Field] comes by them, until it is false. In an object unknown ones
// are ignored and the last of several counts.
func (d *Decoder) Record(names []string) Record {
	r := Record{Index: -1, names: names, dead: d.err != nil}
	if r.dead {
		return r
	}
	switch d.lex.Peek() {
	case '{':
		r.object = true
		r.errs = make([]error, len(names))
		for i := range r.errs {
			r.errs[i] = errMissing
		}
	case '[':
	default:
		text, _ := d.text()
		d.fail("record source must be a JSON object {...} or array [...], got " + cut(text))
		r.dead = true
	}
	return r
}

// Field moves to the next field that is to be read, and sets r.Index. It is false at the
// end of the record.
func (d *Decoder) Field(r *Record) bool {
	switch {
	case r.dead:
		return false
	case !r.object:
		return d.arrayField(r)
	}
	if r.Index >= 0 {
		d.settle(r)
	}
	for d.member(r) {
		key, _ := d.lex.Key()
		r.at = d.lex.Pos
		if r.find(key) {
			return true
		}
		d.skip()
	}
	r.dead = true
	for i, err := range r.errs {
		if err == errMissing {
			d.fail("missing required field '" + r.names[i] + "' in record")
			break
		}
		if d.err = err; err != nil {
			break
		}
	}
	return false
}

// settle keeps what is wrong with the value that was read, as a later one may replace it.
func (d *Decoder) settle(r *Record) {
	if r.errs[r.Index] = d.err; d.err != nil {
		d.err = nil
		d.lex.Pos = r.at
		d.skip()
	}
}

// member moves to the next key of an object.
func (d *Decoder) member(r *Record) (more bool) {
	if r.begun {
		more, _ = d.lex.Next('}')
	} else {
		more, _ = d.lex.Open('}', 0)
	}
	r.begun = true
	return more
}

// find sets r.Index to the field of a name; keys mostly come in the order of the type.
func (r *Record) find(key []byte) bool {
	n := len(r.names)
	for k := range n {
		if i := (r.Index + 1 + k) % n; r.names[i] == string(key) {
			r.Index = i
			return true
		}
	}
	return false
}

// arrayField is [Decoder.Field] for a record that is an array.
func (d *Decoder) arrayField(r *Record) bool {
	if r.seq.count < len(r.names) && d.next(&r.seq) {
		r.Index++
		return true
	}
	r.dead = true
	if got, n := d.end(&r.seq), len(r.names); got != n {
		d.fail("record array form must have exactly " + strconv.Itoa(n) +
			" fields (one per schema field, in declaration order), got " + strconv.Itoa(got))
	}
	return false
}
