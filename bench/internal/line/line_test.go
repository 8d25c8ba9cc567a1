package line

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestServe(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3<<20)
	for _, test := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"lines", "a\nb\n\nc\n", "<a>\n<b>\n<>\n<c>\n"},
		{"no newline at the end", "a\nb", "<a>\n"},
		{"longer than the buffer", "a\n" + long + "\nb\n", "<a>\n<" + long + ">\n<b>\n"},
	} {
		for way, reader := range map[string]func(io.Reader) io.Reader{
			"whole":         func(r io.Reader) io.Reader { return r },
			"in halves":     iotest.HalfReader,
			"EOF with data": iotest.DataErrReader,
		} {
			t.Run(test.name+", "+way, func(t *testing.T) {
				t.Parallel()
				var out bytes.Buffer
				err := serve(reader(strings.NewReader(test.in)), &out, func(out, line []byte) []byte {
					return append(append(append(out, '<'), line...), ">\n"...)
				})
				if err != nil || out.String() != test.want {
					t.Errorf("got %.40q, %v, want %.40q", out.String(), err, test.want)
				}
			})
		}
	}
}
