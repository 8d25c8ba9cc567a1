package pure

import (
	"math"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// A Bound is the start, stop or step of a slice. The zero Bound is absent.
type Bound struct {
	value int64
	kind  boundKind
}

type boundKind uint8

const (
	boundAbsent boundKind = iota
	boundGiven
	boundTooBig // more than 64 bits
)

// At returns a bound that is given. Beyond the range of an int64 it is as good as
// infinite.
func At[I Integer](i I) Bound {
	if i > 0 && uint64(i) > math.MaxInt64 {
		return Bound{math.MaxInt64, boundGiven}
	}
	return Bound{int64(i), boundGiven}
}

// AtInt returns a bound that is given; [Slice] refuses one of more than 64 bits.
func AtInt(i jsonx.Int) Bound {
	if small, ok := i.Int64(); ok {
		return Bound{small, boundGiven}
	}
	return Bound{kind: boundTooBig}
}

// AtOptional returns [At] of *i, or the absent bound.
func AtOptional[I Integer](i *I) Bound {
	if i == nil {
		return Bound{}
	}
	return At(*i)
}

// AtOptionalInt returns [AtInt] of *i, or the absent bound.
func AtOptionalInt(i *jsonx.Int) Bound {
	if i == nil {
		return Bound{}
	}
	return AtInt(*i)
}

// Slice returns xs[start:stop:step] by the rules of Python (pure-eval.md 6.4). The result
// shares memory with xs if step is 1, and must not be changed.
func Slice[T any](xs []T, start, stop, step Bound) ([]T, error) {
	for _, b := range [...]Bound{start, stop, step} {
		if b.kind == boundTooBig {
			return nil, errBigBound
		}
	}
	by := step.or(1)
	if by == 0 {
		return nil, errZeroStep
	}
	n := int64(len(xs))
	if by > 0 {
		return forward(xs, start.within(n, 0, n, 0), stop.within(n, 0, n, n), by), nil
	}
	return backward(xs, start.within(n, -1, n-1, n-1), stop.within(n, -1, n-1, -1), by), nil
}

func (b Bound) or(absent int64) int64 {
	if b.kind == boundAbsent {
		return absent
	}
	return b.value
}

// within returns a position in a list of n elements: counted from the end if the bound
// is negative, then clamped.
func (b Bound) within(n, low, high, absent int64) int64 {
	if b.kind == boundAbsent {
		return absent
	}
	v := b.value
	if v < 0 {
		v += n
	}
	return max(low, min(v, high))
}

// forward takes every by-th element from start on, before stop.
func forward[T any](xs []T, start, stop, by int64) []T {
	if start >= stop {
		return nil
	}
	if by == 1 {
		return xs[start:stop:stop]
	}
	out := make([]T, 0, (stop-start-1)/by+1)
	for range cap(out) {
		out = append(out, xs[start])
		start += by // at most once beyond the list, and then not used
	}
	return out
}

// backward takes every by-th element from start down, above stop; by is negative.
func backward[T any](xs []T, start, stop, by int64) []T {
	if start <= stop {
		return nil
	}
	stride := uint64(-by) // right for the smallest int64 too
	out := make([]T, 0, uint64(start-stop-1)/stride+1)
	for range cap(out) {
		out = append(out, xs[start])
		start += by // at most once below the list, and then not used
	}
	return out
}
