package msgpack

import (
	"errors"
	"math"
	"strconv"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// scalar fills in the value of a token that stands for all of it.
func (d *decoder) scalar(at int, s *voidstar.Schema, t token) error {
	switch s.Kind {
	case voidstar.KindUnit:
		if t.form != formNil {
			return mismatch("nil")
		}
		return nil
	case voidstar.KindBool:
		if t.form != formBool {
			return mismatch("bool")
		}
		d.buf[at] = byte(t.bits)
		return nil
	case voidstar.KindFloat32, voidstar.KindFloat64:
		return d.float(at, s, t)
	case voidstar.KindInt:
		return d.unbounded(at, t)
	case voidstar.KindEnum:
		return d.enum(at, s, t)
	}
	return d.integer(at, s, t)
}

// integer fills in an integer of fixed width.
func (d *decoder) integer(at int, s *voidstar.Schema, t token) error {
	if t.form != formUint && t.form != formInt {
		return mismatch("int")
	}
	bits := 8 * s.Width
	fits := t.form == formUint && t.bits>>(bits-1)>>1 == 0
	if s.Kind <= voidstar.KindInt64 {
		v := int64(t.bits)
		fits = v>>(bits-1) == v>>63 && (v < 0) == (t.form == formInt)
	}
	if !fits {
		return errors.New("serialization error: value " + t.decimal() + " out of range")
	}
	var raw [8]byte
	le.PutUint64(raw[:], t.bits)
	copy(d.buf[at:at+s.Width], raw[:])
	return nil
}

// decimal returns the text of an integer or a length.
func (t token) decimal() string {
	if t.form == formInt {
		return strconv.FormatInt(int64(t.bits), 10)
	}
	return strconv.FormatUint(t.bits, 10)
}

func (d *decoder) float(at int, s *voidstar.Schema, t token) error {
	var v float64
	switch t.form {
	case formFloat:
		v = math.Float64frombits(t.bits)
	case formInt:
		v = float64(int64(t.bits))
	case formUint:
		v = float64(t.bits)
	default:
		return mismatch("float")
	}
	if s.Kind == voidstar.KindFloat32 {
		le.PutUint32(d.buf[at:], math.Float32bits(float32(v)))
	} else {
		le.PutUint64(d.buf[at:], math.Float64bits(v))
	}
	return nil
}

// unbounded fills in an integer of any size: an integer form, or the bytes of limbs.
func (d *decoder) unbounded(at int, t token) error {
	switch {
	case t.form == formUint && t.bits > math.MaxInt64: // takes a second limb for its sign
		limbs := d.block(16, 8)
		le.PutUint64(d.buf[limbs:], t.bits)
		d.pair(at, 2, uint64(limbs))
		return nil
	case t.form == formUint || t.form == formInt:
		d.pair(at, 1, t.bits)
		return nil
	case t.form != formBinary || t.bits%8 != 0:
		return mismatch("int")
	}
	limbs, err := d.take(t.bits)
	switch {
	case err != nil:
		return err
	case len(limbs) == 8:
		d.pair(at, 1, le.Uint64(limbs))
	case len(limbs) > 8:
		d.pair(at, uint64(len(limbs)/8), uint64(d.block(0, 8)))
		d.buf = append(d.buf, limbs...)
	}
	return nil
}
