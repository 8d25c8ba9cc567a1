// Package position finds the parts of a call by where they stand in what the benchmark's
// clients write. It checks nothing: a stand-in server that uses it shows what is left when
// reading costs next to nothing.
package position

import "bytes"

// Find returns the id, the tool and the arguments of a call, the latter without braces;
// ok is false if text is something else.
func Find(text []byte) (id, tool, arguments []byte, ok bool) {
	_, rest, _ := bytes.Cut(text, []byte(`"id":`))
	id, rest, _ = bytes.Cut(rest, []byte(`,"method":"tools/call","params":{"name":"`))
	tool, rest, ok = bytes.Cut(rest, []byte(`","arguments":{`))
	if !ok {
		return nil, nil, nil, false
	}
	arguments, _, ok = bytes.Cut(rest, []byte("}"))
	return id, tool, arguments, ok
}

// Value returns the value of the only argument.
func Value(arguments []byte) []byte {
	_, value, _ := bytes.Cut(arguments, []byte(":"))
	return value
}

// Escape appends JSON text that has no control characters as the inside of a string.
func Escape(out, text []byte) []byte {
	if bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, '\\') < 0 {
		return append(out, text...)
	}
	for len(text) > 0 {
		at := bytes.IndexAny(text, `"\`)
		if at < 0 {
			return append(out, text...)
		}
		out = append(append(out, text[:at]...), '\\', text[at])
		text = text[at+1:]
	}
	return out
}
