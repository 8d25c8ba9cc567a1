package shm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// markFile notes, in the run directory, that there will be a file of shared memory: those
// who clean up after a killed server go by such marks.
func markFile(folder, file string) error {
	return os.WriteFile(filepath.Join(folder, file+".shm"), nil, 0o600)
}

// SweepMarked removes the shared memory that a run directory has marks of: of files, or of
// basenames.
func SweepMarked(folder string) { sweepMarked(home, folder) }

func sweepMarked(dir, folder string) {
	for _, mark := range names(folder) {
		marked, ok := cutMark(mark)
		if !ok {
			continue
		}
		for _, name := range names(dir) {
			rest, ok := strings.CutPrefix(name, marked)
			if path := filepath.Join(dir, name); ok && (rest == "" || isAnySuffix(rest)) && isOurs(path) {
				_ = os.Remove(path)
			}
		}
	}
}

var (
	errNoBlock  = errors.New("shared memory error: no block to be released")
	errReleased = errors.New("shared memory error: block was released before")
)

const (
	offsetBits = 48
	releasing  = 1<<32 - 1 // count of a block that is being released
)

// Release gives back the block at an address, of which a reply has given us a share: its
// count falls by one, and the last one to let go zeroes it (pool-protocol-next.md 5.4). It
// is called once for each such reply.
func (a *Area) Release(address int) error {
	index, offset := address>>offsetBits, address&(1<<offsetBits-1)
	file := a.writable(index)
	if file == nil {
		return errNoBlock
	}
	defer func() { _ = syscall.Munmap(file) }()
	region := a.scheme.data(file)
	size := BlockSize(region, offset)
	if size == 0 || offset%blockHeader != 0 || offset+int(size) > len(region) {
		return errNoBlock
	}
	count := (*uint32)(unsafe.Pointer(&region[offset-blockHeader+4]))
	for {
		switch c := atomic.LoadUint32(count); {
		case c == 0 || c == releasing:
			return errReleased
		case c > 1:
			if atomic.CompareAndSwapUint32(count, c, c-1) {
				return nil
			}
		case atomic.CompareAndSwapUint32(count, 1, releasing):
			clear(region[offset : offset+int(size)])
			atomic.StoreUint32(count, 0)
			return nil
		}
	}
}

// writable maps a volume for writing, nil if there is none.
func (a *Area) writable(index int) []byte {
	for _, suffix := range a.scheme.suffixes(index) {
		for _, dir := range a.dirs {
			f, err := os.OpenFile(filepath.Join(dir, a.basename+suffix), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
			if err != nil {
				continue
			}
			file := mapWritable(f)
			_ = f.Close()
			if file != nil && a.scheme.data(file) != nil {
				return file
			}
		}
	}
	return nil
}

func mapWritable(f *os.File) []byte {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() < leastHeader {
		return nil
	}
	file, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil
	}
	return file
}
