package pure_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// A bin is the record of program texts, a link one that holds itself; the functions are
// what is generated for them.
type bin struct {
	name  string
	size  jsonx.Int
	level *float64
}

var binNames = []string{"name", "size", "level"}

func readBin(d *pure.Decoder) (v bin) {
	r := d.Record(binNames)
	for d.Field(&r) {
		switch r.Index {
		case 0:
			v.name = d.String()
		case 1:
			v.size = d.Int()
		case 2:
			v.level = pure.ReadOptional(d, (*pure.Decoder).Float64)
		}
	}
	return v
}

func showBin(dst []byte, v bin) []byte {
	dst = pure.ShowString(append(dst, `{"name":`...), v.name)
	dst = pure.ShowInt(append(dst, `,"size":`...), v.size)
	dst = jsonx.AppendOptional(append(dst, `,"level":`...), v.level, pure.ShowFloat64)
	return append(dst, '}')
}

type pair struct {
	F0 jsonx.Int
	F1 string
}

func readPair(d *pure.Decoder) (v pair) {
	t := d.Tuple(2)
	if d.Next(&t) {
		v.F0 = d.Int()
	}
	if d.Next(&t) {
		v.F1 = d.String()
	}
	d.EndTuple(&t)
	return v
}

func showPair(dst []byte, v pair) []byte {
	dst = pure.ShowInt(append(dst, '['), v.F0)
	dst = pure.ShowString(append(dst, ','), v.F1)
	return append(dst, ']')
}

type link struct {
	head jsonx.Int
	tail *link
}

var linkNames = []string{"head", "tail"}

func readLink(d *pure.Decoder) (v link) {
	r := d.Record(linkNames)
	for d.Field(&r) {
		switch r.Index {
		case 0:
			v.head = d.Int()
		case 1:
			v.tail = pure.ReadOptional(d, readLink)
		}
	}
	return v
}

func showLink(dst []byte, v link) []byte {
	dst = pure.ShowInt(append(dst, `{"head":`...), v.head)
	dst = jsonx.AppendOptional(append(dst, `,"tail":`...), v.tail, showLink)
	return append(dst, '}')
}

func readInts(d *pure.Decoder) []jsonx.Int { return pure.ReadList(d, 0, (*pure.Decoder).Int) }

// reader makes a function from text to the shown value, or what is wrong.
func reader[T any](read func(*pure.Decoder) T, show func([]byte, T) []byte) func(string) string {
	return func(text string) string {
		v, err := pure.Read(text, read)
		switch {
		case err == nil:
			return string(show(nil, v))
		case !pure.IsUser(err):
			return "not a user error: " + err.Error()
		}
		return err.Error()
	}
}

func listOf[T any](n int, f func(*pure.Decoder) T) func(*pure.Decoder) []T {
	return func(d *pure.Decoder) []T { return pure.ReadList(d, n, f) }
}

func showList[T any](f func([]byte, T) []byte) func([]byte, []T) []byte {
	return func(dst []byte, vs []T) []byte { return jsonx.AppendList(dst, vs, f) }
}

var readers = map[string]func(string) string{
	"z":     reader((*pure.Decoder).Unit, pure.ShowUnit),
	"b":     reader((*pure.Decoder).Bool, pure.ShowBool),
	"i1":    reader((*pure.Decoder).Int8, pure.ShowInt8),
	"i2":    reader((*pure.Decoder).Int16, pure.ShowInt16),
	"i4":    reader((*pure.Decoder).Int32, pure.ShowInt32),
	"i8":    reader((*pure.Decoder).Int64, pure.ShowInt64),
	"u1":    reader((*pure.Decoder).Uint8, pure.ShowUint8),
	"u2":    reader((*pure.Decoder).Uint16, pure.ShowUint16),
	"u4":    reader((*pure.Decoder).Uint32, pure.ShowUint32),
	"u8":    reader((*pure.Decoder).Uint64, pure.ShowUint64),
	"j":     reader((*pure.Decoder).Int, pure.ShowInt),
	"f4":    reader((*pure.Decoder).Float32, pure.ShowFloat32),
	"f8":    reader((*pure.Decoder).Float64, pure.ShowFloat64),
	"s":     reader((*pure.Decoder).String, pure.ShowString),
	"aj":    reader(readInts, showList(pure.ShowInt)),
	"a:2i1": reader(listOf(2, (*pure.Decoder).Int8), showList(pure.ShowInt8)),
	"at2js": reader(listOf(0, readPair), showList(showPair)),
	"t2js":  reader(readPair, showPair),
	"bin":   reader(readBin, showBin),
	"abin":  reader(listOf(0, readBin), showList(showBin)),
	"link":  reader(readLink, showLink),
}

