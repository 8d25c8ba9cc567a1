package pure

import (
	"math"
	"strconv"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// Integer is the Go types of bounds that have a fixed width.
type Integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// A boundError says what is wrong with an index or a slice, in the words of the language.
type boundError string

// Error implements error.
func (e boundError) Error() string { return string(e) }

const (
	errNullIndex boundError = "Bracket index cannot be Null"
	errBigBound  boundError = "Bracket bound: BigInt with more than 1 limb does not fit in i64"
	errZeroStep  boundError = "Bracket slice step cannot be 0"
)

// Index returns xs[i]; a negative i counts from the end (pure-eval.md 6.4).
func Index[T any, I Integer](xs []T, i I) (v T, err error) {
	if i > 0 && uint64(i) > math.MaxInt64 {
		return v, outOfBounds(strconv.FormatUint(uint64(i), 10), len(xs))
	}
	return index(xs, int64(i))
}

// IndexInt is [Index] with an index of any size; it must fit in 64 bits.
func IndexInt[T any](xs []T, i jsonx.Int) (v T, err error) {
	small, ok := i.Int64()
	if !ok {
		return v, errBigBound
	}
	return index(xs, small)
}

// IndexOptional is [Index] with an index that must not be absent.
func IndexOptional[T any, I Integer](xs []T, i *I) (v T, err error) {
	if i == nil {
		return v, errNullIndex
	}
	return Index(xs, *i)
}

// IndexOptionalInt is [IndexInt] with an index that must not be absent.
func IndexOptionalInt[T any](xs []T, i *jsonx.Int) (v T, err error) {
	if i == nil {
		return v, errNullIndex
	}
	return IndexInt(xs, *i)
}

func index[T any](xs []T, i int64) (v T, err error) {
	n := int64(len(xs))
	at := i
	if at < 0 {
		at += n
	}
	if at < 0 || at >= n {
		return v, outOfBounds(strconv.FormatInt(i, 10), len(xs))
	}
	return xs[at], nil
}

func outOfBounds(i string, n int) error {
	return boundError("Bracket index " + i + " out of bounds for array of size " + strconv.Itoa(n))
}
