package packet

import (
	"bytes"
	"errors"
	"strings"
)

const (
	maxPath    = 4096
	relptrSize = 8
)

var (
	errEncrypted  = errors.New("packet error: encrypted packet")
	errCompressed = errors.New("packet error: compressed packet")
	errFrames     = errors.New("packet error: compressed packet missing METADATA_TYPE_FRAME_INDEX entry")
)

// A Failure is the text with which a pool says that a call failed. It is meant for the
// caller of the tool, as it is.
type Failure string

// Error implements error.
func (f Failure) Error() string { return string(f) }

// A Reply is a data packet, opened. It aliases the bytes it was opened from.
type Reply struct {
	Source     Source
	Format     Format
	Compressed bool   // the payload is made of zstd frames
	Payload    []byte // value, path or address, as Source says
	meta       []byte
}

// Open checks and opens the reply of a pool (pool-protocol 3.10), which must fill b. A
// pool's failure is a [Failure]; so nothing else than a passed, plain value in one of the
// forms that pools answer with gets through.
func Open(b []byte) (Reply, error) {
	r, err := open(b)
	switch {
	case err != nil:
		return Reply{}, err
	case r.Compressed:
		return Reply{}, errCompressed
	case !r.known():
		return Reply{}, unsupported(r)
	}
	return r, nil
}

// OpenFile checks and opens a data packet that fills a file: the saved or cached value,
// possibly compressed.
func OpenFile(b []byte) (Reply, error) {
	r, err := open(b)
	switch {
	case err != nil:
		return Reply{}, err
	case r.Source != SourceMessage || !r.known():
		return Reply{}, unsupported(r)
	}
	return r, nil
}

// open does what is common to replies and files.
func open(b []byte) (Reply, error) {
	h, err := ParseHeader(b)
	if err != nil {
		return Reply{}, err
	}
	if h.Type != TypeData {
		return Reply{}, ErrMalformed
	}
	meta, payload, err := h.split(b, false)
	switch {
	case err != nil:
		return Reply{}, err
	case h.Failed: // whatever else the header says
		return Reply{}, failure(payload)
	case h.Encrypted:
		return Reply{}, errEncrypted
	}
	return Reply{h.Source, h.Format, h.Compressed, payload, meta}, nil
}

// failure returns the text of a failure, which ends at the first NUL if it has one.
func failure(payload []byte) Failure {
	text, _, _ := bytes.Cut(payload, []byte{0})
	return Failure(strings.ToValidUTF8(string(text), "\uFFFD"))
}

// known reports whether values come in this form (pool-protocol 3.9, no tables).
func (r Reply) known() bool {
	switch r.Source {
	case SourceMessage:
		return r.Format == FormatVoidstar || r.Format == FormatMsgpack
	case SourceFile:
		return r.Format == FormatData || r.Format == FormatMsgpack
	case SourceRelptr:
		return r.Format == FormatVoidstar
	}
	return false
}

func unsupported(r Reply) error {
	text := []byte("packet error: Unsupported packet source/format: 0x")
	text = appendHex(text, byte(r.Source))
	text = append(text, "/0x"...)
	return errors.New(string(appendHex(text, byte(r.Format))))
}

func appendHex(dst []byte, b byte) []byte {
	const digits = "0123456789abcdef"
	return append(dst, digits[b>>4], digits[b&15])
}

// Schema returns the type schema that the packet states, "" if it states none. Values
// that pools answer with are decoded by the manifest's schema, never by this one.
func (r Reply) Schema() string { return schemaOf(r.meta) }

// Path returns the path that a reply of [SourceFile] carries.
func (r Reply) Path() (string, error) {
	if n := len(r.Payload); n == 0 || n > maxPath || bytes.IndexByte(r.Payload, 0) >= 0 {
		return "", ErrMalformed
	}
	return string(r.Payload), nil
}

// Address returns the address that a reply of [SourceRelptr] carries: an offset in the
// low 48 bits, the index of a volume above them.
func (r Reply) Address() (int, error) {
	if len(r.Payload) != relptrSize {
		return 0, ErrMalformed
	}
	at := int64(le.Uint64(r.Payload))
	if at < 0 {
		return 0, ErrMalformed
	}
	return int(at), nil
}

// Frames returns the sizes of the frames that a compressed payload is made of. They are
// checked to fill the payload; what they say about the size before compression is not.
func (r Reply) Frames() ([]Frame, error) {
	for kind, body := range entries(r.meta) {
		if kind == entryFrames {
			return parseFrames(body, uint64(len(r.Payload)))
		}
	}
	return nil, errFrames
}

func parseFrames(body []byte, total uint64) ([]Frame, error) {
	if len(body) < 4 {
		return nil, ErrMalformed
	}
	count := uint64(le.Uint32(body))
	if body = body[4:]; count*frameSize > uint64(len(body)) {
		return nil, ErrMalformed
	}
	frames := make([]Frame, count)
	for i := range frames {
		f := body[frameSize*i:]
		frames[i] = Frame{le.Uint64(f), le.Uint64(f[8:])}
		if frames[i].Packed > total {
			return nil, ErrMalformed
		}
		total -= frames[i].Packed
	}
	if total > 0 {
		return nil, ErrMalformed
	}
	return frames, nil
}
