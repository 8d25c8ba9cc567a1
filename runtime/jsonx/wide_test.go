package jsonx

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestManyMembers reads an object with more members than an Object has place for in itself.
func TestManyMembers(t *testing.T) {
	t.Parallel()
	const n = 700
	var keys Keys
	keys.Required = make(Set, (n+63)/64)
	members := make([]string, n)
	for i := range n {
		keys.Names = append(keys.Names, fmt.Sprintf("m%d", i))
		keys.Required[i/64] |= 1 << (i % 64)
		members[i] = fmt.Sprintf(`"m%d":%d`, i, i)
	}
	backwards := slices.Clone(members)
	slices.Reverse(backwards)
	without := func(i int) []string { return slices.Delete(slices.Clone(members), i, i+1) }
	for _, tt := range []struct {
		name    string
		members []string
		want    string
	}{
		{"all", members, ""},
		{"all, backwards", backwards, ""},
		{"none", nil, "missing required argument 'm0'"},
		{"few", members[:200], "missing required argument 'm200'"},
		{"without the last", without(n - 1), "missing required argument 'm699'"},
		{"without one", without(256), "missing required argument 'm256'"},
		{"one twice", append(slices.Clone(members), `"m256":1`), "duplicate argument 'm256'"},
		{"the last twice", append(slices.Clone(members), `"m699":1`), "duplicate argument 'm699'"},
		{"an unknown one", append(slices.Clone(members), `"x":1`), "unknown argument 'x'"},
	} {
		var d Decoder
		d.Reset([]byte("{" + strings.Join(tt.members, ",") + "}"))
		sum := 0
		o := d.Object(&keys)
		for d.Member(&o) {
			i := slices.Index(keys.Names, string(d.Key()))
			if i < 0 {
				d.Unknown(&o)
			} else if d.First(&o, i) {
				sum += int(d.Int64())
			}
		}
		d.EndObject(&o)
		got := ""
		if err := d.Err(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
		if want := n * (n - 1) / 2; tt.want == "" && sum != want {
			t.Errorf("%s: the sum is %d, want %d", tt.name, sum, want)
		}
	}
}
