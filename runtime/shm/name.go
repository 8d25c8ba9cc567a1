package shm

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

const (
	namePrefix   = "morloc-"
	hashDigits   = 16
	genMark      = "-gen"
	volumeMark   = '_'
	registryName = ".registry"
)

// NewBasename returns a name for the shared memory of a set that process pid starts.
func NewBasename(pid int) string {
	hash := strconv.FormatUint(rand.Uint64(), 16)
	return namePrefix + strconv.Itoa(pid) + "-" + strings.Repeat("0", hashDigits-len(hash)) + hash
}

// Generation returns the name that the n-th restart of a set uses; the 0-th is base.
func Generation(base string, n int) string {
	if n == 0 {
		return base
	}
	return base + genMark + strconv.Itoa(n)
}

// isSuffix reports whether s is what follows a basename: a volume index, or that of the
// registry.
func isSuffix(s string) bool {
	if s == registryName {
		return true
	}
	return s != "" && s[0] == volumeMark && isNumber(s[1:])
}

// parse takes the name of a file of shared memory apart.
func parse(file string) (basename string, pid int, ok bool) {
	rest, ok := strings.CutPrefix(file, namePrefix)
	if !ok {
		return "", 0, false
	}
	digits, rest, _ := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(digits)
	if err != nil || !isNumber(digits) || len(rest) < hashDigits || !isHash(rest[:hashDigits]) {
		return "", 0, false
	}
	rest = rest[hashDigits:]
	if n, ok := strings.CutPrefix(rest, genMark); ok {
		rest = strings.TrimLeft(n, "0123456789")
		if len(rest) == len(n) {
			return "", 0, false
		}
	}
	return strings.TrimSuffix(file, rest), pid, isSuffix(rest)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func isHash(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}
