package files

import (
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pure"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
	"github.com/mcpgen/mcpgen/runtime/zstd"
)

// maxSchema is the longest type schema of a file that is looked at, in bytes.
const maxSchema = 1 << 20

// packet reads a value from a data packet that fills a file.
func (l *Loader[T]) packet(path string, data []byte) (v T, err error) {
	r, err := packet.OpenFile(data)
	if err != nil {
		return v, pure.User(err)
	}
	stored := r.Schema()
	if len(stored) > maxSchema {
		return v, pure.User(packet.ErrMalformed)
	}
	if !sameSchema(stored, l.Schema) {
		return v, pure.Throw("@load: schema mismatch reading '" + path + "': file has schema `" +
			stored + "`, requested `" + l.Schema + "`")
	}
	payload := r.Payload
	if r.Compressed {
		if payload, err = unpack(r); err != nil {
			return v, pure.User(err)
		}
	}
	if r.Format == packet.FormatMsgpack {
		return l.msgpack(payload)
	}
	return l.value(payload)
}

// unpack returns the payload of a compressed packet, frame by frame: each must hold what
// the index says.
func unpack(r packet.Reply) ([]byte, error) {
	frames, err := r.Frames()
	if err != nil {
		return nil, err
	}
	var plain []byte
	rest := r.Payload
	for _, f := range frames {
		before := len(plain)
		if f.Plain > uint64(maxSize-before) {
			return nil, zstd.ErrLimit
		}
		if plain, err = zstd.Decode(plain, rest[:f.Packed], int(f.Plain)); err != nil {
			return nil, err
		}
		if uint64(len(plain)-before) != f.Plain {
			return nil, packet.ErrMalformed
		}
		rest = rest[f.Packed:]
	}
	return plain, nil
}

// sameSchema reports whether two schema texts mean types whose values are laid out and
// named alike: hints and the lengths of lists do not matter, nor where a recursive type
// is spelled out.
func sameSchema(a, b string) bool {
	if a == b {
		return true
	}
	s, errS := voidstar.ParseSchema(a)
	t, errT := voidstar.ParseSchema(b)
	return errS == nil && errT == nil && comparison{}.same(s, t)
}

// A comparison holds the pairs of schemas that were met. Recursive ones come back to
// them; one pair that differs ends it all, so each is looked at once.
type comparison map[[2]*voidstar.Schema]bool

func (met comparison) same(a, b *voidstar.Schema) bool {
	if a.Kind != b.Kind || len(a.Fields) != len(b.Fields) || len(a.Arms) != len(b.Arms) {
		return false
	}
	pair := [2]*voidstar.Schema{a, b}
	if met[pair] {
		return true
	}
	met[pair] = true
	for i, f := range a.Fields {
		if g := b.Fields[i]; f.Name != g.Name || !met.same(f.Schema, g.Schema) {
			return false
		}
	}
	for i, arm := range a.Arms {
		p, q := arm.Payload, b.Arms[i].Payload
		if arm.Name != b.Arms[i].Name || (p == nil) != (q == nil) || p != nil && !met.same(p, q) {
			return false
		}
	}
	return a.Elem == nil || met.same(a.Elem, b.Elem)
}
