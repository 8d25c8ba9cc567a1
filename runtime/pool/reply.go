package pool

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mcpgen/mcpgen/runtime/msgpack"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/shm"
	"github.com/mcpgen/mcpgen/runtime/zstd"
)

// maxFrame is the size of the largest frame of a compressed file before compression.
const maxFrame = 16 << 20

var (
	errIrregular = errors.New("not a regular file")
	errVanished  = errors.New("shared memory error: a volume was cut short")
	errFileLong  = errors.New("packet error: file of more than 1 GiB")
	errFrameSize = errors.New("packet error: frame of another size than stated")
)

// read puts the reader on the value of a reply, in whatever form it comes.
func (s *set) read(r packet.Reply, schema string) error {
	switch {
	case r.Source == packet.SourceRelptr:
		return s.readShared(r)
	case r.Source == packet.SourceFile:
		path, err := r.Path()
		if err != nil {
			return err
		}
		err = s.readFile(path, r.Format, schema)
		if _, isFailure := err.(packet.Failure); err == nil || isFailure {
			return err
		}
		return errFile(path, err)
	}
	return s.readValue(r.Format, r.Payload, schema)
}

// readValue puts the reader on a value in memory.
func (s *set) readValue(f packet.Format, value []byte, schema string) error {
	if f == packet.FormatMsgpack {
		var err error
		if value, err = msgpack.ToVoidstar(schema, value); err != nil {
			return err
		}
	}
	s.reader.Reset(value)
	return nil
}

// readShared puts the reader on a value in shared memory.
func (s *set) readShared(r packet.Reply) (err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case interface{ Addr() uintptr }: // mapped, but no longer in the file
			err = errVanished
		default:
			panic(fault)
		}
	}()
	root, err := r.Address()
	if err != nil {
		return err
	}
	const offsetBits = 48
	region := s.gen.area.Volume(root >> offsetBits)
	s.owed += shm.BlockSize(region, root&(1<<offsetBits-1))
	return s.reader.ResetShared(root, s.gen.volume)
}

// readFile puts the reader on a value in a file: a whole data packet that the pools cache,
// or a result in msgpack, which nobody needs any more after that.
func (s *set) readFile(path string, f packet.Format, schema string) error {
	var err error
	if s.file, err = loadFile(s.file[:0], path); err != nil {
		return err
	}
	if f == packet.FormatMsgpack {
		if isTemporary(path) {
			_ = os.Remove(path)
		}
		return s.readValue(f, s.file, schema)
	}
	r, err := packet.OpenFile(s.file)
	if err != nil {
		return err
	}
	value := r.Payload
	if r.Compressed {
		if value, err = decompress(r); err != nil {
			return err
		}
	}
	return s.readValue(r.Format, value, schema)
}

// isTemporary reports whether a file is one that pools make for a single reply.
func isTemporary(path string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, "morloc-pkt-") && strings.HasSuffix(name, ".mpk")
}

// loadFile appends the content of a file.
func loadFile(dst []byte, path string) ([]byte, error) {
	f, size, err := openRegular(path)
	if err != nil {
		return dst, err
	}
	defer f.Close()
	if size > maxReply {
		return dst, errFileLong
	}
	n := int(size)
	dst = slices.Grow(dst, n)[:len(dst)+n]
	_, err = io.ReadFull(f, dst[len(dst)-n:])
	return dst, err
}

// openRegular opens a file that others have named, and returns its size. It never waits, as
// opening a pipe does that nobody writes to.
func openRegular(path string) (f *os.File, size int64, err error) {
	if f, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errIrregular
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// decompress returns the value that a compressed packet holds (pool-protocol 3.6).
func decompress(r packet.Reply) ([]byte, error) {
	frames, err := r.Frames()
	if err != nil {
		return nil, err
	}
	var value []byte
	rest := r.Payload
	for _, f := range frames {
		if f.Plain > maxFrame || len(value)+int(f.Plain) > maxReply {
			return nil, errFileLong
		}
		want := len(value) + int(f.Plain)
		if value, err = zstd.Decode(value, rest[:f.Packed], int(f.Plain)); err != nil {
			return nil, errors.New("packet error: " + err.Error())
		}
		if len(value) != want {
			return nil, errFrameSize
		}
		rest = rest[f.Packed:]
	}
	return value, nil
}
