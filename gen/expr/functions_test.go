package expr

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// TestFunctions shows what is written for typical trees: that it is what one would write
// by hand is the point.
func TestFunctions(t *testing.T) {
	t.Parallel()
	none := box("?i8")
	tests := []struct {
		name   string
		params string // schemas of the arguments, which are called a, b, c...
		result string
		body   string
		want   string
	}{
		{"a let read once", "s", "s", let("s", "x@1", join(`"<",">"`, use("s", "a")), join(`"","!"`, use("s", "x@1"))), `
			return "<" + a0 + ">!"`},
		{"a let read twice", "s", "t2ss", let("t2ss", "x@1", unary("show", "s", use("s", "a")), box("t2ss", use("s", "x@1"), use("s", "x@1"))), `
			x1 := show(a0)
			return {x1, x1}`},
		{"a let never read", "s", "j", let("j", "x", unary("show", "s", use("s", "a")), num("1")), `
			return 1`},
		{"an alias", "s", "t2ss", let("t2ss", "x", use("s", "a"), box("t2ss", use("s", "x"), use("s", "x"))), `
			return {a0, a0}`},
		{"a field of a let", "s", "s", let("s", "p", box("t2ss", unary("show", "s", use("s", "a")), str("")), field("s", 0, use("t2ss", "p"))), `
			return show(a0)`},
		{"an effect never read", "s", "j", let("j", "_do_4", save("json", num("0"), num("1"), use("s", "a")), num("2")), `
			save json level : 1 to a0
			return 2`},
		{"a failing let never read", "aj", "j", let("j", "x", at("j", num("0"), use("aj", "a")), num("2")), `
			x1 := index a0 at 0
			return 2`},
		{"branches at the end", "b j", "j", iff("j", use("b", "a"), use("j", "b"), num("0")), `
			if a0
				return b1
			return 0`},
		{"branches in the middle", "b j", "aj", let("aj", "n", iff("j", use("b", "a"), use("j", "b"), num("0")), box("aj", use("j", "n"))), `
			var n2
			if a0
				n2 = b1
			else
				n2 = 0
			return [n2]`},
		{"a branch that throws", "b j", "aj", let("aj", "n", iff("j", use("b", "a"), throw(str("no")), use("j", "b")), box("aj", use("j", "n"))), `
			if a0
				throw "no"
			return [b1]`},
		{"the other branch throws", "b j", "aj", box("aj", iff("j", use("b", "a"), use("j", "b"), throw(str("no")))), `
			if a0
			else
				throw "no"
			return [b1]`},
		{"a known condition", "j", "j", iff("j", let("b", "x", boolean("0"), use("b", "x")), use("j", "a"), num("5")), `
			return 5`},
		{"nothing behind a throw", "j", "aj", box("aj", use("j", "a"), throw(str("x")), unary("load", "j", str("p"))), `
			throw "x"`},
		{"a catch", "s", "aj", box("aj", catch(unary("read", "j", use("s", "a")), num("0"))), `
			result1 := try
				parsed2 := read a0
				result1 = parsed2
			catch
				result1 = 0
			return [result1]`},
		{"a catch of branches", "b s", "j", catch(iff("j", use("b", "a"), unary("read", "j", use("s", "b")), num("1")), num("0")), `
			result2 := try
				if a0
					parsed3 := read b1
					result2 = parsed3
				else
					result2 = 1
			catch
				result2 = 0
			return result2`},
		{"a catch of nothing", "j", "j", catch(use("j", "a"), throw(str("x"))), `
			return a0`},
		{"a catch of an index", "aj", "j", catch(at("j", num("0"), use("aj", "a")), num("1")), `
			element1 := index a0 at 0
			return element1`},
		{"a fallback that may throw", "b s", "j", catch(unary("read", "j", use("s", "b")), iff("j", use("b", "a"), num("0"), throw(str("x")))), `
			result2 := try
				parsed3 := read b1
				result2 = parsed3
			catch
				if a0
				else
					throw "x"
				result2 = 0
			return result2`},
		{"a catch in a catch", "s s", "j", catch(unary("read", "j", use("s", "a")), catch(unary("read", "j", use("s", "b")), throw(str("x")))), `
			result2 := try
				parsed3 := read a0
				result2 = parsed3
			catch
				result4 := try
					parsed5 := read b1
					result4 = parsed5
				catch
					throw "x"
				result2 = result4
			return result2`},
		{"a catch of a throw", "j", "j", catch(throw(str("x")), use("j", "a")), `
			return a0`},
		{"a setter", "m21aj1bs j", "m21aj1bs", apply(rec, fields("key", key("a", end)), use(rec, "a"), use("j", "b")), `
			changed2 := a0
			changed2.0 = b1
			return changed2`},
		{"a setter of all", "m21aj1bs j s", "m21aj1bs", apply(rec, fields("key", key("b", end), key("a", end)), use(rec, "a"), use("s", "c"), use("j", "b")), `
			return {b1, c2}`},
		{"a setter to another type", "m21aj1bs", "m21as1bs", apply("m21as1bs", fields("key", key("a", end)), use(rec, "a"), str("x")), `
			return {"x", a0.1}`},
		{"a setter of what is built there", "j s", "m21aj1bs", apply(rec, fields("key", key("a", end)), box(rec, num("1"), use("s", "b")), use("j", "a")), `
			return {a0, b1}`},
		{"a setter through a field", "t2jt2js j", "t2jt2js", apply("t2jt2js", fields("idx", idx(1, fields("idx", idx(0, end)))), use("t2jt2js", "a"), use("j", "b")), `
			changed2 := a0
			changed2.1.0 = b1
			return changed2`},
		{"several fields", "t2jt3sbj", "t3jsj", apply("t3jsj", fields("idx", idx(1, fields("idx", idx(2, end), idx(0, end))), idx(0, end)), use("t2jt3sbj", "a")), `
			return {a0.1.2, a0.1.0, a0.0}`},
		{"all of it replaced", "m21aj1bs m21aj1bs", rec, apply(rec, end, use(rec, "a"), use(rec, "b")), `
			return b1`},
		{"several fields of a record built there", "s j", "t4asassj", apply("t4asassj", fields("key", key("x", end), key("x", end), key("y", end), key("z", end)),
			box("m31xas1ys1zj", box("as", use("s", "a")), unary("hash", "s", use("s", "a")), use("j", "b"))), `
			x2 := [a0]
			return {x2, x2, hash(a0), b1}`},
		{"fields and parts of a list", "t2ajs i8", "t2ajs", apply("t2ajs", fields("idx", idx(0, `{"type":"bracket_slice"}`), idx(1, end)), use("i8", "b"), none, none, use("t2ajs", "a")), `
			part2 := slice a0.0 [b1::]
			return {part2, a0.1}`},
		{"several fields of what is built there", "s", "t2ss", apply("t2ss", fields("idx", idx(0, end), idx(0, end)), box("t2ss", unary("show", "s", use("s", "a")), use("s", "a"))), `
			part1 := show(a0)
			return {part1, part1}`},
		{"a map", "at2js", "as", mapping("as", field("s", 1, use("t2js", "e@2")), "e@2", use("at2js", "a")), `
			mapped1 := map e2 over a0
				give e2.1
			return mapped1`},
		{"a map that changes nothing", "aj", "aj", mapping("aj", use("j", ".bracket_elem_1"), ".bracket_elem_1", use("aj", "a")), `
			return a0`},
		{"a map that may fail", "aj aj", "aj", mapping("aj", let("j", "x", at("j", num("0"), use("aj", "b")), use("j", "e")), "e", use("aj", "a")), `
			mapped2 := map e3 over a0
				x4 := index b1 at 0
				give e3
			return mapped2`},
		{"work outside of a loop stays there", "aj s", "as", let("as", "t", unary("show", "s", use("s", "b")), mapping("as", use("s", "t"), "e", use("aj", "a"))), `
			t2 := show(b1)
			mapped3 := map e4 over a0
				give t2
			return mapped3`},
		{"a field goes into a loop", "aj t2js", "as", let("as", "t", field("s", 1, use("t2js", "b")), mapping("as", use("s", "t"), "e", use("aj", "a"))), `
			mapped2 := map e3 over a0
				give b1.1
			return mapped2`},
		{"a map that throws", "aj", "as", mapping("as", throw(str("x")), "e", use("aj", "a")), `
			mapped1 := map e2 over a0
				throw "x"
				give 
			return mapped1`},
		{"a map never read", "aj", "j", let("j", "x", mapping("aj", num("1"), "e", use("aj", "a")), num("1")), `
			return 1`},
		{"a map in a let", "aj", "t2aasaas", let("t2aasaas", "x", mapping("aas", box("as", unary("show", "s", use("j", "e"))), "e", use("aj", "a")), box("t2aasaas", use("aas", "x"), use("aas", "x"))), `
			x1 := map e2 over a0
				give [show(e2)]
			return {x1, x1}`},
		{"bounds", "aj ?i8", "aj", apply("aj", `{"type":"bracket_slice"}`, box("?i8", lit("i8", "1")), none, use("?i8", "b"), use("aj", "a")), `
			part2 := slice a0 [1::b1]
			return part2`},
		{"bounds of lets", "aj", "aj", let("aj", "n", num("2"), apply("aj", `{"type":"bracket_slice"}`, use("j", "n"), none, none, use("aj", "a"))), `
			part1 := slice a0 [2::]
			return part1`},
		{"the whole list", "aj", "aj", apply("aj", `{"type":"bracket_slice"}`, none, none, num("1"), use("aj", "a")), `
			return a0`},
		{"a part of what is built there", "j", "aj", apply("aj", `{"type":"bracket_slice"}`, num("1"), none, none, box("aj", num("1"), use("j", "a"))), `
			return [a0]`},
		{"an element of what is built there", "j", "j", at("j", num("-1"), box("aj", num("1"), use("j", "a"))), `
			return a0`},
		{"an element that is not there", "j", "j", at("j", num("2"), box("aj", num("1"), use("j", "a"))), `
			element1 := index [1, a0] at 2
			return element1`},
		{"an absent index", "aj", "j", at("j", none, use("aj", "a")), `
			element1 := index a0 at none
			return element1`},
		{"chain", "m17membersam14names ?i8", "s", apply("s", fields("key", key("members", `{"type":"bracket_index","sub":`+fields("key", key("name", end))+`}`)), use("?i8", "b"), use("m17membersam14names", "a")), `
			element2 := index a0.0 at b1
			return element2.0`},
		{"a known level", "s", "z", save("voidstar", num("9"), num("1"), use("s", "a")), `
			save voidstar level 9: 1 to a0
			return null`},
		{"a level out of range", "s", "z", save("msgpack", num("10"), num("1"), use("s", "a")), `
			check level 10
			save msgpack level : 1 to a0
			return null`},
		{"a level from the caller", "s j", "z", save("voidstar", use("j", "b"), unary("load", "j", str("p")), use("s", "a")), `
			check level b1
			loaded2 := load "p"
			save voidstar level b1: loaded2 to a0
			return null`},
		{"a path that throws", "j", "z", save("json", num("0"), use("j", "a"), throw(str("x"))), `
			throw "x"`},
		{"nested values", "s", "a?s", let("a?s", "x", box("?s", unary("hash", "s", unary("show", "s", use("s", "a")))), box("a?s", use("?s", "x"))), `
			return [some(hash(show(a0)))]`},
		{"deeply nested values stay apart", "s", "s", let("s", "x", unary("show", "s", unary("show", "s", unary("show", "s", unary("show", "s", unary("show", "s", unary("show", "s", use("s", "a"))))))), unary("hash", "s", use("s", "x"))), `
			x1 := show(show(show(show(show(show(a0))))))
			return hash(x1)`},
		{"a failing loop never read", "aaj", "j", let("j", "x", mapping("aaj", mapping("aj", at("j", num("0"), use("aj", "e")), "f", use("aj", "e")), "e", use("aaj", "a")), num("1")), `
			x1 := map e2 over a0
				mapped3 := map f4 over e2
					element5 := index e2 at 0
					give element5
				give mapped3
			return 1`},
		{"texts join", "s", "s", join(`"a","b","c"`, str("-"), join(`"[","]"`, use("s", "a"))), `
			return "a-b[" + a0 + "]c"`},
		{"a constant in the middle", "j", "t2sj", box("t2sj", unary("show", "s", box("as", str("a/b"))), use("j", "a")), `
			return {"[\"a\\/b\"]", a0}`},
		{"names", "aj", "aj", let("aj", ".bracket_arg_7", at("j", num("0"), use("aj", "a")), let("aj", "_sect_2@5", at("j", num("1"), use("aj", "a")), let("aj", "_x@9", at("j", num("2"), use("aj", "a")), box("aj", use("j", ".bracket_arg_7"), use("j", "_sect_2@5"), use("j", "_x@9"))))), `
			element1 := index a0 at 0
			element2 := index a0 at 1
			_x3 := index a0 at 2
			return [element1, element2, _x3]`},
	}
	for _, c := range tests {
		var params []*ir.Type
		var vars []string
		for i, s := range strings.Fields(c.params) {
			params = append(params, parseType(t, s))
			vars = append(vars, string(rune('a'+i)))
		}
		f, err := Compile(parseText(t, lambda(c.body, vars...)), params, parseType(t, c.result))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := verify(f); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		_, got, _ := strings.Cut(dump(f), "\n")
		if diff := cmp.Diff(strings.TrimPrefix(strings.ReplaceAll(c.want, "\n\t\t\t", "\n"), "\n")+"\n", got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestScalars compares the hashes of all kinds of scalars with those of the runtime, and
// their layout with what pure-eval.md 6.7 says.
func TestScalars(t *testing.T) {
	t.Parallel()
	tests := []struct {
		schema, value string
		want          uint64
	}{
		{"z", "null", pure.HashUnit(0, struct{}{})},
		{"b", "true", pure.HashBool(0, true)},
		{"i1", "-2", pure.HashInt8(0, -2)},
		{"i2", "-2", pure.HashInt16(0, -2)},
		{"i4", "-2", pure.HashInt32(0, -2)},
		{"i8", "-2", pure.HashInt64(0, -2)},
		{"u1", "2", pure.HashUint8(0, 2)},
		{"u2", "2", pure.HashUint16(0, 2)},
		{"u4", "2", pure.HashUint32(0, 2)},
		{"u8", "2", pure.HashUint64(0, 2)},
		{"f4", "0.1", pure.HashFloat32(0, 0.1)},
		{"f8", "0.1", pure.HashFloat64(0, 0.1)},
		{"j", "-2", pure.HashInt(0, jsonx.NewInt(-2))},
	}
	for _, c := range tests {
		v, err := ParseConstant(parseType(t, c.schema), parseText(t, c.value))
		if err != nil {
			t.Fatal(err)
		}
		if got := hash(0, v); got != c.want {
			t.Errorf("hash of %s %s is %x, want %x", c.schema, c.value, got, c.want)
		}
	}
	v, err := ParseConstant(parseType(t, "tczbi1i2i4i8u1u2u4u8f4f8"), parseText(t, `[null,true,-1,-2,-3,-4,1,2,3,4,0.5,0.5]`))
	if err != nil {
		t.Fatal(err)
	}
	want := "01ff" + "feff" + "fdffffff" + "fcffffffffffffff" + "01" + "00" + "0200" + "03000000" + "0400000000000000" +
		"0000003f" + "00000000" + "000000000000e03f"
	if got := hex.EncodeToString(raw(nil, v)); got != want {
		t.Errorf("layout\n%s, want\n%s", got, want)
	}
}

// TestHash checks the vectors of pure-eval.md 6.7.
func TestHash(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, value, want string }{
		{"s", `"hello"`, "447c3bd1a33eb4df"},
		{"s", `""`, "1d85ae7ecf298135"},
		{"j", `42`, "a311d4bf7eb5bec4"},
		{"j", `0`, "77541e6e96726dd0"},
		{"j", `-1`, "a5ff8c35401a05b7"},
		{"t3jjj", `[1,2,3]`, "48fe6b3478393bbf"},
		{"b", `true`, "1064fdbfb64d6fc3"},
		{"f8", `3.14`, "ad3352bcad3bb045"},
		{"i8", `42`, "b23466ab9607f80e"},
		{"aj", `[1,2,3]`, "f11730e80b59340e"},
		{"ai4", `[1,2,3]`, "256fd9cb41a2b4e7"},
		{"aj", `[]`, "7531e5cbb4d34059"},
		{"as", `["a","bc"]`, "a7dc075a48efb3da"},
		{"z", `null`, "ef46db3751d8e999"},
		{"?j", `null`, "d92070dee12588e9"},
		{"?j", `5`, "0ea689ce47edd68c"},
	}
	for _, c := range tests {
		v, err := ParseConstant(parseType(t, c.schema), parseText(t, c.value))
		if err != nil {
			t.Fatal(err)
		}
		if got := hashText(v); got != c.want {
			t.Errorf("hash of %s %s is %s, want %s", c.schema, c.value, got, c.want)
		}
	}
}
