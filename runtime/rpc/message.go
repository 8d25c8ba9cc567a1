// Package rpc knows the envelope of JSON-RPC messages as MCP uses it: where the members
// of a message are, what an id may be, and the fixed codes and texts of errors. It knows
// no method.
package rpc

import (
	"bytes"
	"errors"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// ErrNotObject is the error for JSON that is not an object.
var ErrNotObject = errors.New(TextNotObject)

// A Member is a member of a message or of its params that a server reads.
type Member int

// Members of the message, then those of params, then those of params._meta.
const (
	JSONRPC Member = iota
	ID
	Method
	Params
	Result
	Error
	ParamName
	ParamArguments
	ParamMeta
	ParamProtocolVersion
	ParamCursor
	ParamRequestID
	ParamLevel
	ParamURI
	MetaVersion
	MetaCapabilities
	MetaProgressToken
	MetaLogLevel
	memberCount
	memberOther = memberCount
)

// A Message is one JSON-RPC message, as raw JSON text of its members.
type Message struct {
	line      []byte
	raw       [memberCount]span // of the line; those not seen are of another one
	seen      uint32            // a bit for each member
	escaped   uint32            // the same, for members that are strings with escapes
	duplicate []byte            // name of the first member given twice
}

// A span is a part of a line, from one offset to another.
type span struct{ start, end int }

// Raw returns the text of a member, nil if it is missing. It aliases the line.
func (m *Message) Raw(member Member) []byte {
	if m.seen&(1<<member) == 0 {
		return nil
	}
	s := m.raw[member]
	return m.line[s.start:s.end:s.end]
}

// Duplicate returns the name of the first member that was given twice, or nil.
func (m *Message) Duplicate() []byte { return m.duplicate }

// Text returns the text of a member that is a string. It aliases the line unless the
// string holds escapes.
func (m *Message) Text(member Member) (s []byte, ok bool) {
	raw := m.Raw(member)
	if len(raw) == 0 || raw[0] != '"' {
		return nil, false
	}
	if raw = raw[1 : len(raw)-1]; m.escaped&(1<<member) != 0 {
		return jsonx.AppendUnescaped(nil, raw), true
	}
	return raw, true
}

// ValidID reports whether raw may identify a request: a string or a number.
func ValidID(raw []byte) bool {
	c := raw[0]
	return c == '"' || c == '-' || c-'0' < 10
}

// Scan checks the whole line and notes where its members are. It returns
// [jsonx.ErrSyntax], [jsonx.ErrUTF8] (see [Repair]) or [ErrNotObject]; then the members
// mean nothing.
func (m *Message) Scan(line []byte) error {
	m.line, m.seen, m.escaped, m.duplicate = line, 0, 0, nil
	l := jsonx.Lexer{Src: line}
	var err, shape error
	if l.Space(); l.Peek() == '{' {
		err = m.object(&l, 1)
	} else {
		err, shape = l.Value(0), ErrNotObject
	}
	if l.Space(); err == nil && l.Pos < len(line) {
		err = jsonx.ErrSyntax
	}
	if err == nil {
		err = shape
	}
	return err
}

// SameID reports whether two raw ids are the same one: numbers as they are written, strings
// however they are.
func SameID(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if !isEscaped(a) && !isEscaped(b) || a[0] != '"' || b[0] != '"' {
		return false
	}
	return bytes.Equal(jsonx.AppendUnescaped(nil, a[1:len(a)-1]), jsonx.AppendUnescaped(nil, b[1:len(b)-1]))
}

func isEscaped(raw []byte) bool { return bytes.IndexByte(raw, '\\') >= 0 }

// Repair returns a copy of line in which bytes that are not UTF-8 are replaced by U+FFFD.
func Repair(line []byte) []byte { return bytes.ToValidUTF8(line, []byte("\uFFFD")) }

// object scans the message itself (depth 1), its params (depth 2) or their _meta (depth 3).
func (m *Message) object(l *jsonx.Lexer, depth int) error {
	more, err := l.Open('}', depth)
	for more && err == nil {
		keyAt := l.Pos
		member, keyErr := memberAt(l, depth)
		if keyErr != nil {
			return keyErr
		}
		start := l.Pos
		if (member == Params || member == ParamMeta) && l.Peek() == '{' {
			err = m.object(l, depth+1)
		} else {
			err = l.Value(depth)
		}
		if err != nil {
			return err
		}
		// Members nobody reads may repeat: no second parser can disagree with us on them.
		if member != memberOther {
			if m.seen&(1<<member) != 0 && m.duplicate == nil {
				m.duplicate, _ = (&jsonx.Lexer{Src: l.Src, Pos: keyAt}).Key()
			}
			m.seen |= 1 << member
			m.raw[member] = span{start, l.Pos}
			if l.Escaped && l.Src[start] == '"' {
				m.escaped |= 1 << member
			}
		}
		more, err = l.Next('}')
	}
	return err
}

// memberAt moves to the value of a member at the given depth and returns which one it is.
func memberAt(l *jsonx.Lexer, depth int) (Member, error) {
	if member, n := usual(l.Src[l.Pos:], depth); n > 0 {
		l.Pos += n
		l.Space()
		return member, nil
	}
	key, err := l.Key()
	return memberOf(key, depth), err
}

// usual returns the member of a call that s begins with, and the length of its name, quotes
// and colon, if they are written as nearly all clients write them: such a comparison takes a
// third of the time of reading any name. Else n is 0.
func usual(s []byte, depth int) (member Member, n int) {
	const longest = len(`"arguments":`)
	if len(s) < longest {
		return memberOther, 0
	}
	switch depth {
	case 1:
		switch {
		case string(s[:10]) == `"jsonrpc":`:
			return JSONRPC, 10
		case string(s[:5]) == `"id":`:
			return ID, 5
		case string(s[:9]) == `"method":`:
			return Method, 9
		case string(s[:9]) == `"params":`:
			return Params, 9
		}
	case 2:
		switch {
		case string(s[:7]) == `"name":`:
			return ParamName, 7
		case string(s[:12]) == `"arguments":`:
			return ParamArguments, 12
		case string(s[:8]) == `"_meta":`:
			return ParamMeta, 8
		}
	}
	return memberOther, 0
}

// memberOf returns the member called key at the given depth.
func memberOf(key []byte, depth int) Member {
	switch depth {
	case 1:
		return memberOfMessage(key)
	case 2:
		return memberOfParams(key)
	}
	return memberOfMeta(key)
}

func memberOfMessage(key []byte) Member {
	switch string(key) {
	case "jsonrpc":
		return JSONRPC
	case "id":
		return ID
	case "method":
		return Method
	case "params":
		return Params
	case "result":
		return Result
	case "error":
		return Error
	}
	return memberOther
}

func memberOfParams(key []byte) Member {
	switch string(key) {
	case "name":
		return ParamName
	case "arguments":
		return ParamArguments
	case "_meta":
		return ParamMeta
	case "protocolVersion":
		return ParamProtocolVersion
	case "cursor":
		return ParamCursor
	case "requestId":
		return ParamRequestID
	case "level":
		return ParamLevel
	case "uri":
		return ParamURI
	}
	return memberOther
}

// Names of the members of _meta that are MCP's own.
const (
	metaPrefix = "io.modelcontextprotocol/"

	NameMetaVersion      = metaPrefix + "protocolVersion"
	NameMetaCapabilities = metaPrefix + "clientCapabilities"
	nameMetaLogLevel     = metaPrefix + "logLevel"
)

func memberOfMeta(key []byte) Member {
	switch string(key) {
	case NameMetaVersion:
		return MetaVersion
	case NameMetaCapabilities:
		return MetaCapabilities
	case "progressToken":
		return MetaProgressToken
	case nameMetaLogLevel:
		return MetaLogLevel
	}
	return memberOther
}

// EachElement calls f with the text of each element of an array that [Message.Scan] has
// checked, and returns how many there are; -1 if line is no array.
func EachElement(line []byte, f func(element []byte)) int {
	l := jsonx.Lexer{Src: line}
	if l.Space(); l.Peek() != '[' {
		return -1
	}
	n := 0
	for more, _ := l.Open(']', 1); more; more, _ = l.Next(']') {
		start := l.Pos
		_ = l.Value(1)
		f(line[start:l.Pos])
		n++
	}
	return n
}
