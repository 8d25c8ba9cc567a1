package next

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/internal/testenv"
)

const testdata = "../../testdata/next"

// A value is an entry of values.txt.
type value struct{ name, schema, in, out, payload string }

func values(t testing.TB) (list []value) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(testdata, "values.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || line[0] == '#' {
			continue
		}
		if line[0] == 'W' {
			list = append(list, value{name: words[0], schema: words[1]})
			continue
		}
		v := &list[len(list)-1]
		switch {
		case words[0] == "in":
			v.in = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "in"))
			v.out = v.in
		case words[0] == "out":
			v.out = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "out"))
		case len(words[0]) == 4:
			v.payload += strings.Join(words[1:], "")
		}
	}
	if len(list) != 32 {
		t.Fatalf("%d values, want 32", len(list))
	}
	return list
}

// echoes writes a manifest with a remote command for each value, which takes and returns
// one of its type.
func echoes(list []value) string {
	var b strings.Builder
	b.WriteString(`{"name":"echoes","build":{"path":".","time":1,"morloc_version":"0.109.0"},` +
		`"pools":[{"lang":"py","exec":["python3","pools/pool.py"],"socket":"pipe-py"}],"commands":[`)
	for i, v := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"name":"%s","type":"remote","mid":%d,"pool":0,"args":[{"kind":"pos","key":"x","schema":%q}],"return":{"schema":%q}}`,
			strings.ToLower(v.name), i+1, v.schema, v.schema)
	}
	return b.String() + "]}"
}

// generate writes the package of a manifest into dir.
func generate(ctx context.Context, manifest, dir string) (*gen.Result, error) {
	r, err := gen.Generate(ctx, gen.Options{Manifests: []string{manifest}, Out: dir, Module: "example.test/program"})
	if err != nil {
		return nil, err
	}
	for _, f := range r.Files {
		path := filepath.Join(dir, f.Path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func goTool(t *testing.T, dir string, args ...string) {
	t.Helper()
	if err := testenv.Go(dir, args...); err != nil {
		t.Error(err)
	}
}

//go:embed codec_test.go.txt
var codecTest string

// TestValues puts every value of values.txt through the code that is generated for its type:
// JSON to a packet and a packet to JSON, byte for byte; and everything that must be refused.
// The test itself runs inside the generated package.
func TestValues(t *testing.T) {
	t.Parallel()
	list := values(t)
	dir := t.TempDir()
	manifest := filepath.Join(dir, "manifest.json")
	if err := os.WriteFile(manifest, []byte(echoes(list)), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "server")
	if _, err := generate(t.Context(), manifest, out); err != nil {
		t.Fatal(err)
	}
	var cases strings.Builder
	for _, v := range list {
		name := strings.ToLower(v.name)
		fmt.Fprintf(&cases, "\t{%q, %q, %q, %q, func(d *jsonx.Decoder, p *packet.Call) error { var a %sArgs; err := a.decode(d); if err == nil { a.pack(p) }; return err }, %sResult.Copy},\n",
			v.name, v.in, v.out, v.payload, name, name)
	}
	test := strings.Replace(codecTest, "\t// CASES\n", cases.String(), 1)
	if err := os.WriteFile(filepath.Join(out, "codec_test.go"), []byte(test), 0o644); err != nil {
		t.Fatal(err)
	}
	goTool(t, out, "test", "-run", "TestCodec|TestRefused|TestDeep|TestReply", ".")
	goTool(t, out, "vet", ".")
}
