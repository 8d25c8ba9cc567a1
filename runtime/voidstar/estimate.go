package voidstar

// Estimate returns the number of bytes that a pool sets aside for a value, and by which
// it decides how to send it (pool-protocol 4.7). The value itself, as packet.Call lays it
// out, needs no more.
func Estimate(schema string, payload []byte) (int, error) {
	s, err := ParseSchema(schema)
	if err != nil {
		return 0, err
	}
	var r Reader
	r.Reset(payload)
	n := r.estimate(s, r.root)
	if r.bad {
		return 0, ErrMalformed
	}
	return n, nil
}

// Fit returns a payload as long as [Estimate] says, cut or filled up with zeros: what
// the packet of a saved value holds. It may share memory with the payload given.
func Fit(schema string, payload []byte) ([]byte, error) {
	n, err := Estimate(schema, payload)
	if err != nil {
		return nil, err
	}
	if n <= len(payload) {
		return payload[:n], nil
	}
	return append(payload[:len(payload):len(payload)], make([]byte, n-len(payload))...), nil
}

func (r *Reader) estimate(s *Schema, at int) int {
	switch s.Kind {
	case KindInt:
		if _, limbs := r.Limbs(at); limbs != nil {
			return s.Width + 7 + len(limbs)
		}
	case KindString:
		return s.Width + len(r.Bytes(at))
	case KindList:
		return s.Width + r.estimateElements(s.Elem, at)
	case KindOptional:
		return s.Width + r.estimateHeld(s.Elem, at)
	case KindVariant:
		return s.Width + r.estimatePayload(s.Arms, at)
	case KindTuple, KindRecord:
		n := s.Width
		for _, f := range s.Fields {
			n += max(r.estimate(f.Schema, at+f.Offset)-f.Schema.Width, 0)
		}
		return n
	}
	return s.Width
}

// estimateHeld estimates what the optional at an address holds.
func (r *Reader) estimateHeld(elem *Schema, at int) int {
	target, ok := r.Target(at)
	if !ok {
		return 0
	}
	defer r.leave()
	if !r.enter() {
		return 0
	}
	return elem.Align - 1 + r.estimate(elem, target)
}

// estimatePayload estimates the fields of the variant at an address.
func (r *Reader) estimatePayload(arms []Arm, at int) int {
	payload := arms[r.Arm(at, len(arms))].Payload
	if payload == nil || r.bad {
		return 0
	}
	defer r.leave()
	fields, ok := r.Payload(at)
	if !r.enter() || !ok {
		return 0
	}
	return payload.Align - 1 + r.estimate(payload, fields)
}

// estimateElements estimates the elements of the list at an address.
func (r *Reader) estimateElements(elem *Schema, at int) int {
	count, first := r.Elements(at, elem.Width)
	if count == 0 {
		return 0
	}
	n := elem.DataAlign() - 1
	if elem.IsFixed() {
		return n + count*elem.Width
	}
	defer r.leave()
	if !r.enter() {
		return 0
	}
	for i := 0; i < count && !r.bad; i++ {
		n += r.estimate(elem, first+i*elem.Width)
	}
	return n
}
