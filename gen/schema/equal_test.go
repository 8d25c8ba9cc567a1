package schema_test

import (
	"testing"

	"github.com/mcpgen/mcpgen/gen/schema"
)

func TestEqual(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"j", "j", true},
		{"j", "i8", false},
		{"<int>j", "j", true},
		{"aj", "as", false},
		{"a:3j", "aj", true},
		{"a:3j", "a:2j", true},
		{"?j", "j", false},
		{"t2js", "t2sj", false},
		{"t2js", "t3jsj", false},
		{"m11aj", "m11bj", false},
		{"m11aj", "t1j", false},
		{"&4Pairt2j?^4Pair", "&1Xt2j?^1X", true},
		{"&4Pairt2j?^4Pair", "t2j?&4Pairt2j?^4Pair", true},
		{"&4Pairt2j?^4Pair", "&1At2j?t2j?^1A", true},
		{"&4Pairt2j?^4Pair", "&1At2j?t2s?^1A", false},
		{"&2LLm24headj4tail?^2LL", "&2LLm24heads4tail?^2LL", false},
		{"&1Aa^1A", "a&1Aa^1A", true},
		{"&1Aa^1A", "&1A?^1A", false},
		{"t2&1Aa^1A^1A", "t2&1Aa^1A&1Aa^1A", true},
		{"&1Am21xa&1Bm11p?^1A1ya^1B", "&1Am21xam11p?^1A1yam11p?^1A", true},
		{"T", "T:0", true},
		{"T:11aj", "T", false},
		{"F", "I", false},
	}
	for _, test := range tests {
		a, b := parse(t, test.a), parse(t, test.b)
		if schema.Equal(a, b) != test.want || schema.Equal(b, a) != test.want {
			t.Errorf("Equal(%s, %s) = %t, want %t", test.a, test.b, !test.want, test.want)
		}
	}
}
