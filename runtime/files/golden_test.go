package files_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/files"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pure"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// The loaders and payloads are what is generated for the types of program files.

func readInts(d *pure.Decoder) []jsonx.Int { return pure.ReadList(d, 0, (*pure.Decoder).Int) }

func intsOf(r *voidstar.Reader, at int) []jsonx.Int {
	return voidstar.List(r, at, 16, (*voidstar.Reader).Int)
}

var (
	loadInts = files.Loader[[]jsonx.Int]{Schema: "aj", JSON: readInts, Value: intsOf}
	loadInt  = files.Loader[jsonx.Int]{Schema: "j", JSON: (*pure.Decoder).Int, Value: (*voidstar.Reader).Int}
	loadReal = files.Loader[float64]{
		Schema: "f8",
		Float:  func(v float64) float64 { return v },
		JSON:   (*pure.Decoder).Float64,
		Value:  (*voidstar.Reader).Float64,
	}
	loadText = files.Loader[string]{
		Schema: "s",
		Text:   func(text string) string { return text },
		JSON:   (*pure.Decoder).String,
		Value:  (*voidstar.Reader).String,
	}
)

func payloadOf(schema string, width int, put func(c *packet.Call)) []byte {
	var c packet.Call
	c.Reset(0)
	c.Begin(schema, width)
	put(&c)
	c.End()
	return c.Payload()
}

func payloadOfInts(xs []jsonx.Int) []byte {
	return payloadOf("aj", 16, func(c *packet.Call) { packet.PutList(c, 0, xs, 16, 8, (*packet.Call).PutInt) })
}

func saveInts(path string, xs []jsonx.Int) error {
	return files.SaveJSON(path, jsonx.AppendList(nil, xs, pure.ShowInt))
}

// A step is a call of one of the commands of program files.
type step struct {
	Command       string
	Args          arguments
	Result, Error *string
	Mcpgen        *struct{ Result, Error *string }
}

type arguments map[string]json.RawMessage

func (a arguments) text(name string) (v string) {
	if err := json.Unmarshal(a[name], &v); err != nil {
		panic(err)
	}
	return v
}

func (a arguments) int(name string) jsonx.Int {
	v, ok := new(big.Int).SetString(string(a[name]), 10)
	if !ok {
		panic("not an integer")
	}
	return jsonx.FromBig(v)
}

func (a arguments) ints(name string) (vs []jsonx.Int) {
	var elements []json.RawMessage
	if err := json.Unmarshal(a[name], &elements); err != nil {
		panic(err)
	}
	for _, e := range elements {
		vs = append(vs, arguments{"": e}.int(""))
	}
	return vs
}

func done(err error) (string, error) { return "null", err }

func taken[T any](path string, l *files.Loader[T], show func([]byte, T) []byte) (string, error) {
	v, err := files.Load(path, l)
	return string(show(nil, v)), err
}

func showInts(dst []byte, vs []jsonx.Int) []byte { return jsonx.AppendList(dst, vs, jsonx.AppendInt) }

var commands = map[string]func(a arguments) (string, error){
	"keepJson": func(a arguments) (string, error) { return done(saveInts(a.text("_2"), a.ints("_1"))) },
	"keepPack": func(a arguments) (string, error) {
		return done(files.SaveMsgpack(a.text("_2"), "aj", payloadOfInts(a.ints("_1"))))
	},
	"keepBin": func(a arguments) (string, error) {
		level := a.int("_1")
		if err := files.CheckLevelInt(level); err != nil {
			return "", err
		}
		return done(files.SaveVoidstar(a.text("_3"), "aj", files.Level(level), payloadOfInts(a.ints("_2"))))
	},
	"keepText": func(a arguments) (string, error) {
		return done(files.SaveJSON(a.text("_2"), pure.ShowString(nil, a.text("_1"))))
	},
	"takeInts": func(a arguments) (string, error) { return taken(a.text("_1"), &loadInts, showInts) },
	"takeText": func(a arguments) (string, error) { return taken(a.text("_1"), &loadText, jsonx.AppendString) },
	"takeReal": func(a arguments) (string, error) { return taken(a.text("_1"), &loadReal, jsonx.AppendFloat64) },
	"takeOr": func(a arguments) (string, error) {
		v, err := taken(a.text("_1"), &loadInt, jsonx.AppendInt)
		if pure.IsUser(err) {
			return "0", nil
		}
		return v, err
	},
	"keepThenTake": func(a arguments) (string, error) {
		if err := saveInts(a.text("_2"), a.ints("_1")); err != nil {
			return "", err
		}
		return taken(a.text("_2"), &loadInts, showInts)
	},
}

