package jsoncheck_test

import (
	"bytes"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
)

// BenchmarkParse reads what a command that lists things prints, and writes it out again.
func BenchmarkParse(b *testing.B) {
	item := []byte(`{"id": 12345, "name": "an \"item\"", "tags": ["a", "b"], "size": 1.5, "none": null},` + "\n")
	text := append(bytes.Repeat(item, 10_000), "{}]"...)
	text = append([]byte{'['}, text...)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	var out []byte
	for b.Loop() {
		v, ok := jsoncheck.Parse(text)
		if !ok {
			b.Fatal("no JSON")
		}
		out = v.Append(out[:0])
	}
}
