package pure_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// A call is one entry of the recorded calls of pure commands.
type call struct {
	Program, Command string
	Args             map[string]json.RawMessage
	Result, Error    *string
	Loose            bool
	Mcpgen           *struct{ Result, Error *string }
}

// An input is the arguments of a call; they are read with the functions under test, which
// accept all that tool arguments may be.
type input map[string]json.RawMessage

func arg[T any](in input, name string, f func(*pure.Decoder) T) T {
	text := in[name]
	if text == nil {
		text = json.RawMessage("null")
	}
	v, err := pure.ReadBytes(text, f)
	if err != nil {
		panic(fmt.Sprintf("argument %s: %v", name, err))
	}
	return v
}

// command makes a command of one argument.
func command[A, R any](read func(*pure.Decoder) A, f func(A) (R, error), result func([]byte, R) []byte) func(input) (string, error) {
	return func(in input) (string, error) {
		v, err := f(arg(in, "_1", read))
		return string(result(nil, v)), err
	}
}

func show[T any](read func(*pure.Decoder) T, f func([]byte, T) []byte) func(input) (string, error) {
	return command(read, func(v T) (string, error) { return string(f(nil, v)), nil }, jsonx.AppendString)
}

func hash[T any](read func(*pure.Decoder) T, f func(uint64, T) uint64) func(input) (string, error) {
	return command(read, func(v T) (string, error) { return pure.Hex16(f(0, v)), nil }, jsonx.AppendString)
}

func parse[T any](f func(*pure.Decoder) T, result func([]byte, T) []byte) func(input) (string, error) {
	return command((*pure.Decoder).String, func(text string) (T, error) { return pure.Read(text, f) }, result)
}

// slice makes a command xs[..] with one bound of an integer type.
func slice[I any](read func(*pure.Decoder) I, f func(I, []jsonx.Int) ([]jsonx.Int, error)) func(input) (string, error) {
	return func(in input) (string, error) {
		vs, err := f(arg(in, "_1", read), arg(in, "_2", readInts))
		return string(jsonx.AppendList(nil, vs, jsonx.AppendInt)), err
	}
}

func optional[T any](f func(*pure.Decoder) T) func(*pure.Decoder) *T {
	return func(d *pure.Decoder) *T { return pure.ReadOptional(d, f) }
}

func hashPair(seed uint64, v pair) uint64 {
	return pure.HashString(pure.HashInt(pure.HashTuple(seed), v.F0), v.F1)
}

func readMixed(d *pure.Decoder) (v mixed) {
	t := d.Tuple(3)
	if d.Next(&t) {
		v.F0 = d.Int8()
	}
	if d.Next(&t) {
		v.F1 = d.Int32()
	}
	if d.Next(&t) {
		v.F2 = d.Float64()
	}
	d.EndTuple(&t)
	return v
}

var none pure.Bound

