//go:build linux

package testpool

import (
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
)

// Layout of shared memory (pool-protocol 5.1), and the first volume that [Shared] uses.
const (
	volumeHeader = 168
	volumeSize   = 65_703
	blockHeader  = 16
	sharedVolume = 4660
)

// A shared is a block of shared memory that holds a result.
type shared struct {
	path   string
	offset int64 // of its header in the file
	size   int
}

// destroy frees the block, as a pool's next job does, and overwrites what was in it.
func (s shared) destroy() {
	if s.path == "" {
		return
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	waste := make([]byte, s.size-8)
	for i := range waste {
		waste[i] = 0xaa
	}
	clear(waste[:4]) // the reference count; then the size and the value
	_, _ = f.WriteAt(waste, s.offset+4)
}

// volume returns the path of a volume, which is made if it does not exist.
func (p *pool) volume(index, size int) (string, error) {
	name := p.basename + "_" + strconv.Itoa(index)
	path := filepath.Join("/dev/shm", name)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if os.IsExist(err) {
		return path, nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	head := make([]byte, volumeHeader)
	copy(head, "\xf0\x0d\xca\xfe"+name)
	le.PutUint32(head[132:], uint32(index))
	le.PutUint64(head[136:], uint64(size-volumeHeader))
	if _, err := f.Write(head); err != nil {
		return "", err
	}
	return path, f.Truncate(int64(size))
}

// put writes a block, with its header, into a volume, which is made with a size.
func (p *pool) put(index, size int, offset int64, block []byte) error {
	path, err := p.volume(index, size)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	at := volumeHeader + offset
	if _, err := f.WriteAt(block, at); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = shared{path: path, offset: at, size: len(block)}
	return nil
}

// share answers with a string in shared memory. As volumes do not grow, each order of
// magnitude has one of its own.
func (p *pool) share(arg []byte) []byte {
	order := max(bits.Len(uint(len(arg)))+1, 10)
	index := sharedVolume + order
	root := uint64(index)<<48 | blockHeader
	value := Text(string(arg))
	le.PutUint64(value[8:], root+16)
	block := append([]byte("\xf0\x0d\xb1\x0c\x01\x00\x00\x00"), make([]byte, 8)...)
	le.PutUint64(block[8:], uint64(len(value)))
	if err := p.put(index, volumeHeader+1<<order, 0, append(block, value...)); err != nil {
		return Fail(err.Error())
	}
	return Data(sourceRelptr, formatVoidstar, le.AppendUint64(nil, root))
}
