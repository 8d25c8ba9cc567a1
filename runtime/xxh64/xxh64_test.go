package xxh64_test

import (
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/xxh64"
)

// The values are those of other implementations; the lengths cover every tail (0, 1, 4,
// 8 bytes) with and without whole stripes.
func TestSum(t *testing.T) {
	t.Parallel()
	data := make([]byte, 100)
	for i := range data {
		data[i] = byte(i*31 + 7)
	}
	const seed = 0x9e3779b185ebca8d
	tests := []struct {
		n              int
		zero, withSeed uint64
	}{
		{0, 0xef46db3751d8e999, 0x0b303d920ec349df},
		{1, 0xa96c7f0ce858bbb7, 0x76349a430e97f416},
		{3, 0x56e6957632a487f9, 0xc42da545eb6f8983},
		{4, 0xc60d15b1e3ff8f04, 0x52c5131f0829d5fd},
		{7, 0xafbefc3d6c6f9a8e, 0xf1a46cf925e5669e},
		{8, 0x3da5c7aa269683e0, 0x6580dc86eca50f6c},
		{12, 0x8fe8ab1c1fd0666e, 0x191945c25aa0add8},
		{15, 0xae2a37eb9357caa7, 0x9a18e944c774d93b},
		{31, 0x4a74f3a1a39ad4a1, 0x99f222ff5e6379d1},
		{32, 0x8d57d6a4671cc43d, 0xa784ae39e74a5a70},
		{33, 0x62c9fd21ed857664, 0xd39b34c79f789080},
		{63, 0x5c320a0d2707057f, 0x83f6300c55e3f539},
		{64, 0x7bbabbc45729d17e, 0x0961219ab771dd46},
		{100, 0xefa0ad2d3e70c151, 0x8da83ba6a3c5979d},
	}
	for _, tt := range tests {
		if got := xxh64.Sum(0, data[:tt.n]); got != tt.zero {
			t.Errorf("Sum(0, %d bytes) = %016x, want %016x", tt.n, got, tt.zero)
		}
		if got := xxh64.Sum(seed, data[:tt.n]); got != tt.withSeed {
			t.Errorf("Sum(%#x, %d bytes) = %016x, want %016x", uint64(seed), tt.n, got, tt.withSeed)
		}
	}
}

func TestSumDoesNotCopyStrings(t *testing.T) {
	text := strings.Repeat("text", 100)
	if n := testing.AllocsPerRun(100, func() { xxh64.Sum(1, []byte(text)) }); n != 0 {
		t.Errorf("Sum of a string allocates %v times, want 0", n)
	}
}

func BenchmarkSum(b *testing.B) {
	data := []byte(strings.Repeat("0123456789abcdef", 4096))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		xxh64.Sum(0, data)
	}
}