// commands is what mcpgen makes of commands of the recorded programs, by hand.
var commands = map[string]func(input) (string, error){
	"texts.showInt":    show((*pure.Decoder).Int, pure.ShowInt),
	"texts.showReal":   show((*pure.Decoder).Float64, pure.ShowFloat64),
	"texts.showSingle": show((*pure.Decoder).Float32, pure.ShowFloat32),
	"texts.showText":   show((*pure.Decoder).String, pure.ShowString),
	"texts.showUnit":   show((*pure.Decoder).Unit, pure.ShowUnit),
	"texts.showList":   show(readInts, showList(pure.ShowInt)),
	"texts.showBin":    show(readBin, showBin),
	"texts.showOpt": show(optional((*pure.Decoder).Int), func(dst []byte, v *jsonx.Int) []byte {
		return jsonx.AppendOptional(dst, v, pure.ShowInt)
	}),
	"texts.showTwice": show((*pure.Decoder).String, func(dst []byte, v string) []byte {
		return pure.ShowString(dst, string(pure.ShowString(nil, v)))
	}),

	"texts.readInt":  parse((*pure.Decoder).Int, jsonx.AppendInt),
	"texts.readReal": parse((*pure.Decoder).Float64, jsonx.AppendFloat64),
	"texts.readText": parse((*pure.Decoder).String, jsonx.AppendString),
	"texts.readFlag": parse((*pure.Decoder).Bool, jsonx.AppendBool),
	"texts.readList": parse(readInts, showList(jsonx.AppendInt)),
	"texts.readBin":  parse(readBin, showBin),
	"texts.readPair": parse(readPair, showPair),
	"texts.readOpt": parse(optional((*pure.Decoder).Int), func(dst []byte, v *jsonx.Int) []byte {
		return jsonx.AppendOptional(dst, v, jsonx.AppendInt)
	}),

	"texts.hashText":  hash((*pure.Decoder).String, pure.HashString),
	"texts.hashInt":   hash((*pure.Decoder).Int, pure.HashInt),
	"texts.hashReal":  hash((*pure.Decoder).Float64, pure.HashFloat64),
	"texts.hashFlag":  hash((*pure.Decoder).Bool, pure.HashBool),
	"texts.hashUnit":  hash((*pure.Decoder).Unit, pure.HashUnit),
	"texts.hashPair":  hash(readPair, hashPair),
	"texts.hashList":  hash(readInts, func(h uint64, v []jsonx.Int) uint64 { return pure.HashList(h, v, pure.HashInt) }),
	"texts.hashTexts": hash(listOf(0, (*pure.Decoder).String), func(h uint64, v []string) uint64 { return pure.HashList(h, v, pure.HashString) }),
	"texts.hashBin":   hash(readMixed, func(h uint64, v mixed) uint64 { return pure.HashFixedTuple(h, rawMixed(nil, v)) }),
	"texts.hashByte": hash(listOf(0, (*pure.Decoder).Uint8), func(h uint64, v []uint8) uint64 {
		return pure.HashFixedList(h, v, pure.TagUint8, pure.RawUint8)
	}),
	"texts.failWith": command((*pure.Decoder).String, func(m string) (struct{}, error) { return struct{}{}, pure.Throw(m) }, jsonx.AppendUnit),

	"corners.hashMaybe": hash(optional((*pure.Decoder).Int), func(h uint64, v *jsonx.Int) uint64 { return pure.HashOptional(h, v, pure.HashInt) }),
	"corners.upTo": slice((*pure.Decoder).Int, func(n jsonx.Int, xs []jsonx.Int) ([]jsonx.Int, error) {
		return pure.Slice(xs, none, pure.AtInt(n), none)
	}),
	"corners.upToU": slice((*pure.Decoder).Uint64, func(n uint64, xs []jsonx.Int) ([]jsonx.Int, error) {
		return pure.Slice(xs, none, pure.At(n), none)
	}),
	"corners.byStep": slice((*pure.Decoder).Int64, func(n int64, xs []jsonx.Int) ([]jsonx.Int, error) {
		return pure.Slice(xs, none, none, pure.At(n))
	}),
	"corners.atU": func(in input) (string, error) {
		v, err := pure.Index(arg(in, "_2", readInts), arg(in, "_1", (*pure.Decoder).Uint64))
		return v.String(), err
	},
	"exprs.at": func(in input) (string, error) {
		v, err := pure.IndexInt(arg(in, "_2", listOf(0, (*pure.Decoder).String)), arg(in, "_1", (*pure.Decoder).Int))
		return string(jsonx.AppendString(nil, v)), err
	},
	"exprs.window": func(in input) (string, error) {
		bound := func(name string) pure.Bound {
			return pure.AtOptionalInt(arg(in, name, optional((*pure.Decoder).Int)))
		}
		vs, err := pure.Slice(arg(in, "_4", readInts), bound("_1"), bound("_2"), bound("_3"))
		return string(jsonx.AppendList(nil, vs, jsonx.AppendInt)), err
	},
}

// Every recorded call of a command above, except those refused for their arguments.
func TestGolden(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../testdata/golden/morloc/pure.json")
	if err != nil {
		t.Fatal(err)
	}
	var calls []call
	if err := json.Unmarshal(data, &calls); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range calls {
		name := c.Program + "." + c.Command
		run, ok := commands[name]
		want, wantErr := c.Result, c.Error
		if c.Mcpgen != nil {
			want, wantErr = c.Mcpgen.Result, c.Mcpgen.Error
		}
		if !ok || wantErr != nil && strings.Contains(*wantErr, "argument '") {
			continue
		}
		seen[name] = true
		got, err := run(c.Args)
		switch {
		case want != nil && (err != nil || got != *want):
			t.Errorf("%s %s = %s, %v, want %s", name, c.Args, got, err, *want)
		case wantErr != nil && err == nil:
			t.Errorf("%s %s = %s, want %q", name, c.Args, got, *wantErr)
		case wantErr != nil && c.Loose:
			if got, want := kind(err.Error()), kind(*wantErr); got != want {
				t.Errorf("%s %s: %s, want %s", name, c.Args, got, want)
			}
		case wantErr != nil && err.Error() != *wantErr:
			t.Errorf("%s %s: %v, want %s", name, c.Args, err, *wantErr)
		}
	}
	for name := range commands {
		if !seen[name] {
			t.Errorf("no recorded call of %s", name)
		}
	}
}

// kind is what is a contract of a text that quotes a JSON parser.
func kind(text string) string {
	for _, k := range []string{"serialization error: JSON parse error: ", "serialization error: expected string: ",
		"serialization error: expected JSON array: "} {
		if strings.HasPrefix(text, k) {
			return k
		}
	}
	return text
}
