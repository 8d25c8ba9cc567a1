package voidstar

import (
	"bytes"
	"strconv"
)

// FindNUL finds the first string of a value that holds U+0000, depth first. It returns
// the path from the value to the string, like .foo[3], the offset of the NUL in the
// string and the string's size, both in bytes (pool-protocol 6.3). It is meant for
// arguments of which packet.Call has said that there is such a string.
func FindNUL(schema string, payload []byte) (path string, at, size int, ok bool) {
	s, err := ParseSchema(schema)
	if err != nil {
		return "", 0, 0, false
	}
	var f finder
	f.r.Reset(payload)
	if !f.find(s, 0) || f.r.bad {
		return "", 0, 0, false
	}
	return string(f.path), f.at, f.size, true
}

type finder struct {
	r        Reader
	path     []byte // to the value at hand
	at, size int
}

// find searches the value at an address. If it finds something, it leaves the path to it.
func (f *finder) find(s *Schema, at int) bool {
	switch s.Kind {
	case KindString:
		text := f.r.Bytes(at)
		f.at, f.size = bytes.IndexByte(text, 0), len(text)
		return f.at >= 0
	case KindOptional:
		defer f.r.leave()
		target, ok := f.r.Target(at)
		return f.r.enter() && ok && f.find(s.Elem, target)
	case KindList:
		defer f.r.leave()
		return f.r.enter() && !s.Elem.IsFixed() && f.elements(s.Elem, at)
	case KindTuple, KindRecord:
		return f.fields(s, at)
	case KindVariant:
		return f.payload(s.Arms, at)
	}
	return false
}

func (f *finder) payload(arms []Arm, at int) bool {
	arm := arms[f.r.Arm(at, len(arms))]
	if arm.Payload == nil || f.r.bad {
		return false
	}
	defer f.r.leave()
	here := len(f.path)
	f.path = append(append(f.path, '.'), arm.Name...)
	fields, ok := f.r.Payload(at)
	if f.r.enter() && ok && f.find(arm.Payload, fields) {
		return true
	}
	f.path = f.path[:here]
	return false
}

func (f *finder) elements(elem *Schema, at int) bool {
	n, first := f.r.Elements(at, elem.Width)
	here := len(f.path)
	for i := 0; i < n && !f.r.bad; i++ {
		f.index(i)
		if f.find(elem, first+i*elem.Width) {
			return true
		}
		f.path = f.path[:here]
	}
	return false
}

func (f *finder) fields(s *Schema, at int) bool {
	here := len(f.path)
	for i, field := range s.Fields {
		if s.Kind == KindRecord {
			f.path = append(append(f.path, '.'), field.Name...)
		} else {
			f.index(i)
		}
		if f.find(field.Schema, at+field.Offset) {
			return true
		}
		f.path = f.path[:here]
	}
	return false
}

func (f *finder) index(i int) {
	f.path = append(strconv.AppendInt(append(f.path, '['), int64(i), 10), ']')
}
