package expr

import (
	"strings"
	"testing"
)

func TestConstantResults(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, result, tree, want string }{
		{"floats", "af8", box("af8", lit("f8", "255.0"), lit("f8", "-2.0e-3"), lit("f8", "inf"), lit("f8", "nan"), lit("f8", "1.0e21"), lit("f8", "-0.0")),
			`[255,-0.002,"inf","nan",1e+21,-0]`},
		{"single precision", "af4", box("af4", lit("f4", "0.1"), lit("f4", "16777217.0")), `[0.1,16777216]`},
		{"integers", "t4i1u8jj", box("t4i1u8jj", lit("i1", "-128"), lit("u8", "18446744073709551615"), num("-007"), num("-18446744073709551616")),
			`[-128,18446744073709551615,-7,-18446744073709551616]`},
		{"slashes", "m11as", box("m11as", str("a/b")), `{"a":"a/b"}`},
		{"optionals", "a?z", box("a?z", box("?z"), box("?z", lit("z", "0"))), `[null,null]`},
		{"lets", "t2aajaaj", let("t2aajaaj", "x", box("aj", num("1")), let("t2aajaaj", "y", box("aaj", use("aj", "x"), use("aj", "x")), box("t2aajaaj", use("aaj", "y"), use("aaj", "y")))),
			`[[[1],[1]],[[1],[1]]]`},
		{"branches", "j", iff("j", boolean("1"), num("1"), throw(str(""))), `1`},
		{"maps", "as", mapping("as", unary("show", "s", box("t2jj", use("j", "x"), num("0"))), "x", box("aj", num("1"), num("2"))), `["[1,0]","[2,0]"]`},
		{"an empty map", "as", mapping("as", throw(str("x")), "x", box("aj")), `[]`},
		{"brackets", "j", at("j", num("-1"), apply("aj", `{"type":"bracket_slice"}`, box("?j"), box("?j"), num("-1"), box("aj", num("1"), num("2")))), `1`},
		{"setter", "m21aj1bs", apply(rec, fields("key", key("a", end)), recordOf("1", "x"), num("2")), `{"a":2,"b":"x"}`},
		{"getter", "t2sj", apply("t2sj", fields("key", key("b", end), key("a", end)), recordOf("1", "x")), `["x",1]`},
		{"joined", "s", let("s", "x", str("b"), join(`"a","c"`, use("s", "x"))), `"abc"`},
		{"hash", "s", unary("hash", "s", str("hello")), `"447c3bd1a33eb4df"`},
		{"catch", "j", catch(throw(str("x")), num("3")), `3`},
		{"catch of what does not throw", "j", catch(iff("j", boolean("1"), num("1"), throw(str("x"))), num("3")), `1`},
		{"huge unsigned bound", "aj", apply("aj", `{"type":"bracket_slice"}`, box("?j"), lit("u8", "18446744073709551615"), box("?j"), box("aj", num("1"))), `[1]`},
	}
	for _, c := range tests {
		f, err := Compile(parseText(t, c.tree), nil, parseType(t, c.result))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := verify(f); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		got, _, _ := outcome(f, nil)
		if f.Const != c.want || got != c.want {
			t.Errorf("%s: Const %s, the body gives %s, want %s", c.name, f.Const, got, c.want)
		}
	}
}

// Constants that fail, or are too large, stay what they are.
func TestNotConstant(t *testing.T) {
	t.Parallel()
	double := str("0123456789")
	for range 40 {
		double = let("s", "x", double, join(`"","",""`, use("s", "x"), use("s", "x")))
	}
	tests := []struct{ name, result, tree, want string }{
		{"index", "j", at("j", num("2"), box("aj", num("1"), num("2"))), "Bracket index 2 out of bounds for array of size 2"},
		{"index beyond 64 bits", "j", at("j", num("18446744073709551616"), box("aj", num("1"))), "Bracket bound: BigInt with more than 1 limb does not fit in i64"},
		{"absent index", "j", at("j", box("?j"), box("aj", num("1"))), "Bracket index cannot be Null"},
		{"step", "aj", apply("aj", `{"type":"bracket_slice"}`, box("?j"), box("?j"), num("0"), box("aj", num("1"))), "Bracket slice step cannot be 0"},
		{"map", "aj", mapping("aj", at("j", use("j", "x"), box("aj", num("7"))), "x", box("aj", num("0"), num("1"))), "Bracket index 1 out of bounds for array of size 1"},
		{"throw", "j", throw(str("a")), "a"},
		{"read", "j", unary("read", "j", str("")), "@read: empty input string"},
		{"level", "z", save("json", num("10"), num("1"), str("p")), "@save compression level must be in 0..=9, got 10"},
		{"too large", "s", double, ""},
		{"a long text", "s", str(strings.Repeat("x", maxConstant)), ""},
	}
	for _, c := range tests {
		f, err := Compile(parseText(t, c.tree), nil, parseType(t, c.result))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if f.Const != "" {
			t.Errorf("%s: is constant", c.name)
		}
		if err := verify(f); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.want == "" {
			continue // running it would take all memory
		}
		if got, _, failed := outcome(f, nil); !failed || got != c.want {
			t.Errorf("%s: got %s, want the error %s", c.name, got, c.want)
		}
	}
}
