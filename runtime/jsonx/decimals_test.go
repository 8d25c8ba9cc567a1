package jsonx

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
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
		if compareList(t, list) {
			valid++
		}
	}
	if valid < 5_000 {
		t.Errorf("only %d lists were right", valid)
	}
}

// FuzzLists does the same with any.
func FuzzLists(f *testing.F) {
	for _, seed := range []string{
		"[1,-2.5,0.25,123.4567,-0,0.0]", "[123.45678901234567,-0.001,1e-7,12345678901234567890,3.0000000001]", "[01,2]", "[1.2.3,4]", "[1,-,2]",
		"[-1.,2]", "[1,2,]", "[ 1 , 2.5 ,3]", `[1,"inf",2,"-inf",3]`, "[1234567,.5,12]", "[9007199254740993,900719925.4740993]", "[1,2,3,[4,5,6,7,8],9]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, list []byte) {
		if len(list) > 0 && list[0] == '[' && utf8.Valid(list) && !bytes.Contains(list, []byte(`\u`)) && bytes.Count(list, []byte("[")) < MaxDepth {
			compareList(t, list)
		}
	})
}

// compareList checks a list, and reads it if it is one of numbers, and reports whether it was.
func compareList(t *testing.T, list []byte) bool {
	t.Helper()
	err := check(list)
	if (err == nil) != json.Valid(list) {
		t.Fatalf("%s: %v", list, err)
	}
	var want []float64
	if err != nil || json.Unmarshal(list, &want) != nil || bytes.Contains(list, []byte("null")) {
		return false
	}
	d := Decoder{Lexer: Lexer{Src: list}}
	got := d.Float64s(nil)
	if len(got) != len(want) || d.Err() != nil {
		t.Fatalf("%s is read as %v, %v", list, got, d.Err())
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: element %d is read as %v, want %v", list, i, got[i], want[i])
		}
	}
	return true
}

// TestListAllocs has a list of all forms of decimals checked, read and written.
func TestListAllocs(t *testing.T) {
	list := []byte(`[0,-1.5,123.4567,0.00390625,12345678.25,123.45678901234567,-0.1234567890123456,1234567890123,2,0.5]`)
	l := Lexer{Src: list}
	d := Decoder{Lexer: l}
	var values []float64
	var out []byte
	pass := func() {
		l.Pos, d.Pos = 0, 0
		if err := l.Value(0); err != nil {
			t.Fatal(err)
		}
		values = d.Float64s(values)
		out = AppendFloat64s(out[:0], values)
	}
	pass()
	if string(out) != string(list) {
		t.Errorf("%s is written as %s", list, out)
	}
	if n := testing.AllocsPerRun(100, pass); n != 0 {
		t.Errorf("%v allocations for a warm list, want 0", n)
	}
}
