package voidstar_test

import (
	"bytes"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/msgpack"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// Bytes damaged in any way must neither panic nor run without end. A reply of each type
// and form will do.
func TestDamagedReplies(t *testing.T) {
	t.Parallel()
	damages := []byte{0x01, 0x80, 0xff}
	if testing.Short() {
		damages = damages[2:]
	}
	seen := map[string]bool{}
	for _, e := range recordedCalls(t) {
		if key := withoutHints(e.ReturnSchema) + e.ReplyForm; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			for _, damage := range damages {
				eachDamaged(e.ReplyHex, damage, func(reply []byte) {
					readAll(reply, e.ReturnSchema)
				})
				eachDamaged(e.SHM.Hex, damage, func(memory []byte) {
					var r voidstar.Reader
					if r.ResetShared(16, volumes{0: memory, e.SHM.Volume: memory}.region) == nil {
						appender(mustParse(t, e.ReturnSchema))(&r, nil, r.Root())
					}
				})
			}
		})
	}
}

// eachDamaged calls f with copies of b in each of which another byte is damaged.
func eachDamaged(b []byte, damage byte, f func([]byte)) {
	for i := range b {
		damaged := bytes.Clone(b)
		damaged[i] ^= damage
		f(damaged)
	}
}

// readAll does with a packet all that a client may do.
func readAll(b []byte, schema string) {
	reply, err := packet.Open(b)
	if err != nil {
		return
	}
	reply.Schema()
	reply.Path()
	reply.Address()
	reply.Frames()
	payload := reply.Payload
	if reply.Format == packet.FormatMsgpack {
		if payload, err = msgpack.ToVoidstar(schema, payload); err != nil {
			return
		}
	}
	s, err := voidstar.ParseSchema(schema)
	if err != nil {
		return
	}
	var r voidstar.Reader
	r.Reset(payload)
	if text := appender(s)(&r, nil, 0); len(text) < 1<<20 { // no loop
		r.Reset(payload)
		value(s)(&r, 0)
	}
	voidstar.FindNUL(schema, payload)
	voidstar.Estimate(schema, payload)
	msgpack.FromVoidstar(schema, payload)
}
