package zstd_test

import (
	"encoding/binary"
	"math/rand/v2"
)

// The contents of the files in testdata, by name without what follows the dash. The files
// were made by other encoders (the zstd command) from the same bytes.
var samples = map[string]func() []byte{
	"empty":   func() []byte { return nil },
	"word":    func() []byte { return []byte("word") },
	"text":    func() []byte { return text(20_000) },
	"long":    func() []byte { return text(150_000) },
	"random":  func() []byte { return random(3_000, 256) },
	"zeros":   func() []byte { return make([]byte, 400_000) },
	"skewed":  func() []byte { return skewed(6_000) },
	"short":   func() []byte { return skewed(150) },
	"numbers": func() []byte { return numbers(4_000) },
	"mixed":   mixed,
}

func source() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// text is n bytes of made-up words, frequent ones first.
func text(n int) (out []byte) {
	r := source()
	words := make([][]byte, 80)
	for i := range words {
		for range 2 + r.IntN(8) {
			words[i] = append(words[i], "etaoinshrdlu"[r.IntN(12)])
		}
	}
	for len(out) < n {
		i := int(float64(len(words)) * r.Float64() * r.Float64() * r.Float64())
		out = append(append(out, words[i]...), ' ')
	}
	return out[:n]
}

// random is n bytes below a bound.
func random(n, bound int) []byte {
	r := source()
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.IntN(bound))
	}
	return out
}

// skewed is n bytes of which small ones are frequent: nothing repeats, codes pay.
func skewed(n int) []byte {
	r := source()
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.ExpFloat64() * 6)
	}
	return out
}

// numbers is n little-endian integers, as values in memory are.
func numbers(n int) (out []byte) {
	r := source()
	for i := range n {
		out = binary.LittleEndian.AppendUint64(out, uint64(i*3)+uint64(r.IntN(4)))
	}
	return out
}

// mixed changes its nature every few blocks.
func mixed() (out []byte) {
	for _, part := range [][]byte{text(20_000), skewed(8_000), make([]byte, 200_000), random(500, 256), text(30_000)} {
		out = append(out, part...)
	}
	return out
}
