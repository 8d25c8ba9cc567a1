package packet

import "errors"

// EachArgument calls f for the arguments of a call packet, in order, until it returns
// false: their number, type schema and payload, which aliases the packet.
func EachArgument(call []byte, f func(i int, schema string, payload []byte) bool) error {
	h, err := ParseHeader(call)
	if err != nil {
		return err
	}
	if h.Type != TypeCall {
		return ErrMalformed
	}
	_, rest, err := h.split(call, false)
	if err != nil {
		return err
	}
	for i := 0; len(rest) > 0; i++ {
		h, err := ParseHeader(rest)
		if err != nil {
			return err
		}
		if h.Type != TypeData {
			return notData(i, h.Type)
		}
		meta, payload, err := h.split(rest, true)
		if err != nil {
			return err
		}
		if !f(i, schemaOf(meta), payload) {
			return nil
		}
		rest = rest[HeaderSize+len(meta)+len(payload):]
	}
	return nil
}

func notData(i int, t Type) error {
	return errors.New("packet error: Argument #" + decimal(uint64(i)) +
		" is not a DATA packet (type=" + decimal(uint64(t)) + ")")
}
