// Package packet writes and opens the packets that a server and its language pools
// exchange on a socket, and that saved values lie in on disk (pool-protocol 3).
//
// A packet is a header of [HeaderSize] bytes, a block of metadata and a payload; all
// integers are little-endian. A [Call] holds one data packet for each argument and is
// written straight from typed values, without a tree in between. [Open] takes a reply
// apart; what its payload means is for packages voidstar and msgpack to say.
//
// The package opens no socket and no file. Nothing in it is safe for concurrent use.
package packet

import (
	"encoding/binary"
	"errors"
)

var le = binary.LittleEndian

// HeaderSize is the number of bytes of a header.
const HeaderSize = 32

// Ping is the packet that a pool answers with the same bytes.
const Ping = "\x6d\xf8\x07\x07\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00" +
	"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

const magic = 0x0707f86d

// A Type tells what a packet is for.
type Type uint8

// Packet types. Stream and footer packets occur in files only.
const (
	TypeData Type = iota
	TypeCall
	TypePing
	TypeStream
	TypeFooter
)

// A Source tells where the value of a data packet is.
type Source uint8

// Sources: the payload is the value, the path of a file, or an address in shared memory.
const (
	SourceMessage Source = iota
	SourceFile
	SourceRelptr
)

// A Format tells how the value of a data packet is encoded.
type Format uint8

// Formats. With FormatData a file holds a whole data packet.
const (
	FormatJSON Format = iota
	FormatMsgpack
	FormatText
	FormatData
	FormatVoidstar
	FormatArrow
)

// ErrMalformed says that bytes are not a packet, or not one of the type wanted.
var ErrMalformed = errors.New("packet error: Malformed morloc packet")

// A Header is what the first [HeaderSize] bytes of a packet say.
type Header struct {
	Type Type

	// Of data packets; 0 in others.
	Source     Source
	Format     Format
	Compressed bool
	Encrypted  bool
	Failed     bool // the payload is the text of a failure

	// Of call packets; 0 in others.
	Remote bool
	MID    uint32

	Offset uint32 // bytes of metadata behind the header
	Length uint64 // bytes of payload behind the metadata
}

// ParseHeader reads a header. Bytes behind it are ignored.
func ParseHeader(b []byte) (Header, error) {
	if len(b) < HeaderSize || le.Uint32(b) != magic {
		return Header{}, ErrMalformed
	}
	h := Header{Type: Type(b[12]), Offset: le.Uint32(b[20:]), Length: le.Uint64(b[24:])}
	switch h.Type {
	case TypeData:
		h.Source, h.Format = Source(b[13]), Format(b[14])
		h.Compressed, h.Encrypted, h.Failed = b[15] != 0, b[16] != 0, b[17] != 0
	case TypeCall:
		h.Remote, h.MID = b[13] != 0, le.Uint32(b[16:])
	}
	return h, nil
}

// split cuts what stands behind the header into metadata and payload. The packet must
// fill b; with more allowed, it may be followed by other bytes.
func (h Header) split(b []byte, more bool) (meta, payload []byte, err error) {
	body := b[HeaderSize:]
	offset := uint64(h.Offset)
	if offset > uint64(len(body)) {
		return nil, nil, ErrMalformed
	}
	room := uint64(len(body)) - offset
	if h.Length > room || h.Length < room && !more {
		return nil, nil, ErrMalformed
	}
	return body[:offset], body[offset : offset+h.Length], nil
}

// A TooLong is the error about a packet of more bytes than the reader accepts.
type TooLong struct{ Limit uint64 }

// Error implements error.
func (e TooLong) Error() string {
	return "packet error: reply of more than " + decimal(e.Limit) + " bytes"
}

// Total returns the number of bytes of the packet that starts with a header, the header
// included, so that a client knows how much to read. More than limit is a [TooLong].
func Total(header []byte, limit uint64) (uint64, error) {
	h, err := ParseHeader(header)
	if err != nil {
		return 0, err
	}
	head := HeaderSize + uint64(h.Offset)
	if head > limit || h.Length > limit-head {
		return 0, TooLong{limit}
	}
	return head + h.Length, nil
}
