package pool

import (
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/mcpgen/mcpgen/internal/testpool"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

const recordings = "../../testdata/golden/packets-live.json"

// A recordedCall is an exchange whose result becomes JSON, by the type schema.
type recordedCall struct {
	Exchange
	schema *voidstar.Schema
	result []byte
	err    error
	done   chan struct{}
}

// Finish implements [Finisher].
func (c *recordedCall) Finish(r *voidstar.Reader, err error) {
	if c.err = err; err == nil {
		c.result = appender(c.schema)(r, nil, r.Root())
		if r.Bad() {
			c.err = voidstar.ErrMalformed
		}
	}
	close(c.done)
}

// Every recorded call of live pools comes back from a real process, in the form that it was
// recorded in, as the value or the failure that was recorded.
func TestRecordedCalls(t *testing.T) {
	t.Parallel()
	path, err := filepath.Abs(recordings)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := testpool.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string][]testpool.Entry{}
	for _, e := range entries {
		programs[e.Program] = append(programs[e.Program], e)
	}
	if len(entries) != 136 || len(programs) != 12 {
		t.Errorf("%d calls of %d programs, want 136 of 12", len(entries), len(programs))
	}
	for name, entries := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testSet(t, program(t, 1, testpool.Options{Replay: path, Program: name}))
			for _, e := range entries {
				checkRecorded(t, s, e)
			}
			_, err := do(t, s, 0, 4711, "x")
			want(t, err, "replay: no recorded call for mid 4711")
		})
	}
}

func checkRecorded(t *testing.T, s *one, e testpool.Entry) {
	t.Helper()
	schema, err := voidstar.ParseSchema(e.Return)
	if err != nil {
		t.Fatal(err)
	}
	c := &recordedCall{schema: schema, done: make(chan struct{})}
	c.Exchange = Exchange{Call: e.Call, Schema: e.Return, Finisher: c}
	s.Do(&c.Exchange)
	<-c.done
	if e.Form == "FAIL" {
		want(t, c.err, e.Fail)
		return
	}
	if c.err != nil {
		t.Errorf("%s: %v", e.Name, c.err)
		return
	}
	if got := string(c.result); got != e.Result {
		t.Errorf("%s = %s, want %s", e.Name, got, e.Result)
	}
}

// appender returns how values of a type become JSON as it was recorded: floats in 15 and 7
// digits.
func appender(s *voidstar.Schema) voidstar.Append {
	switch s.Kind {
	case voidstar.KindFloat64:
		return func(r *voidstar.Reader, dst []byte, at int) []byte { return appendFloat(dst, r.Float64(at), 15) }
	case voidstar.KindFloat32:
		return func(r *voidstar.Reader, dst []byte, at int) []byte {
			return appendFloat(dst, float64(r.Float32(at)), 7)
		}
	case voidstar.KindOptional:
		return func(r *voidstar.Reader, dst []byte, at int) []byte {
			return r.AppendOptional(dst, at, appender(s.Elem))
		}
	case voidstar.KindList:
		return func(r *voidstar.Reader, dst []byte, at int) []byte {
			return r.AppendList(dst, at, s.Elem.Width, appender(s.Elem))
		}
	case voidstar.KindTuple, voidstar.KindRecord:
		return func(r *voidstar.Reader, dst []byte, at int) []byte { return appendFields(dst, r, s, at) }
	}
	return map[voidstar.Kind]voidstar.Append{
		voidstar.KindUnit:   (*voidstar.Reader).AppendUnit,
		voidstar.KindBool:   (*voidstar.Reader).AppendBool,
		voidstar.KindInt8:   (*voidstar.Reader).AppendInt8,
		voidstar.KindInt16:  (*voidstar.Reader).AppendInt16,
		voidstar.KindInt32:  (*voidstar.Reader).AppendInt32,
		voidstar.KindInt64:  (*voidstar.Reader).AppendInt64,
		voidstar.KindUint8:  (*voidstar.Reader).AppendUint8,
		voidstar.KindUint16: (*voidstar.Reader).AppendUint16,
		voidstar.KindUint32: (*voidstar.Reader).AppendUint32,
		voidstar.KindUint64: (*voidstar.Reader).AppendUint64,
		voidstar.KindInt:    (*voidstar.Reader).AppendInt,
		voidstar.KindString: (*voidstar.Reader).AppendString,
	}[s.Kind]
}

func appendFields(dst []byte, r *voidstar.Reader, s *voidstar.Schema, at int) []byte {
	brackets := "[]"
	if s.Kind == voidstar.KindRecord {
		brackets = "{}"
	}
	dst = append(dst, brackets[0])
	for i, f := range s.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		if s.Kind == voidstar.KindRecord {
			dst = append(strconv.AppendQuote(dst, f.Name), ':')
		}
		dst = appender(f.Schema)(r, dst, at+f.Offset)
	}
	return append(dst, brackets[1])
}

func appendFloat(dst []byte, v float64, digits int) []byte {
	switch {
	case math.IsNaN(v):
		return append(dst, `"nan"`...)
	case math.IsInf(v, 1):
		return append(dst, `"inf"`...)
	case math.IsInf(v, -1):
		return append(dst, `"-inf"`...)
	}
	return strconv.AppendFloat(dst, v, 'g', digits, 64)
}
