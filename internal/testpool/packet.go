//go:build linux

package testpool

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

var le = binary.LittleEndian

const (
	headerSize = 32
	magic      = "\x6d\xf8\x07\x07"
	maxMessage = 1 << 30

	typeCall = 1
	typePing = 2

	sourceMessage = 0
	sourceFile    = 1
	sourceRelptr  = 2

	formatMsgpack  = 1
	formatText     = 2
	formatData     = 3
	formatVoidstar = 4
)

var errMalformed = errors.New("packet error: Malformed morloc packet")

// readMessage reads a packet. What is malformed is returned as far as it was read.
func readMessage(r io.Reader) ([]byte, error) {
	b := make([]byte, headerSize)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, err
	}
	size := uint64(le.Uint32(b[20:])) + le.Uint64(b[24:])
	if string(b[:4]) != magic || size > maxMessage {
		return b, errMalformed
	}
	b = append(b, make([]byte, size)...)
	_, err := io.ReadFull(r, b[headerSize:])
	return b, err
}

// arguments returns the payloads of a call's arguments.
func arguments(call []byte) (args [][]byte, err error) {
	for rest := call[headerSize:]; len(rest) > 0; {
		if len(rest) < headerSize || string(rest[:4]) != magic || rest[12] != 0 {
			return nil, errMalformed
		}
		meta, size := uint64(le.Uint32(rest[20:])), le.Uint64(rest[24:])
		rest = rest[headerSize:]
		if meta+size > uint64(len(rest)) {
			return nil, errMalformed
		}
		args = append(args, rest[meta:meta+size])
		rest = rest[meta+size:]
	}
	return args, nil
}

// text returns the string that a payload holds.
func text(payload []byte) ([]byte, error) {
	if len(payload) < 16 {
		return nil, errMalformed
	}
	n, at := le.Uint64(payload), le.Uint64(payload[8:])
	if n == 0 {
		return nil, nil
	}
	if at > uint64(len(payload)) || n > uint64(len(payload))-at {
		return nil, errMalformed
	}
	return payload[at : at+n], nil
}

// Text returns the payload that holds a string.
func Text(s string) []byte {
	b := le.AppendUint64(nil, uint64(len(s)))
	b = le.AppendUint64(b, 16)
	return append(b, s...)
}

// Data returns a data packet whose value is a string, in any form.
func Data(source, format byte, payload []byte) []byte {
	b := append([]byte(magic), make([]byte, headerSize-len(magic))...)
	b[13], b[14] = source, format
	b[20] = 32
	le.PutUint64(b[24:], uint64(len(payload)))
	schema := append([]byte("mmh\x01\x02\x00\x00\x00s\x00"), make([]byte, 22)...)
	return bytes.Join([][]byte{b, schema, payload}, nil)
}

// Fail returns the packet of a failure.
func Fail(message string) []byte {
	b := append([]byte(magic), make([]byte, headerSize-len(magic))...)
	b[14], b[17] = formatText, 1
	le.PutUint64(b[24:], uint64(len(message)))
	return append(b, message...)
}

// Call returns a call packet whose arguments are strings.
func Call(mid uint32, args ...string) []byte {
	b := append([]byte(magic), make([]byte, headerSize-len(magic))...)
	b[12] = typeCall
	le.PutUint32(b[16:], mid)
	for _, a := range args {
		payload := Text(a)
		payload = append(payload, make([]byte, -len(payload)&7)...)
		b = append(b, Data(sourceMessage, formatVoidstar, payload)...)
	}
	le.PutUint64(b[24:], uint64(len(b)-headerSize))
	return b
}