func TestRead(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 50)
	tests := []struct{ schema, text, want string }{
		{"z", "null", "null"},
		{"z", "[1]", "expected null, got [1]"},
		{"b", " true\n", "true"},
		{"b", "false", "false"},
		{"b", "1", "expected bool, got 1"},

		{"i1", "-128", "-128"},
		{"i1", "-0", "0"},
		{"i1", "128", "value 128 out of range for I8 (range -128 to 127)"},
		{"i1", "-99999999999999999999", "value -99999999999999999999 out of range for I8 (range -128 to 127)"},
		{"i1", "1.5", "expected integer for I8, got 1.5"},
		{"i1", "1e0", "expected integer for I8, got 1e0"},
		{"i1", "true", "expected integer for I8, got true"},
		{"i1", `"5"`, `invalid integer for I8: "5"`},
		{"i1", `"five"`, `expected integer for I8, got "five"`},
		{"i1", "null", "invalid integer for I8: null"},
		{"i2", "-32768", "-32768"},
		{"i2", "32768", "value 32768 out of range for I16 (range -32768 to 32767)"},
		{"i4", "2147483647", "2147483647"},
		{"i4", "-2147483649", "value -2147483649 out of range for I32 (range -2147483648 to 2147483647)"},
		{"i8", "-9223372036854775808", "-9223372036854775808"},
		{"i8", "9223372036854775808", "value 9223372036854775808 out of range for I64 (range -9223372036854775808 to 9223372036854775807)"},
		{"u1", "255", "255"},
		{"u1", "-0", "0"},
		{"u1", "-1", "value -1 out of range for U8 (range 0 to 255)"},
		{"u1", "1.0", "expected unsigned integer for U8, got 1.0"},
		{"u1", "[]", "invalid unsigned integer for U8: []"},
		{"u2", "65536", "value 65536 out of range for U16 (range 0 to 65535)"},
		{"u4", "4294967295", "4294967295"},
		{"u4", "4294967296", "value 4294967296 out of range for U32 (range 0 to 4294967295)"},
		{"u8", "18446744073709551615", "18446744073709551615"},
		{"u8", "18446744073709551616", "value 18446744073709551616 out of range for U64 (range 0 to 18446744073709551615)"},

		{"j", "123456789012345678901234567890", "123456789012345678901234567890"},
		{"j", `" 007 "`, "7"},
		{"j", `"-5"`, "-5"},
		{"j", `"five"`, `expected integer for Int, got "five"`},
		{"j", `"x"`, `invalid integer literal: "x" (expected decimal digits)`},
		{"j", "null", `invalid integer literal: "null" (expected decimal digits)`},
		{"j", `"  "`, "empty integer literal"},
		{"j", `"-"`, "integer literal has no digits"},
		{"j", "1.0", "expected integer for Int, got 1.0"},
		{"j", "true", "expected integer for Int, got true"},

		{"f8", "7", "7"},
		{"f8", "-0", "-0"},
		{"f8", "1e400", `"inf"`},
		{"f8", "1e-400", "0"},
		{"f8", `"nan"`, `"nan"`},
		{"f8", `"-inf"`, `"-inf"`},
		{"f8", `"+Infinity"`, `"inf"`},
		{"f8", `"-NaN"`, `"nan"`},
		{"f8", `"1e3"`, "1000"},
		{"f8", `".5"`, "0.5"},
		{"f8", `"1_0"`, `expected F64, got "1_0"`},
		{"f8", `"0x10"`, `expected F64, got "0x10"`},
		{"f8", `" 1"`, `expected F64, got " 1"`},
		{"f8", `""`, `expected F64, got ""`},
		{"f8", "null", "expected F64, got null"},
		{"f4", "0.1", "0.1"},
		{"f4", "1e39", `"inf"`},
		{"f4", "{}", "expected F32, got {}"},

		{"s", `"a\/b\u00e9\ud83d\ude00"`, `"a\/bé😀"`},
		{"s", "5", "expected string: invalid type: integer `5`, expected a string at line 1 column 1"},
		{"s", "5.0", "expected string: invalid type: floating point `5.0`, expected a string at line 1 column 3"},
		{"s", "null", "expected string: invalid type: null, expected a string at line 1 column 4"},
		{"s", "[]", "expected string: invalid type: sequence, expected a string at line 1 column 0"},
		{"s", "{}", "expected string: invalid type: map, expected a string at line 1 column 0"},
		{"aj", "[ 1, 2,3 ]", "[1,2,3]"},
		{"aj", "[]", "[]"},
		{"aj", `{"a":1}`, `expected JSON array: invalid type: map, expected a sequence at line 1 column 0 (in {"a":1})`},
		{"aj", "true", "expected JSON array: invalid type: boolean `true`, expected a sequence at line 1 column 4 (in true)"},
		{"aj", `[1,"x",true]`, `invalid integer literal: "x" (expected decimal digits)`},
		{"a:2i1", "[1,2]", "[1,2]"},
		{"a:2i1", "[1,2,3]", "!Array length mismatch: expected 2, got 3"},
		{"a:2i1", "[]", "!Array length mismatch: expected 2, got 0"},
		{"a:2i1", "[null,2,[3,4],{}]", "!Array length mismatch: expected 2, got 4"},
		{"a:2i1", "[1,null]", "invalid integer for I8: null"},

		{"t2js", `[1,"a"]`, `[1,"a"]`},
		{"t2js", "[1]", "expected 2 fields, got 1"},
		{"t2js", "[]", "expected 2 fields, got 0"},
		{"t2js", `[1,"a",3,4]`, "expected 2 fields, got 4"},
		{"t2js", `[true,"a",3]`, "expected 2 fields, got 3"},
		{"t2js", `[true,5]`, "expected integer for Int, got true"},
		{"t2js", `{}`, "expected JSON array: invalid type: map, expected a sequence at line 1 column 0 (in {})"},
		{"at2js", `[[1,"a"],[2,"b"]]`, `[[1,"a"],[2,"b"]]`},
		{"at2js", `[[1,"a"],[2],[3],null]`, "expected 2 fields, got 1"},

		{"bin", `{"name":"a","size":1,"level":null}`, `{"name":"a","size":1,"level":null}`},
		{"bin", `{"level":2,"x":{"name":[]},"name":"a","size":1}`, `{"name":"a","size":1,"level":2}`},
		{"bin", `{"name":"a","name":"b","size":1,"level":0}`, `{"name":"b","size":1,"level":0}`},
		{"bin", `{"name":[],"name":"b","size":1,"level":0}`, `{"name":"b","size":1,"level":0}`},
		{"bin", `{"name":"a","size":1,"level":0,"name":{"x":[1,{}]}}`, "expected string: invalid type: map, expected a string at line 1 column 0"},
		{"bin", `{"n\u0061me":"a","size":1,"level":0}`, `{"name":"a","size":1,"level":0}`},
		{"bin", `{"Name":"a","size":1,"level":0}`, "missing required field 'name' in record"},
		{"bin", `{"name":"a","size":1}`, "missing required field 'level' in record"},
		{"bin", `{}`, "missing required field 'name' in record"},
		{"bin", `{"level":"x","size":true}`, "missing required field 'name' in record"},
		{"bin", `{"level":"x","size":true,"name":"a"}`, "expected integer for Int, got true"},
		{"bin", `["a",1,null]`, `{"name":"a","size":1,"level":null}`},
		{"bin", `["a",1]`, "record array form must have exactly 3 fields (one per schema field, in declaration order), got 2"},
		{"bin", `[5,1,null,6]`, "record array form must have exactly 3 fields (one per schema field, in declaration order), got 4"},
		{"bin", `[5,1,null]`, "expected string: invalid type: integer `5`, expected a string at line 1 column 1"},
		{"bin", "7", "record source must be a JSON object {...} or array [...], got 7"},
		{"abin", `[["a",1,2],{"name":"b","size":2,"level":null}]`, `[{"name":"a","size":1,"level":2},{"name":"b","size":2,"level":null}]`},
		{"abin", `[["a",1,2],{"name":"b"},5]`, "missing required field 'size' in record"},
		{"link", `{"head":1,"tail":{"head":2,"tail":null}}`, `{"head":1,"tail":{"head":2,"tail":null}}`},
		{"link", `[1,[2,{"tail":null,"head":3}]]`, `{"head":1,"tail":{"head":2,"tail":{"head":3,"tail":null}}}`},
		{"link", `[1,[2,{"tail":null}]]`, "missing required field 'head' in record"},

		{"b", strings.Repeat("1", 80), "expected bool, got " + strings.Repeat("1", 80)},
		{"b", strings.Repeat("1", 81), "expected bool, got " + strings.Repeat("1", 77) + "..."},
		{"b", `"` + long + `"`, `expected bool, got "` + strings.Repeat("é", 38) + "..."},
		{"b", `["` + long + `"]`, `expected bool, got ["` + strings.Repeat("é", 37) + "..."},

		{"j", "", "!@read: empty input string"},
		{"j", " ", "JSON parse error: EOF while parsing a value at line 1 column 1"},
		{"j", "x", "JSON parse error: expected value at line 1 column 1"},
		{"j", "4 5", "JSON parse error: trailing characters at line 1 column 3"},
		{"j", "4\x00", "JSON parse error: trailing characters at line 1 column 2"},
		{"j", "01", "JSON parse error: invalid number at line 1 column 1"},
		{"aj", "[1,", "JSON parse error: EOF while parsing a value at line 1 column 3"},
		{"aj", "[1,]", "JSON parse error: expected value at line 1 column 4"},
		{"aj", "[true,\n 1 2]", "JSON parse error: expected a comma or ] at line 2 column 4"},
		{"aj", "[1", "JSON parse error: EOF where a comma or ] is expected at line 1 column 2"},
		{"aj", "[1}", "JSON parse error: expected a comma or ] at line 1 column 3"},
		{"s", `"a`, "JSON parse error: invalid string at line 1 column 1"},
		{"s", "\"\n\"", "JSON parse error: invalid string at line 1 column 1"},
		{"s", "\"\xff\"", "JSON parse error: invalid UTF-8 in a string at line 1 column 1"},
		{"bin", "{", "JSON parse error: EOF while parsing an object at line 1 column 1"},
		{"bin", "{1:2}", "JSON parse error: expected a string and a colon at line 1 column 2"},
		{"bin", `{"a":1,}`, "JSON parse error: expected a string and a colon at line 1 column 8"},
		{"aj", strings.Repeat("[", 1001), "JSON parse error: nested deeper than 1000 at line 1 column 1001"},
	}
	for _, tt := range tests {
		t.Run(tt.schema+" "+tt.text, func(t *testing.T) {
			got := readers[tt.schema](tt.text)
			without, ok := strings.CutPrefix(tt.want, "!") // the few texts without the prefix
			if got != without && (ok || got != "serialization error: "+tt.want) {
				t.Errorf("read %s %s = %s, want %s", tt.schema, tt.text, got, tt.want)
			}
		})
	}
}

