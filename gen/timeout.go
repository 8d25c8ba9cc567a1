package gen

import (
	"fmt"
	"slices"
	"time"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// A Timeout limits the calls of a tool, which is named as it is listed, or as the commands of
// its program are called if no other has that name.
type Timeout struct {
	Tool  string
	Limit time.Duration // at least a millisecond
}

// An OptionError is about options that cannot be, or do not fit the programs or the folder.
type OptionError string

// Error implements error.
func (e OptionError) Error() string { return string(e) }

// setTimeouts gives tools their limits.
func (l *Loaded) setTimeouts(list []Timeout) error {
	for i, x := range list {
		option := "--timeout " + x.Tool + ": "
		if slices.ContainsFunc(list[:i], func(y Timeout) bool { return x.Tool == y.Tool }) {
			return OptionError(option + "the tool has one already")
		}
		t, all := l.find(x.Tool)
		switch {
		case t == nil:
			text := option + "no such tool"
			if near := names.Nearest(x.Tool, all); near != "" {
				text += fmt.Sprintf("; did you mean %q?", near)
			}
			return OptionError(text)
		case !limit(t, x.Limit):
			return OptionError(option + "the tool runs in the server itself, where calls cannot be stopped")
		}
	}
	return nil
}

// find returns the tool with a name, nil if there is none, and all names of tools.
func (l *Loaded) find(name string) (found *ir.Tool, all []string) {
	bare := l.bareNames()
	for i, s := range l.Sources {
		for _, t := range s.Program.Tools {
			all = append(all, s.Prefix+t.Name)
			alone := slices.Contains(bare[i], t.Name)
			if alone && s.Prefix != "" {
				all = append(all, t.Name)
			}
			if s.Prefix+t.Name == name || found == nil && alone && t.Name == name {
				found = t
			}
		}
	}
	return found, all
}

// limit gives a tool a limit, the smaller one if it has one, and reports whether it can.
func limit(t *ir.Tool, d time.Duration) (ok bool) {
	ms := max((d + time.Millisecond - 1).Milliseconds(), 1)
	for _, x := range t.Targets() {
		if x.Remote != nil {
			x.Remote.TimeoutMS, ok = ms, true
		}
	}
	if t.Leaf != nil {
		if own := t.Leaf.TimeoutMS; own == 0 || ms < own {
			t.Leaf.TimeoutMS = ms
		}
		ok = true
	}
	return ok
}
