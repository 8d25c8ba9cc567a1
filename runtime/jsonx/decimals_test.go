package jsonx

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// randomList returns the text of a list, most of whose elements are decimals, of all lengths.
func randomList(r *rand.Rand) []byte {
	list := []byte{'['}
	for i := range r.IntN(30) {
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, randomNumber(r)...)
	}
	return append(list, ']')
}

func randomNumber(r *rand.Rand) string {
	text := strings.Repeat("-", r.IntN(2)) + randomDigits(r, r.IntN(50) == 0)
	if r.IntN(4) > 0 {
		text += "." + randomDigits(r, true)
	}
	if r.IntN(20) == 0 {
		text += "e-" + strconv.Itoa(r.IntN(30))
	}
	return text
}

func randomDigits(r *rand.Rand, zeros bool) string {
	digits := strconv.FormatUint(r.Uint64()|1<<63, 10)[:1+r.IntN(19)>>r.IntN(4)]
	if zeros {
		digits = "0000000000"[:r.IntN(10)] + digits
	} else if r.IntN(6) == 0 {
		digits = "0"
	}
	return digits
}

// TestLists compares lists of numbers, right ones and slightly wrong ones, with encoding/json.
func TestLists(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	valid := 0
	for range 20_000 {
		list := randomList(r)
		for range r.IntN(3) {
			list[r.IntN(len(list))] = `0123456789-.,eE+ []"x`[r.IntN(21)]
		}
		err := check(list)
		if (err == nil) != json.Valid(list) {
			t.Fatalf("%s: %v", list, err)
		}
		var want []float64
		if err != nil || json.Unmarshal(list, &want) != nil {
			continue
		}
		valid++
		d := Decoder{Lexer: Lexer{Src: list}}
		got := d.Float64s(nil)
		if len(got) != len(want) || d.Err() != nil || d.Pos != len(list) {
			t.Fatalf("%s is read as %v, %v", list, got, d.Err())
		}
		for i := range got {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("%s: element %d is read as %v, want %v", list, i, got[i], want[i])
			}
		}
	}
	if valid < 5_000 {
		t.Errorf("only %d lists were right", valid)
	}
}
