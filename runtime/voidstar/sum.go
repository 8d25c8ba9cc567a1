package voidstar

import "github.com/mcpgen/mcpgen/runtime/jsonx"

// Tag reads which of n constructors an enum is. One that there is not makes the value bad
// and is read as 0.
func (r *Reader) Tag(at, n int) uint8 { return r.known(r.at(at, 1), n) }

// Arm reads which of n constructors a variant has, as [Reader.Tag] does.
func (r *Reader) Arm(at, n int) uint8 { return r.known(r.at(at, 16), n) }

func (r *Reader) known(slot []byte, n int) uint8 {
	tag := slot[0]
	if int(tag) >= n {
		r.bad = true
		return 0
	}
	return tag
}

// Payload returns the address of the fields of a variant whose constructor has some; false,
// and the value is bad, if they are missing.
func (r *Reader) Payload(at int) (fields int, ok bool) {
	ptr := le.Uint64(r.at(at+8, 8))
	if ptr >= nullPtr || !r.spend(1) {
		r.bad = true
		return 0, false
	}
	return int(ptr & r.mask), true
}

// AppendEnum appends the name of an enum's constructor.
func (r *Reader) AppendEnum(dst []byte, at int, names []string) []byte {
	return jsonx.AppendString(dst, names[r.Tag(at, len(names))])
}

// AppendPayload appends the fields of a variant, which f appends.
func (r *Reader) AppendPayload(dst []byte, at int, f Append) []byte {
	fields, ok := r.Payload(at)
	if !ok {
		return dst
	}
	if r.enter() {
		dst = f(r, dst, fields)
	}
	r.leave()
	return dst
}

// Payload reads the fields of a variant; nil, and the value is bad, if they are missing.
func Payload[T any](r *Reader, at int, f func(r *Reader, at int) T) *T {
	fields, ok := r.Payload(at)
	if !ok {
		return nil
	}
	defer r.leave()
	if !r.enter() {
		return nil
	}
	v := f(r, fields)
	return &v
}
