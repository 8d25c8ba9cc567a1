package pure_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

var letters = []string{"a", "b", "c"}

func TestIndex(t *testing.T) {
	t.Parallel()
	two := int8(2)
	large := jsonx.MustParseInt("9223372036854775808")
	tests := []struct {
		name      string
		index     func() (string, error)
		want, err string
	}{
		{"first", func() (string, error) { return pure.Index(letters, int32(0)) }, "a", ""},
		{"last", func() (string, error) { return pure.Index(letters, int8(-1)) }, "c", ""},
		{"behind", func() (string, error) { return pure.Index(letters, uint8(3)) }, "",
			"Bracket index 3 out of bounds for array of size 3"},
		{"before", func() (string, error) { return pure.Index(letters, int64(-4)) }, "",
			"Bracket index -4 out of bounds for array of size 3"},
		{"least", func() (string, error) { return pure.Index(letters, int64(math.MinInt64)) }, "",
			"Bracket index -9223372036854775808 out of bounds for array of size 3"},
		{"unsigned is not negative", func() (string, error) { return pure.Index(letters, uint64(math.MaxUint64)) }, "",
			"Bracket index 18446744073709551615 out of bounds for array of size 3"},
		{"any size", func() (string, error) { return pure.IndexInt(letters, jsonx.NewInt(-3)) }, "a", ""},
		{"too big", func() (string, error) { return pure.IndexInt(letters, large) }, "",
			"Bracket bound: BigInt with more than 1 limb does not fit in i64"},
		{"present", func() (string, error) { return pure.IndexOptional(letters, &two) }, "c", ""},
		{"absent", func() (string, error) { return pure.IndexOptional(letters, (*int8)(nil)) }, "",
			"Bracket index cannot be Null"},
		{"present, too big", func() (string, error) { return pure.IndexOptionalInt(letters, &large) }, "",
			"Bracket bound: BigInt with more than 1 limb does not fit in i64"},
		{"absent, any size", func() (string, error) { return pure.IndexOptionalInt(letters, nil) }, "",
			"Bracket index cannot be Null"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.index()
			if got != tt.want || text(err) != tt.err {
				t.Errorf("Index = %q, %v, want %q, %s", got, err, tt.want, tt.err)
			}
			if err != nil && pure.IsUser(err) {
				t.Errorf("catch intercepts %q", err)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// slow is the definition of a slice, with integers that do not overflow.
func slow(n int, start, stop, step *big.Int) []int {
	bound := func(v *big.Int, low, high, absent int) *big.Int {
		if v == nil {
			return big.NewInt(int64(absent))
		}
		if v.Sign() < 0 {
			v = new(big.Int).Add(v, big.NewInt(int64(n)))
		}
		if v.Cmp(big.NewInt(int64(low))) < 0 {
			return big.NewInt(int64(low))
		}
		if v.Cmp(big.NewInt(int64(high))) > 0 {
			return big.NewInt(int64(high))
		}
		return new(big.Int).Set(v)
	}
	if step == nil {
		step = big.NewInt(1)
	}
	var out []int
	if step.Sign() > 0 {
		for i, end := bound(start, 0, n, 0), bound(stop, 0, n, n); i.Cmp(end) < 0; i.Add(i, step) {
			out = append(out, int(i.Int64()))
		}
	} else {
		for i, end := bound(start, -1, n-1, n-1), bound(stop, -1, n-1, -1); i.Cmp(end) > 0; i.Add(i, step) {
			out = append(out, int(i.Int64()))
		}
	}
	return out
}

func TestSliceAgreesWithItsDefinition(t *testing.T) {
	t.Parallel()
	bounds := []*int64{nil}
	for _, v := range []int64{0, 1, 2, 3, 4, 7, -1, -2, -4, -5, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1} {
		bounds = append(bounds, &v)
	}
	wide := func(v *int64) *big.Int {
		if v == nil {
			return nil
		}
		return big.NewInt(*v)
	}
	for n := range 5 {
		xs := make([]int, n)
		for i := range xs {
			xs[i] = i
		}
		for _, start := range bounds {
			for _, stop := range bounds {
				for _, step := range bounds {
					if step != nil && *step == 0 {
						continue
					}
					got, err := pure.Slice(xs, pure.AtOptional(start), pure.AtOptional(stop), pure.AtOptional(step))
					want := slow(n, wide(start), wide(stop), wide(step))
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("%d elements [%v:%v:%v] = %v, %v, want %v",
							n, wide(start), wide(stop), wide(step), got, err, want)
					}
				}
			}
		}
	}
}

func TestSlice(t *testing.T) {
	t.Parallel()
	var absent pure.Bound
	large := jsonx.MustParseInt("-9223372036854775809")
	one := jsonx.NewInt(1)
	tests := []struct {
		name              string
		start, stop, step pure.Bound
		want, err         string
	}{
		{"all", absent, absent, absent, "[a b c]", ""},
		{"sized bounds", pure.At(uint8(1)), pure.At(int16(-1)), absent, "[b]", ""},
		{"bounds of any size", pure.AtInt(one), pure.AtOptionalInt(nil), pure.AtOptionalInt(&one), "[b c]", ""},
		{"unsigned is not negative", absent, pure.At(uint64(math.MaxUint64)), absent, "[a b c]", ""},
		{"unsigned step", absent, absent, pure.At(uint64(math.MaxUint64)), "[a]", ""},
		{"step 0", absent, absent, pure.At(int64(0)), "[]", "Bracket slice step cannot be 0"},
		{"start too big", pure.AtInt(large), absent, pure.At(int64(0)), "[]",
			"Bracket bound: BigInt with more than 1 limb does not fit in i64"},
		{"step too big", absent, absent, pure.AtOptionalInt(&large), "[]",
			"Bracket bound: BigInt with more than 1 limb does not fit in i64"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := pure.Slice(letters, tt.start, tt.stop, tt.step)
			if fmt.Sprint(got) != tt.want || text(err) != tt.err {
				t.Errorf("Slice = %v, %v, want %s, %s", got, err, tt.want, tt.err)
			}
		})
	}
}

// Appending to a slice that shares memory must not change the list.
func TestSliceHasNoRoom(t *testing.T) {
	t.Parallel()
	xs := []int{1, 2, 3}
	got, err := pure.Slice(xs, pure.Bound{}, pure.At(int64(1)), pure.Bound{})
	if err != nil {
		t.Fatal(err)
	}
	if _ = append(got, 9); xs[1] != 2 {
		t.Error("append to a slice changes the list")
	}
}