// Values as deep as text may be are read, deeper ones refused without harm.
func TestReadDeep(t *testing.T) {
	t.Parallel()
	nested := func(n int) string {
		return strings.Repeat(`{"head":1,"tail":`, n) + "null" + strings.Repeat("}", n)
	}
	if got := readers["link"](nested(1000)); got != nested(1000) {
		t.Errorf("1000 links are read as %.80s", got)
	}
	for _, text := range []string{nested(1001), nested(100_000), strings.Repeat("[", 1_000_000)} {
		got := readers["link"](text)
		if want := "serialization error: JSON parse error: nested deeper than 1000"; !strings.HasPrefix(got, want) {
			t.Errorf("read = %.80s, want %s", got, want)
		}
	}
	// An error inside makes every level around it count; that must stay cheap.
	inner := `{"head":true,"tail":null}`
	text := strings.Repeat("[1,", 999) + inner + strings.Repeat("]", 999)
	if got, want := readers["link"](text), "serialization error: expected integer for Int, got true"; got != want {
		t.Errorf("read = %s, want %s", got, want)
	}
}

// After an error everything reads as zero, whatever the type, and the error stays.
func TestErrorsStick(t *testing.T) {
	t.Parallel()
	_, err := pure.Read(`["x", 1]`, func(d *pure.Decoder) (v struct{}) {
		if d.Bool() || d.String() != "" || d.Int() != (jsonx.Int{}) || d.Uint64() != 0 || d.Float64() != 0 {
			t.Error("a value is read after an error")
		}
		if pure.ReadOptional(d, readBin) != nil || readInts(d) != nil || readPair(d) != (pair{}) || readBin(d) != (bin{}) {
			t.Error("a structure is read after an error")
		}
		return d.Unit()
	})
	if want := `serialization error: expected bool, got ["x", 1]`; err == nil || err.Error() != want {
		t.Errorf("Read = %v, want %s", err, want)
	}
}

func TestReadBytesKeepsNothing(t *testing.T) {
	t.Parallel()
	src := []byte(`"text"`)
	v, err := pure.ReadBytes(src, (*pure.Decoder).String)
	copy(src, "xxxxxx")
	if v != "text" || err != nil {
		t.Errorf("ReadBytes = %q, %v", v, err)
	}
	if _, err := pure.ReadBytes(nil, (*pure.Decoder).String); !pure.IsUser(err) {
		t.Errorf("ReadBytes of nothing: %v, want a user error", err)
	}
}

func TestReadFloatIsExact(t *testing.T) {
	t.Parallel()
	for _, want := range []float64{0.1, 1.0 / 3, math.MaxFloat64, 5e-324, 123456789.123456789} {
		if got, err := pure.Read(fmt.Sprint(want), (*pure.Decoder).Float64); got != want || err != nil {
			t.Errorf("Read(%v) = %v, %v", want, got, err)
		}
	}
}
