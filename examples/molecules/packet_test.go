//go:build unix

package molecules

import (
	"encoding/binary"
	"encoding/hex"
)

// The packets of this file are built from the protocol's description, apart from runtime/packet
// and apart from pool.py, so that an error in one of the three shows.

const magic = "\x6d\xf8\x07\x07"

var pingPacket = packet([8]byte{2}, nil, nil)

// packet returns a whole packet.
func packet(command [8]byte, metadata, payload []byte) []byte {
	b := append([]byte(magic), make([]byte, 8)...)
	b = append(b, command[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(metadata)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(payload)))
	b = append(b, metadata...)
	return append(b, payload...)
}

// callPacket returns a local call of manifold mid with the given argument packets.
func callPacket(mid uint32, arguments ...[]byte) []byte {
	command := [8]byte{0: 1}
	binary.LittleEndian.PutUint32(command[4:], mid)
	var payload []byte
	for _, argument := range arguments {
		payload = append(payload, argument...)
	}
	return packet(command, nil, payload)
}

// argument returns a data packet with a voidstar payload and no metadata.
func argument(payload []byte) []byte {
	return packet([8]byte{2: 4}, nil, payload)
}

// words returns 64-bit little-endian words.
func words(values ...uint64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// stringValue returns an argument of schema s.
func stringValue(s string) []byte {
	return argument(append(words(uint64(len(s)), 16), s...))
}

// stringList returns an argument of schema as.
func stringList(list ...string) []byte {
	b := words(uint64(len(list)), 16)
	at := uint64(len(b) + 16*len(list))
	var text string
	for _, s := range list {
		b = append(b, words(uint64(len(s)), at)...)
		at += uint64(len(s))
		text += s
	}
	return argument(append(b, text...))
}

// failureText returns the message of a failure packet; ok is false for everything else.
func failureText(reply []byte) (text string, ok bool) {
	if len(reply) < 32 {
		return "", false
	}
	text = string(reply[32:])
	want := packet([8]byte{2: 2, 5: 1}, nil, []byte(text))
	return text, string(want) == string(reply)
}

// unhex decodes a recorded packet; it panics on anything but hex.
func unhex(s string) []byte {
	b, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return b
}
