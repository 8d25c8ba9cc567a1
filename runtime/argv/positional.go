package argv

import (
	"slices"
	"strconv"
	"strings"
)

// A slot is a positional that was read. The program fills slots greedily, in their order: a
// word that one of them leaves goes to the next.
type slot struct {
	a        *argument
	n        int // words it has
	most     int // words it takes; 0 is any number
	optional bool
}

// PathParam reads a path parameter, which is a word of the path of the command: it must not
// look like an option or be one of siblings, the commands that have a name.
func (r *Reader) PathParam(name string, siblings ...string) Word {
	a := r.argument(name)
	s, ok := r.oneWord(a, true)
	if ok && (s == "" || s[0] == '-' || slices.Contains(siblings, s)) {
		r.tell(a, "Invalid value for argument ", name, ": ", s)
	}
	return r.checked(a, s, ok)
}

// Word reads a positional of one word that must be there.
func (r *Reader) Word(name string) Word {
	a := r.argument(name)
	s, ok := r.fillOne(a, true)
	return r.checked(a, s, ok)
}

// OptionalWord reads a positional of one word that may be absent, the last one.
func (r *Reader) OptionalWord(name string) Word {
	a := r.argument(name)
	s, ok := r.fillOne(a, false)
	return r.checked(a, s, ok)
}

// InnerWord is [Reader.OptionalWord] for one that others come after. The program does not
// take a word for it that begins with "-": that would slide into the next.
func (r *Reader) InnerWord(name string) Word {
	a := r.argument(name)
	s, ok := r.fillOne(a, false)
	if strings.HasPrefix(s, "-") {
		r.tell(a, "Invalid value for argument ", name, ": ", s)
	}
	return r.checked(a, s, ok)
}

// fillOne reads the word of a slot for one.
func (r *Reader) fillOne(a *argument, required bool) (s string, ok bool) {
	s, ok = r.oneWord(a, required)
	n := 0
	if ok {
		n = 1
	}
	r.place(slot{a: a, n: n, most: 1, optional: !required})
	return s, ok
}

// oneWord returns the text of a string or number; false if there is none.
func (r *Reader) oneWord(a *argument, required bool) (s string, ok bool) {
	switch {
	case a.told:
		return "", false
	case a.raw == nil && required:
		r.tell(a, textMissing, a.name)
		return "", false
	case a.raw == nil:
		return "", false
	}
	if s, ok = text(a.raw); !ok {
		r.tell(a, "Argument ", a.name, textNotString)
	}
	return s, ok
}

const textMissing = "Missing argument: "

// checked returns a word if there is one, and tells if no program could be given it.
func (r *Reader) checked(a *argument, s string, given bool) Word {
	if strings.IndexByte(s, 0) >= 0 {
		r.tell(a, "Argument ", a.name, textNUL)
	}
	return Word{s, given && !a.told}
}

// Words reads a positional of least to most words, an array. They are appended to dst[:0].
// If most is 0, there may be any number of them; if least is 0, it may be absent.
func (r *Reader) Words(dst []string, name string, least, most int) []string {
	a := r.argument(name)
	dst = dst[:0]
	if a.raw != nil && !a.told {
		var ok bool
		if dst, ok = elements(dst, a.raw, text); !ok {
			r.tell(a, "Argument ", name, textNotStrings)
		}
	}
	got := strconv.Itoa(len(dst))
	switch {
	case a.raw == nil && least > 0:
		r.tell(a, textMissing, name)
	case a.raw != nil && len(dst) < least:
		r.tell(a, "Argument ", name, " needs at least ", strconv.Itoa(least), " value(s), got ", got)
	case most > 0 && len(dst) > most:
		r.tell(a, "Argument ", name, " takes at most ", strconv.Itoa(most), " value(s), got ", got)
	}
	r.place(slot{a: a, n: len(dst), most: most, optional: least == 0})
	for _, s := range dst {
		r.checked(a, s, true)
	}
	return dst
}

// place adds a slot, and tells if its words would fill one before it. What is wrong with
// that one itself has been told, and is not told again.
func (r *Reader) place(s slot) {
	if s.a.raw != nil {
		for _, before := range r.slots {
			if before.optional && before.a.raw == nil && !before.a.told {
				r.tell(s.a, "Argument ", s.a.name, " requires argument ", before.a.name)
			}
		}
		for _, before := range r.slots {
			if before.n < before.most && !before.a.told {
				r.tell(s.a, "Argument ", s.a.name, " requires ", strconv.Itoa(before.most), " value(s) of argument ",
					before.a.name, ", got ", strconv.Itoa(before.n))
			}
		}
	}
	r.slots = append(r.slots, s)
}
