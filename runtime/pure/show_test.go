package pure_test

import (
	"math"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

func TestShow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		got  []byte
		want string
	}{
		{"unit", pure.ShowUnit(nil, struct{}{}), "null"},
		{"bool", pure.ShowBool(nil, true), "true"},
		{"i1", pure.ShowInt8(nil, -128), "-128"},
		{"i2", pure.ShowInt16(nil, -32768), "-32768"},
		{"i4", pure.ShowInt32(nil, -2147483648), "-2147483648"},
		{"i8", pure.ShowInt64(nil, math.MinInt64), "-9223372036854775808"},
		{"u1", pure.ShowUint8(nil, 255), "255"},
		{"u2", pure.ShowUint16(nil, 65535), "65535"},
		{"u4", pure.ShowUint32(nil, 4294967295), "4294967295"},
		{"u8", pure.ShowUint64(nil, math.MaxUint64), "18446744073709551615"},
		{"j", pure.ShowInt(nil, jsonx.MustParseInt("-123456789012345678901234567890")), "-123456789012345678901234567890"},
		{"f8", pure.ShowFloat64(nil, 0.30000000000000004), "0.3"},
		{"f8 integer", pure.ShowFloat64(nil, 255), "255"},
		{"f8 15 digits", pure.ShowFloat64(nil, 123456789012345), "123456789012345"},
		{"f8 16 digits", pure.ShowFloat64(nil, 1234567890123456), "1.23456789012346e+15"},
		{"f8 large", pure.ShowFloat64(nil, 1e21), "1e+21"},
		{"f8 small", pure.ShowFloat64(nil, 1e-5), "1e-05"},
		{"f8 not so small", pure.ShowFloat64(nil, 1e-4), "0.0001"},
		{"f8 huge exponent", pure.ShowFloat64(nil, 1e300), "1e+300"},
		{"f8 -0", pure.ShowFloat64(nil, math.Copysign(0, -1)), "-0"},
		{"f8 nan", pure.ShowFloat64(nil, math.NaN()), `"nan"`},
		{"f8 inf", pure.ShowFloat64(nil, math.Inf(1)), `"inf"`},
		{"f8 -inf", pure.ShowFloat64(nil, math.Inf(-1)), `"-inf"`},
		{"f4", pure.ShowFloat32(nil, 0.1), "0.1"},
		{"f4 8 digits", pure.ShowFloat32(nil, 16777217), "1.677722e+07"},
		{"f4 nan", pure.ShowFloat32(nil, float32(math.NaN())), `"nan"`},
		{"s", pure.ShowString([]byte("//"), "a/b//"), `//"a\/b\/\/"`},
		{"s escapes", pure.ShowString(nil, "q\"\\\b\f\n\r\t\x01\x7fé\x00"), `"q\"\\\b\f\n\r\t\u0001` + "\x7fé" + `\u0000"`},
		{"s not UTF-8", pure.ShowString(nil, "a\xff"), `""`},
		{"list", jsonx.AppendList(nil, []string{"/", ""}, pure.ShowString), `["\/",""]`},
		{"empty list", jsonx.AppendList(nil, nil, pure.ShowInt64), `[]`},
		{"optional", jsonx.AppendOptional(nil, nil, pure.ShowInt64), `null`},
	}
	for _, tt := range tests {
		if string(tt.got) != tt.want {
			t.Errorf("show %s = %s, want %s", tt.name, tt.got, tt.want)
		}
	}
}
