package files

import (
	"bytes"
	"io"
	"math"
	"os"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/runtime/msgpack"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pure"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// maxSize is the largest file that is read, and what a compressed one may hold, in bytes.
const maxSize = 1 << 30

// A Loader says how the values of one type are read from each kind of content. One is
// generated for each type that is loaded; it is never changed.
type Loader[T any] struct {
	Schema string                             // the type, without hints
	Text   func(text string) T                // of a string, optional or not: a text file; else nil
	Float  func(v float64) T                  // of a float, optional or not: inf, -inf and nan; else nil
	JSON   func(d *pure.Decoder) T            // from JSON text
	Value  func(r *voidstar.Reader, at int) T // from memory as pools lay it out
}

// Load reads the value in a file. What the file holds is told from its content, and from
// its name where that is JSON or msgpack (pure-eval.md 6.9).
func Load[T any](path string, l *Loader[T]) (v T, err error) {
	data, err := read(path)
	if err != nil {
		return v, err
	}
	isPacket := len(data) >= 4 && string(data[:4]) == packet.Ping[:4]
	if isPacket && isStream(data) {
		return v, pure.Throw("@load: stream files cannot be loaded: '" + path + "'")
	}
	if l.Text != nil {
		if text, ok := plainText(data); ok {
			return l.Text(text), nil
		}
	}
	if l.Float != nil {
		if v, ok := nonFinite(data); ok {
			return l.Float(v), nil
		}
	}
	switch {
	case strings.HasSuffix(path, ".json"):
		return pure.ReadBytes(data, l.JSON)
	case strings.HasSuffix(path, ".mpk"), strings.HasSuffix(path, ".msgpack"):
		return l.msgpack(data)
	case isPacket:
		return l.packet(path, data)
	case !looksLikeJSON(data):
		return l.msgpack(data)
	}
	v, err = pure.ReadBytes(data, l.JSON)
	if err != nil {
		if packed, failed := l.msgpack(data); failed == nil {
			return packed, nil
		}
	}
	return v, err
}

// read returns the content of a file, which is never empty.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil: // whatever the reason, there is no file to be seen
		return nil, pure.Throw("@load: failed to load '" + path + "'")
	case info.IsDir():
		return nil, ioError(syscall.EISDIR)
	case !info.Mode().IsRegular(): // a pipe would block, a terminal is not ours to read
		return nil, pure.Throw("IO error: not a regular file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, ioError(err)
	}
	defer f.Close()
	var data bytes.Buffer
	data.Grow(int(min(info.Size(), maxSize)) + bytes.MinRead)
	_, err = data.ReadFrom(io.LimitReader(f, maxSize+1))
	switch {
	case err != nil:
		return nil, ioError(err)
	case data.Len() == 0:
		return nil, pure.Throw("Cannot parse 0-length data")
	case data.Len() > maxSize:
		return nil, pure.Throw("IO error: file of more than 1 GiB")
	}
	return data.Bytes(), nil
}

// isStream reports whether a file of packets is a stream, which the first one tells.
func isStream(data []byte) bool {
	h, err := packet.ParseHeader(data)
	return err == nil && h.Type == packet.TypeStream
}

// plainText returns the content of a text file that is not JSON, without the end of its
// last line. A msgpack string whose header happens to be UTF-8 is none.
func plainText(data []byte) (text string, ok bool) {
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte{'"'}) || !utf8.Valid(data) || msgpack.Single(data) {
		return "", false
	}
	data = bytes.TrimSuffix(data, []byte{'\n'})
	data = bytes.TrimSuffix(data, []byte{'\r'})
	return string(data), true
}

// nonFinite returns the float that a file names.
func nonFinite(data []byte) (v float64, ok bool) {
	name := bytes.TrimPrefix(bytes.TrimSpace(data), []byte{'\\'})
	switch string(name) {
	case "inf":
		return math.Inf(1), true
	case "-inf":
		return math.Inf(-1), true
	case "nan":
		return math.NaN(), true
	}
	return 0, false
}

// looksLikeJSON reports whether JSON is to be tried before msgpack. One byte alone is a
// number of one digit or msgpack.
func looksLikeJSON(data []byte) bool {
	c := data[0]
	if len(data) == 1 {
		return c-'0' < 10
	}
	return c-'0' < 10 || strings.IndexByte("'\"[{tfn\t\n\r -", c) >= 0
}

// msgpack reads a value from msgpack that is all of data.
func (l *Loader[T]) msgpack(data []byte) (v T, err error) {
	payload, err := msgpack.ToVoidstar(l.Schema, data)
	if err != nil {
		return v, pure.User(err)
	}
	return l.value(payload)
}

// value reads a value from the payload of a packet.
func (l *Loader[T]) value(payload []byte) (v T, err error) {
	var r voidstar.Reader
	r.Reset(payload)
	got := l.Value(&r, r.Root())
	if r.Bad() {
		return v, pure.User(voidstar.ErrMalformed)
	}
	return got, nil
}
