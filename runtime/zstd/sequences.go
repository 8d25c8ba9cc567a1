package zstd

const (
	modePredefined = 0
	modeRLE        = 1
	modeCompressed = 2
	modeRepeat     = 3
)

// readTable reads the table of one code and returns what follows it.
func (d *decoder) readTable(kind int, mode byte, src []byte) (rest []byte, err error) {
	set, table := &codeSets[kind], &d.kinds[kind]
	switch mode {
	case modePredefined:
		*table = predefined()[kind]
	case modeRLE:
		if len(src) == 0 {
			return nil, errTruncated
		}
		if int(src[0]) > set.max {
			return nil, errCorrupt
		}
		*table = sequenceTable{[]state{{symbol: src[0]}}, 0}
		src = src[1:]
	case modeCompressed:
		probs, log, size, err := fseDistribution(src, set.maxLog, set.max)
		if err != nil {
			return nil, err
		}
		rows, err := buildFSE(nil, probs, log)
		if err != nil {
			return nil, err
		}
		*table = sequenceTable{rows, log}
		src = src[size:]
	case modeRepeat:
		if table.rows == nil {
			return nil, errCorrupt
		}
	}
	return src, nil
}

// sequenceCount reads how many sequences a block has and returns what follows.
func sequenceCount(src []byte) (n int, rest []byte, err error) {
	width := 1
	if len(src) > 0 && src[0] >= 128 {
		width = 2
		if src[0] == 255 {
			width = 3
		}
	}
	if len(src) < width {
		return 0, nil, errTruncated
	}
	switch width {
	case 1:
		n = int(src[0])
	case 2:
		n = int(src[0]-128)<<8 + int(src[1])
	case 3:
		n = int(le.Uint16(src[1:])) + 0x7F00
	}
	return n, src[width:], nil
}

// compressed decodes the body of a compressed block (RFC 8878 3.1.1.3).
func (d *decoder) compressed(dst, src []byte) ([]byte, error) {
	src, err := d.readLiterals(src)
	if err != nil {
		return dst, err
	}
	n, src, err := sequenceCount(src)
	if err != nil {
		return dst, err
	}
	end := min(len(dst)+d.maxBlock, d.end)
	literals := d.literals
	if n > 0 {
		if dst, literals, err = d.sequences(dst, src, n, end); err != nil {
			return dst, err
		}
	} else if len(src) > 0 {
		return dst, errCorrupt
	}
	if len(literals) > end-len(dst) {
		return dst, d.overflow(end)
	}
	return append(dst, literals...), nil
}

// overflow is the error for content that does not end at end: the limit or a block's size.
func (d *decoder) overflow(end int) error {
	if end == d.end {
		return ErrLimit
	}
	return errCorrupt
}

// sequences runs n sequences and returns the literals that are left.
func (d *decoder) sequences(dst, src []byte, n, end int) (out, literals []byte, err error) {
	if len(src) == 0 {
		return dst, nil, errTruncated
	}
	modes := src[0]
	if modes&3 != 0 {
		return dst, nil, errCorrupt // reserved
	}
	src = src[1:]
	for kind := range d.kinds {
		if src, err = d.readTable(kind, modes>>(6-2*kind)&3, src); err != nil {
			return dst, nil, err
		}
	}
	r, ok := newBitReader(src)
	if !ok {
		return dst, nil, errCorrupt
	}
	r.fill()
	var states [3]state
	for kind, t := range d.kinds {
		states[kind] = t.rows[r.read(t.log)]
	}
	literals = d.literals
	for ; ; n-- {
		s := d.sequence(&r, &states)
		if r.over || s.offset == 0 || s.literals > uint(len(literals)) {
			return dst, nil, errCorrupt
		}
		if s.literals+s.match > uint(end-len(dst)) {
			return dst, nil, d.overflow(end)
		}
		dst = append(dst, literals[:s.literals]...)
		literals = literals[s.literals:]
		if s.offset > uint(len(dst)-d.start) || uint64(s.offset) > d.window {
			return dst, nil, errCorrupt
		}
		dst = appendMatch(dst, int(s.offset), int(s.match))
		if n == 1 {
			break
		}
		r.fill()
		for _, kind := range [3]int{literalLengths, matchLengths, offsetCodes} {
			s := &states[kind]
			*s = d.kinds[kind].rows[uint64(s.base)+r.read(uint(s.bits))]
		}
	}
	if !r.exhausted() {
		return dst, nil, errCorrupt
	}
	return dst, literals, nil
}

// A sequence copies literals, then match bytes from offset back; offset 0 is corrupt.
type sequence struct{ literals, match, offset uint }

// sequence reads the extra bits of the states' codes.
func (d *decoder) sequence(r *bitReader, states *[3]state) (s sequence) {
	r.fill()
	k := uint(states[offsetCodes].symbol)
	offset := 1<<k + r.read(k)
	match := matchLengthCodes[states[matchLengths].symbol]
	s.match = uint(match.base) + uint(r.read(uint(match.extra)))
	r.fill()
	run := literalLengthCodes[states[literalLengths].symbol]
	s.literals = uint(run.base) + uint(r.read(uint(run.extra)))
	s.offset = uint(d.recent.offset(uint32(offset), s.literals == 0))
	return s
}

// recent holds the last three offsets of a frame, the newest first.
type recent [3]uint32

// newRecent is what every frame starts with.
var newRecent = recent{1, 4, 8}

// offset turns an offset value into an offset and remembers it: 1 to 3 repeat one of the
// last three, counted from the second if no literals come first (RFC 8878 3.1.1.5).
func (r *recent) offset(value uint32, bare bool) uint32 {
	if value > 3 {
		r[0], r[1], r[2] = value-3, r[0], r[1]
		return r[0]
	}
	if bare {
		value++
	}
	switch value {
	case 2:
		r[0], r[1] = r[1], r[0]
	case 3:
		r[0], r[1], r[2] = r[2], r[0], r[1]
	case 4:
		r[0], r[1], r[2] = r[0]-1, r[0], r[1]
	}
	return r[0]
}

// appendMatch appends n bytes from offset back; the two may overlap, which repeats them.
func appendMatch(dst []byte, offset, n int) []byte {
	for from := len(dst) - offset; n > 0; {
		k := min(n, len(dst)-from)
		dst = append(dst, dst[from:from+k]...)
		n -= k
	}
	return dst
}