// A session is the recorded one: files that exist, commands in order, files afterwards.
type session struct {
	Setup       map[string]string
	Directories []string
	Steps       []step
	Written     map[string][]byte
}

func recorded(t testing.TB) (s session) {
	t.Helper()
	data, err := os.ReadFile("../../testdata/golden/morloc/files.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// Paths are relative to the working directory, so this test does not run in parallel.
func TestGolden(t *testing.T) {
	s := recorded(t)
	t.Chdir(t.TempDir())
	for name, content := range s.Setup {
		write(t, name, []byte(content))
	}
	for _, name := range s.Directories {
		if err := os.Mkdir(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for i, st := range s.Steps {
		want, wantErr := st.Result, st.Error
		if st.Mcpgen != nil {
			want, wantErr = st.Mcpgen.Result, st.Mcpgen.Error
		}
		got, err := commands[st.Command](st.Args)
		switch {
		case want != nil && (err != nil || got != *want):
			t.Errorf("step %d: %s %s = %s, %v, want %s", i, st.Command, st.Args, got, err, *want)
		case wantErr != nil && (err == nil || *wantErr != "*" && err.Error() != *wantErr):
			t.Errorf("step %d: %s %s = %s, %v, want %s", i, st.Command, st.Args, got, err, *wantErr)
		}
		if level := strings.Contains(fmt.Sprint(err), "@save"); err != nil && pure.IsUser(err) == level {
			t.Errorf("step %d: %v: catch intercepts it: %v", i, err, !level)
		}
	}
	for name, want := range s.Written {
		got, err := os.ReadFile(name)
		if name == "e.dat" { // compressed, by another encoder
			got, want = got[:packedFrom(t, got)], want[:packedFrom(t, want)]
			clear(got[24:32]) // size of what is packed, also in the frame index
			clear(want[24:32])
			copy(got[32+11+8+4+8:], want[32+11+8+4+8:][:8])
		}
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s holds\n%x, %v, want\n%x", name, got, err, want)
		}
	}
	noLeftovers(t, ".")
	noLeftovers(t, "sub")
}

// packedFrom returns the offset of the payload of a compressed packet.
func packedFrom(t *testing.T, data []byte) int {
	t.Helper()
	r, err := packet.OpenFile(data)
	if err != nil || !r.Compressed {
		t.Fatalf("not a compressed packet: %x, %v", data, err)
	}
	return len(data) - len(r.Payload)
}

// What upstream wrote is read, compressed packets of its encoder included.
func TestLoadUpstream(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	want := map[string]string{"v.dat": "[4,5]", "e.dat": "[]", "p.mpk": "[1,2,3]", "pnoext": "[1,300,-5]", "noext": "[8]"}
	for name, content := range recorded(t).Written {
		if want[name] == "" {
			continue
		}
		path := filepath.Join(dir, name)
		write(t, path, content)
		if got, err := taken(path, &loadInts, showInts); err != nil || got != want[name] {
			t.Errorf("Load(%s) = %s, %v, want %s", name, got, err, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not recorded: %v", want)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o666); err != nil {
		t.Fatal(err)
	}
}

// noLeftovers checks that no temporary file is left in a folder.
func noLeftovers(t *testing.T, dir string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".*"))
	if err != nil || len(names) > 0 {
		t.Errorf("left in %s: %v, %v", dir, names, err)
	}
}

func TestCheckLevel(t *testing.T) {
	t.Parallel()
	for level, want := range map[int64]string{
		0: "", 9: "",
		10: "@save compression level must be in 0..=9, got 10",
		-1: "@save compression level must be in 0..=9, got -1",
	} {
		err := files.CheckLevel(level)
		if (err == nil) != (want == "") || err != nil && (err.Error() != want || pure.IsUser(err)) {
			t.Errorf("CheckLevel(%d) = %v, want %q", level, err, want)
		}
	}
	if err := files.CheckLevel(uint64(math.MaxUint64)); err == nil || err.Error() != "@save compression level must be in 0..=9, got 18446744073709551615" {
		t.Errorf("CheckLevel of a U64 = %v", err)
	}
	err := files.CheckLevelInt(jsonx.MustParseInt("99999999999999999999"))
	if want := "@save compression level must be in 0..=9, got 99999999999999999999"; err == nil || err.Error() != want {
		t.Errorf("CheckLevelInt = %v, want %s", err, want)
	}
	if err := files.CheckLevelInt(jsonx.NewInt(5)); err != nil || files.Level(jsonx.NewInt(5)) != 5 {
		t.Errorf("CheckLevelInt(5) = %v", err)
	}
}
