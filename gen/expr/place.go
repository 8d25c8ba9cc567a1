package expr

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

// A place is a value of the tree and the way to it. The way is a list towards the root;
// its text is made only for errors.
type place struct {
	node *manifest.Node // nil if the member is missing
	up   *place
	key  string // name of the member of up; "" for an element
	i    int    // number of the element of up
}

// get returns the place of a member, which may be missing.
func (p *place) get(key string) *place {
	return &place{node: p.node.Get(key), up: p, key: key}
}

// at returns the place of an element, which exists.
func (p *place) at(i int) *place {
	return &place{node: p.node.Elements[i], up: p, i: i}
}

// path returns the way to p, as in expr.body.args[1]. A root without key is "".
func (p *place) path() string {
	var way []*place
	for ; p != nil; p = p.up {
		way = append(way, p)
	}
	var text []byte
	for _, step := range slices.Backward(way) {
		switch {
		case step.key == "" && step.up == nil: // a root
		case step.key == "":
			text = append(strconv.AppendInt(append(text, '['), int64(step.i), 10), ']')
		case len(text) > 0:
			text = append(append(text, '.'), step.key...)
		default:
			text = append(text, step.key...)
		}
	}
	return string(text)
}

// offset returns where p is in the manifest; a missing member is where its object is.
func (p *place) offset() int {
	for p.node == nil && p.up != nil {
		p = p.up
	}
	if p.node == nil {
		return 0
	}
	return p.node.Offset
}

// errorf makes an error at p.
func (p *place) errorf(format string, args ...any) *Error {
	return &Error{Offset: p.offset(), Path: p.path(), Text: fmt.Sprintf(format, args...)}
}

// count is a number of things: "1 element", "2 elements".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// mistaken makes an error for a value that is missing or of another kind.
func (p *place) mistaken(want string) *Error {
	if p.node == nil {
		return p.errorf("missing: want %s", want)
	}
	return p.errorf("found %s: want %s", p.node.Kind, want)
}
