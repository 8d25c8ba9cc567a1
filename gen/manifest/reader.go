package manifest

import (
	"fmt"
	"strconv"
	"strings"
)

// reader turns nodes into the model and reports what does not fit.
type reader struct {
	report *Report
	m      *Manifest // for its warnings
}

// warn notes something odd about a value that is understood all the same.
func (r *reader) warn(at *place, format string, args ...any) {
	text := at.subject() + fmt.Sprintf(format, args...)
	if path := at.String(); path != "" {
		text = path + ": " + text
	}
	r.m.Warnings = append(r.m.Warnings, text)
}

// readFunc reads a value; it stores what it was made to store, or reports a problem.
type readFunc func(n *Node, at *place)

// A member is a key that an object may have.
type member struct {
	key      string
	required bool
	read     readFunc
}

// place is the path of a value, from the inside out.
type place struct {
	up    *place
	key   string
	index int // of an element

	isElement bool
	what      string // for messages: command "mw"
	whole     bool   // what does without that of the outer places
}

func (p *place) member(key string) *place { return &place{up: p, key: key} }

func (p *place) element(i int) *place { return &place{up: p, index: i, isElement: true} }

// isPlain reports whether a key can be read in a path without quotes.
func isPlain(key string) bool {
	return key != "" && !strings.ContainsFunc(key, func(c rune) bool {
		return c != '_' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z')
	})
}

// String returns the path: commands[3].args[0].schema.
func (p *place) String() string {
	if p == nil || p.up == nil {
		return ""
	}
	if p.isElement {
		return p.up.String() + "[" + strconv.Itoa(p.index) + "]"
	}
	if !isPlain(p.key) {
		return p.up.String() + "[" + strconv.Quote(p.key) + "]"
	}
	return strings.TrimPrefix(p.up.String()+"."+p.key, ".")
}

// subject names what the value belongs to: command "mw", argument 2. It ends with ": " or
// is empty.
func (p *place) subject() string {
	list := []string{}
	for ; p != nil; p = p.up {
		if p.what != "" {
			list = append([]string{p.what}, list...)
		}
		if p.whole {
			break
		}
	}
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, ", ") + ": "
}

// problem reports a problem of a value.
func (r *reader) problem(n *Node, at *place, format string, args ...any) {
	r.report.Add(n.Offset, at.String(), at.subject()+fmt.Sprintf(format, args...))
}

// blame reports a problem of a member, or, if it is missing, of the object.
func (r *reader) blame(n *Node, at *place, key, format string, args ...any) {
	if m := n.Get(key); m != nil {
		n, at = m, at.member(key)
	}
	r.problem(n, at, format, args...)
}

// want reports that a value is of the wrong kind.
func (r *reader) want(n *Node, at *place, what string) {
	got := n.Kind.String()
	switch n.Kind {
	case NumberNode:
		got = n.Num
	case StringNode:
		if len(n.Str) < 40 {
			got = strconv.Quote(n.Str)
		}
	}
	r.problem(n, at, "got %s, want %s", got, what)
}

// object reads the members of an object in the order of the document. Unknown keys are
// ignored, whatever they hold.
func (r *reader) object(n *Node, at *place, members ...member) {
	if n.Kind != ObjectNode {
		r.want(n, at, "an object")
		return
	}
	seen := make(map[string]bool, len(n.Members))
	for _, m := range n.Members {
		for _, known := range members {
			if known.key != m.Key {
				continue
			}
			if seen[m.Key] {
				r.report.Add(m.Offset, at.member(m.Key).String(), at.subject()+fmt.Sprintf("key %q given twice", m.Key))
			} else {
				seen[m.Key] = true
				known.read(m.Value, at.member(m.Key))
			}
		}
	}
	for _, known := range members {
		if known.required && !seen[known.key] {
			r.problem(n, at, "key %q is missing", known.key)
		}
	}
}

// list reads the elements of an array.
func (r *reader) list(each readFunc) readFunc {
	return func(n *Node, at *place) {
		if n.Kind != ArrayNode {
			r.want(n, at, "an array")
			return
		}
		for i, e := range n.Elements {
			each(e, at.element(i))
		}
	}
}

// nullable makes null the same as nothing.
func nullable(read readFunc) readFunc {
	return func(n *Node, at *place) {
		if n.Kind != NullNode {
			read(n, at)
		}
	}
}

func (r *reader) text(dst *string) readFunc {
	return func(n *Node, at *place) {
		if n.Kind != StringNode {
			r.want(n, at, "a string")
			return
		}
		*dst = n.Str
	}
}

// name reads a string that becomes a name of something.
func (r *reader) name(dst *string) readFunc {
	return func(n *Node, at *place) {
		if strings.ContainsRune(n.Str, 0) {
			r.problem(n, at, "%q contains NUL", n.Str)
			return
		}
		r.text(dst)(n, at)
	}
}

func (r *reader) texts(dst *[]string) readFunc {
	return r.list(func(n *Node, at *place) {
		var s string
		r.text(&s)(n, at)
		*dst = append(*dst, s)
	})
}

func (r *reader) boolean(dst *bool) readFunc {
	return func(n *Node, at *place) {
		if n.Kind != BoolNode {
			r.want(n, at, "a boolean")
			return
		}
		*dst = n.Bool
	}
}

// integer reads a number without fraction and exponent, in a range.
func (r *reader) integer(dst *int64, lo, hi int64) readFunc {
	return func(n *Node, at *place) {
		v, err := strconv.ParseInt(n.Num, 10, 64)
		if n.Kind != NumberNode || err != nil || v < lo || v > hi {
			r.want(n, at, fmt.Sprintf("an integer from %d to %d", lo, hi))
			return
		}
		*dst = v
	}
}

// oneOf reads a string that must be one of a few.
func (r *reader) oneOf(dst *string, choices ...string) readFunc {
	return func(n *Node, at *place) {
		for _, c := range choices {
			if n.Kind == StringNode && n.Str == c {
				*dst = c
				return
			}
		}
		last := len(choices) - 1
		want := strconv.Quote(choices[last])
		if last > 0 {
			want = `"` + strings.Join(choices[:last], `", "`) + `" or ` + want
		}
		r.want(n, at, want)
	}
}

// anyObject checks that a value that nothing is read of is an object.
func (r *reader) anyObject(n *Node, at *place) { r.object(n, at) }

// anything accepts every value.
func anything(*Node, *place) {}
