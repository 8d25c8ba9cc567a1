package pure_test

import (
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// surrogate finds escapes that need a second look: encoding/json repairs half pairs,
// which we refuse.
var surrogate = regexp.MustCompile(`(?i)\\ud[89a-f]`)

// Whatever is read is JSON for encoding/json too, the other way round where the two mean
// the same; and what was read shows as a text that reads as itself.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "null", " [1, 2] ", "[1,]", `{"name":"a","size":1,"level":null}`, `["a","1",2.5]`,
		`[[1,"a"],[2,"\u00e9\/"]]`, `{"head":1,"tail":[2,null]}`, "1e400", `"inf"`, "[[[[", "\"\xff\"", `"\ud800"`,
		`{"name":[],"name":"b","size":1,"level":0}`, `[1,[2],{"a":3},"x"]`, "-0", "-", "01", "[1 2]", "10000000100000000000000000000",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		refused := strings.HasPrefix(readers["z"](text), "serialization error: JSON parse error: ") || text == ""
		valid := json.Valid([]byte(text))
		lenient := !utf8.ValidString(text) || surrogate.MatchString(text) || strings.Count(text, "[")+strings.Count(text, "{") > 1000
		if !refused && !valid || refused && valid && !lenient {
			t.Fatalf("refused: %v, encoding/json: valid %v", refused, valid)
		}
		for schema, read := range readers {
			got := read(text)
			if refused || strings.HasPrefix(got, "serialization error: ") || strings.HasPrefix(got, "Array length") {
				continue
			}
			again := read(got)
			if schema == "f4" && isNear(got, again) { // seven digits do not tell all of them apart
				continue
			}
			if again != got {
				t.Errorf("%s is read and shown as %s, then as %s", schema, got, again)
			}
		}
	})
}

// isNear reports whether two numbers are singles beside each other, or the same.
func isNear(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && math.Abs(x-y) <= 2e-7*math.Abs(x)
}
