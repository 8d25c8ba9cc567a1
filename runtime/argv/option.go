package argv

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// A Word is a word of a command line that may be absent.
type Word struct {
	Text  string
	Given bool
}

// An Option is an option whose argument is being read. Each of its methods reads it in one
// way and is called once. What it returns means nothing if [Reader.Err] is not nil.
type Option struct {
	r *Reader
	a *argument
}

// Option returns an option that may be absent.
func (r *Reader) Option(name string) Option { return Option{r, r.argument(name)} }

// Required returns an option that must be there.
func (r *Reader) Required(name string) Option {
	o := r.Option(name)
	if o.a.raw == nil {
		r.tell(o.a, "Missing required option: --", name)
	}
	return o
}

// skip reports whether there is nothing to read.
func (o Option) skip() bool { return o.a.raw == nil || o.a.told }

// invalid tells that the value has not the form it must have.
func (o Option) invalid(reason ...string) {
	o.r.tell(o.a, append([]string{"Invalid value for option --", o.a.name, ": "}, reason...)...)
}

// word returns the value if nothing was wrong with it.
func (o Option) word(s string) Word {
	if strings.IndexByte(s, 0) >= 0 {
		o.r.tell(o.a, "Argument ", o.a.name, textNUL)
	}
	return Word{s, !o.a.told}
}

const (
	textNUL        = " contains a NUL byte"
	textNotString  = " must be a string"
	textNotStrings = " must be an array of strings"
)

// string returns the text of a string or number.
func (o Option) string() (s string, ok bool) {
	if o.skip() {
		return "", false
	}
	if s, ok = text(o.a.raw); !ok {
		o.r.tell(o.a, "Argument ", o.a.name, textNotString)
	}
	return s, ok
}

// Flag reads a boolean.
func (o Option) Flag() bool {
	if o.skip() {
		return false
	}
	if c := o.a.raw[0]; c != 't' && c != 'f' {
		o.r.tell(o.a, "Argument ", o.a.name, " must be a boolean")
	}
	return o.a.raw[0] == 't'
}

// Text reads a string.
func (o Option) Text() Word {
	s, ok := o.string()
	if !ok {
		return Word{}
	}
	return o.word(s)
}

// Enum reads one of some strings.
func (o Option) Enum(choices ...string) Word {
	s, ok := o.string()
	if !ok {
		return Word{}
	}
	if !slices.Contains(choices, s) {
		o.r.tell(o.a, "Option --", o.a.name, ": '", s, "' is not one of: ", strings.Join(choices, ", "))
	}
	return o.word(s)
}

// Duration reads a number of seconds, minutes, hours or days, as 20m.
func (o Option) Duration() Word {
	s, ok := o.string()
	if !ok {
		return Word{}
	}
	if !isDuration(s) {
		o.invalid("Invalid duration: ", s, " (use e.g. 30s, 20m, 1h, 2d)")
	}
	return o.word(s)
}

// Date reads a day, as 2026-06-22.
func (o Option) Date() Word {
	s, ok := o.string()
	if !ok {
		return Word{}
	}
	if !isDate(s) {
		o.invalid("Invalid date: ", s, " (use YYYY-MM-DD)")
	}
	return o.word(s)
}

// DateTime reads an instant of RFC 3339.
func (o Option) DateTime() Word {
	s, ok := o.string()
	if !ok {
		return Word{}
	}
	if !isDateTime(s) {
		o.invalid("Invalid date-time: ", s, " (use RFC 3339, e.g. 2026-06-22T15:00:00Z)")
	}
	return o.word(s)
}

// Pattern reads a string in which re must match somewhere; pattern is how the author wrote
// it.
func (o Option) Pattern(re *regexp.Regexp, pattern string) Word {
	s, ok := o.string()
	if !ok {
		return Word{}
	}
	if !re.MatchString(s) {
		o.invalid("Value does not match required pattern: ", pattern)
	}
	return o.word(s)
}

// Number reads a number, or a string that the program takes for one.
func (o Option) Number() Word {
	if o.skip() {
		return Word{}
	}
	s, ok := text(o.a.raw)
	switch {
	case !ok:
		o.r.tell(o.a, "Argument ", o.a.name, " must be a number")
	case o.a.raw[0] == '"' && !IsNumber(s):
		o.r.tell(o.a, "Invalid number for option --", o.a.name, ": ", s)
	}
	return o.word(s)
}

// JSON reads any value: the word is its text without white space.
func (o Option) JSON() Word {
	if o.skip() {
		return Word{}
	}
	return o.word(alias(jsonx.AppendCompact(nil, o.a.raw)))
}

// CommaList reads a string, or an array of strings of which those that are not empty are
// joined.
func (o Option) CommaList() Word {
	if o.skip() {
		return Word{}
	}
	if o.a.raw[0] == '"' {
		return o.word(unquote(o.a.raw))
	}
	all, ok := elements(nil, o.a.raw, func(raw []byte) (string, bool) {
		if raw[0] != '"' {
			return "", false
		}
		return unquote(raw), true
	})
	if !ok {
		o.r.tell(o.a, "Option --", o.a.name, " must be a string or array of strings")
		return Word{}
	}
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	if len(all) == 0 {
		o.r.tell(o.a, "Option --", o.a.name, " requires at least one value")
	}
	return o.word(strings.Join(all, ","))
}

// elements appends the elements of an array to dst, each by read; false if it is none, or
// one of its elements cannot be read.
func elements(dst []string, raw []byte, read func(raw []byte) (string, bool)) (all []string, ok bool) {
	if raw[0] != '[' {
		return dst, false
	}
	l := jsonx.Lexer{Src: raw}
	more, _ := l.Open(']', 0)
	for more {
		start := l.Pos
		_ = l.Value(0)
		s, ok := read(l.Src[start:l.Pos])
		if !ok {
			return dst, false
		}
		dst = append(dst, s)
		more, _ = l.Next(']')
	}
	return dst, true
}
