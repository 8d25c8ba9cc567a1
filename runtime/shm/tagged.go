package shm

import (
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
)

// Tagged is the scheme from 0.109 on: /mlc-<pid>-<hash>-<generation>, volumes from 1 on as
// -<index>, all in hexadecimal digits. The first volume is made before any pool starts,
// where its header is known: it holds a lock of the C library.
var Tagged = Scheme{
	NewBasename: newTag,
	Generation:  tagGeneration,
	slash:       "/",
	first:       1,
	volume:      knownVolume(),
	suffix:      tagSuffix,
	suffixes:    func(index int) []string { return []string{tagSuffix(index)} },
	isSuffix:    isTagSuffix,
	data:        tailRegion,
	mark:        markFile,
}

// Unsettled is the scheme of the releases between: any basename will do, and volumes are
// looked for under both names. Pools make all of them.
var Unsettled = Scheme{
	NewBasename: newTag,
	Generation:  tagGeneration,
	suffix:      numberSuffix,
	suffixes:    func(index int) []string { return []string{numberSuffix(index), tagSuffix(index)} },
	isSuffix:    isAnySuffix,
	data:        tailRegion,
	mark:        markFile,
}

func isAnySuffix(s string) bool { return isSuffix(s) || isTagSuffix(s) }

// hexDigits returns the last digits of v.
func hexDigits(v uint64, digits int) string {
	s := strconv.FormatUint(v, 16)
	if len(s) < digits {
		return strings.Repeat("0", digits-len(s)) + s
	}
	return s[len(s)-digits:]
}

func newTag(pid int) string {
	return "/mlc-" + hexDigits(uint64(pid), 6) + "-" + hexDigits(uint64(rand.Uint32()), 8) + "-0000"
}

func tagGeneration(base string, n int) string {
	return base[:len(base)-4] + hexDigits(uint64(n), 4)
}

func tagSuffix(index int) string { return "-" + hexDigits(uint64(index), 4) }

func isTagSuffix(s string) bool {
	index, ok := strings.CutPrefix(s, "-")
	return s == ".reg" || s == ".stats" || ok && len(index) == 4 && isHash(index)
}

// Layout of the first volume on x86-64 (pool-protocol-next.md 5.3).
const (
	taggedHeader = 208
	taggedSize   = 65_743
	taggedIndex  = 132
	lockKind     = 168
	robustLock   = 0x92 // process-shared, robust, error-checking: glibc's number for it
)

// knownVolume returns what makes the first volume, nil on machines whose lock is not known.
func knownVolume() func(name string) []byte {
	if runtime.GOARCH != "amd64" {
		return nil
	}
	return taggedVolume
}

// taggedVolume returns the file that volume 1 is before any pool runs: all of it free.
func taggedVolume(name string) []byte {
	v := make([]byte, taggedSize)
	const data = taggedSize - taggedHeader
	le.PutUint32(v, volumeMagic)
	copy(v[atName:atName+nameSize-1], name)
	le.PutUint32(v[taggedIndex:], 1)
	le.PutUint64(v[atDataSize:], data)
	v[lockKind] = robustLock
	le.PutUint32(v[taggedHeader:], blockMagic)
	le.PutUint64(v[taggedHeader+8:], data-blockHeader)
	return v
}

const (
	leastHeader = 152 // what a header has at least, in bytes: up to the lock
	headerAlign = 8   // what the size of a header is a multiple of
)

// tailRegion returns the data region of a volume, which ends where the file does; nil if the
// file is no volume.
func tailRegion(file []byte) []byte {
	if len(file) < leastHeader || le.Uint32(file) != volumeMagic {
		return nil
	}
	size := binary.LittleEndian.Uint64(file[atDataSize:])
	if size > uint64(len(file)-leastHeader) {
		return nil
	}
	start := len(file) - int(size)
	if start%headerAlign != 0 { // the counts of its blocks could not be changed atomically
		return nil
	}
	return file[start:]
}

// cutMark returns the file that a mark is of.
func cutMark(name string) (file string, ok bool) {
	file, ok = strings.CutSuffix(name, ".shm")
	rest, tagged := strings.CutPrefix(file, "mlc-")
	return file, ok && tagged && !strings.ContainsRune(rest, '/')
}
