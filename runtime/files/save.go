package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/msgpack"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pure"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
	"github.com/mcpgen/mcpgen/runtime/zstd"
)

// A levelError says that a compression level is not one. It is no user error.
type levelError string

// Error implements error.
func (e levelError) Error() string {
	return "@save compression level must be in 0..=9, got " + string(e)
}

// CheckLevel checks a compression level.
func CheckLevel[I pure.Integer](level I) error {
	if level < 0 || level > 9 {
		return levelError(string(fmtInteger(level)))
	}
	return nil
}

// fmtInteger returns v in decimal.
func fmtInteger[I pure.Integer](v I) []byte {
	if v < 0 {
		return strconv.AppendInt(nil, int64(v), 10)
	}
	return strconv.AppendUint(nil, uint64(v), 10)
}

// CheckLevelInt is [CheckLevel] for an integer of any size.
func CheckLevelInt(level jsonx.Int) error {
	small, ok := level.Int64()
	if !ok {
		return levelError(level.String())
	}
	return CheckLevel(small)
}

// Level returns a level that [CheckLevelInt] has passed, for [SaveVoidstar].
func Level(level jsonx.Int) int {
	small, _ := level.Int64()
	return int(small)
}

// SaveJSON writes text, which is what show makes of a value.
func SaveJSON(path string, text []byte) error { return replace(path, text) }

// SaveMsgpack writes a value as msgpack. schema is its type without hints, payload the
// value as packet.Call lays it out.
func SaveMsgpack(path, schema string, payload []byte) error {
	data, err := msgpack.FromVoidstar(schema, payload)
	if err != nil {
		return pure.User(err)
	}
	return replace(path, data)
}

// maxFrame is how much a frame of a compressed packet holds, in bytes.
const maxFrame = 16 << 20

// SaveVoidstar writes a value as a packet, compressed if level is not 0. schema is its
// type without hints, payload the value as packet.Call lays it out, level one that
// [CheckLevel] has passed.
func SaveVoidstar(path, schema string, level int, payload []byte) error {
	payload, err := voidstar.Fit(schema, payload)
	if err != nil {
		return pure.User(err)
	}
	if level == 0 {
		return replace(path, packet.AppendData(nil, schema, packet.FormatVoidstar, payload))
	}
	var packed []byte
	var frames []packet.Frame
	for start := 0; start < max(len(payload), 1); start += maxFrame {
		part := payload[start:min(start+maxFrame, len(payload))]
		before := len(packed)
		packed = zstd.Encode(packed, part, level)
		frames = append(frames, packet.Frame{Plain: uint64(len(part)), Packed: uint64(len(packed) - before)})
	}
	return replace(path, packet.AppendCompressed(nil, schema, packet.FormatVoidstar, frames, packed))
}

// replace gives the file at path a content, all at once.
func replace(path string, data []byte) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return ioError(syscall.EISDIR)
	}
	folder, name := filepath.Split(path)
	if name == "" { // which no file has
		return ioError(syscall.ENOENT)
	}
	f, err := create(folder, name)
	if err != nil {
		return ioError(err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // the error that counts is the first one
		return ioError(err)
	}
	return nil
}

var created atomic.Uint64 // files by create

// create creates a new file beside the one of a name.
func create(folder, name string) (*os.File, error) {
	for {
		unique := strconv.Itoa(os.Getpid()) + "." + strconv.FormatUint(created.Add(1), 10)
		path := filepath.Join(folder, "."+name+".tmp."+unique)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
