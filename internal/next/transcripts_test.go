package next

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/internal/testenv"
)

// programs are the manifests of testdata/next.
var programs = []struct {
	name  string
	pools bool
}{{"puresums", false}, {"shapes", true}, {"trees", true}, {"keyless", true}}

//go:embed deep_test.go.txt
var deepTest string

// TestPrograms generates the server of each program, vets and builds it, and replays its
// transcripts: the one that is generated, and the one beside the manifest.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if p.pools && runtime.GOOS+runtime.GOARCH != "linuxamd64" {
				t.Skip("the stand-in pool wants what is known of Linux on x86-64 only")
			}
			dir := t.TempDir()
			manifest := placeProgram(t, dir, p.name, p.pools)
			out := filepath.Join(dir, "server")
			r, err := generate(t.Context(), manifest, out)
			if err != nil {
				t.Fatal(err)
			}
			checkDeterministic(t, manifest, out, r)
			transcript := filepath.Join(testdata, p.name+".transcript")
			if text, err := os.ReadFile(transcript); err == nil {
				write(t, filepath.Join(out, "testdata", "next.transcript"), text)
			} else if p.name != "keyless" {
				t.Fatal(err)
			}
			if p.name == "puresums" {
				write(t, filepath.Join(out, "deep_test.go"), []byte(deepTest))
			}
			goTool(t, out, "test", "-vet=all", ".")
			checkStage(t, out, r.Sources[0].Program.Version)
		})
	}
}

// placeProgram puts a program into dir, with the stand-in for its pools.
func placeProgram(t *testing.T, dir, name string, pools bool) (manifest string) {
	t.Helper()
	text := read(t, filepath.Join(testdata, name+".json"))
	manifest = filepath.Join(dir, "manifest.json")
	if pools {
		interpreter, err := testenv.Python()
		if err != nil {
			t.Skipf("no python3: %v", err)
		}
		exec, _ := json.Marshal([]string{interpreter, "-S", "-E", "pools/py/pool.py"})
		text = []byte(strings.Replace(string(text), `["python3","pools/py/pool.py"]`, string(exec), 1))
		folder := filepath.Join(dir, "pools", "py")
		for _, file := range []string{"pool.py", "wire.py"} {
			write(t, filepath.Join(folder, file), read(t, filepath.Join("../../testdata/pypool", file)))
		}
		write(t, filepath.Join(folder, "shapes.py"), read(t, filepath.Join(testdata, "shapes.py")))
		if functions, err := os.ReadFile(filepath.Join(testdata, name+"-functions.json")); err == nil {
			write(t, filepath.Join(folder, "functions.json"), functions)
		}
	}
	write(t, manifest, text)
	return manifest
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkDeterministic generates a package again.
func checkDeterministic(t *testing.T, manifest, out string, first *gen.Result) {
	t.Helper()
	again, err := gen.Generate(t.Context(), gen.Options{Manifests: []string{manifest}, Out: out, Module: "example.test/program"})
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Files) != len(first.Files) {
		t.Fatalf("%d files, then %d", len(first.Files), len(again.Files))
	}
	for i, f := range again.Files {
		if f.Path != first.Files[i].Path || !bytes.Equal(f.Data, first.Files[i].Data) {
			t.Errorf("%s differs when generated again", f.Path)
		}
	}
}

// stageSymbols are in the binaries of programs of a stage, and in no others.
var stageSymbols = map[string]string{
	"0.98": "pool.StageA", "0.99.0": "pool.StageA", "0.99.1": "pool.StageA1", "0.101": "pool.StageB", "0.108": "pool.StageB", "0.109": "pool.StageD",
}

// checkStage holds the symbols of a binary against the stage of its program.
func checkStage(t *testing.T, out, version string) {
	t.Helper()
	goTool(t, out, "build", "-o", "server.bin", ".")
	symbols, err := exec.Command("go", "tool", "nm", filepath.Join(out, "server.bin")).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(symbols), "/remote.") {
		return // a program without pools
	}
	for prefix, symbol := range stageSymbols {
		has := strings.Contains(string(symbols), "/internal/rt/"+symbol+"\n")
		if want := stageOf(version) == symbol; has != want {
			t.Errorf("version %s: symbol %s (of %s): %t, want %t", version, symbol, prefix, has, want)
		}
	}
}

func stageOf(version string) string {
	for prefix, symbol := range stageSymbols {
		if strings.HasPrefix(version, prefix) {
			return symbol
		}
	}
	return ""
}

// TestOneStage has programs without sum types of every stage.
func TestOneStage(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"0.98.2", "0.99.1", "0.108.1", "0.109.0"} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			manifest := filepath.Join(dir, "manifest.json")
			write(t, manifest, []byte(`{"name":"p","build":{"path":".","time":1,"morloc_version":"`+version+`"},`+
				`"pools":[{"lang":"py","exec":["python3","pool.py"],"socket":"pipe-py"}],"commands":[`+
				`{"name":"f","type":"remote","mid":1,"args":[{"kind":"pos","key":"x","schema":"j","name":"x"}],"return":{"schema":"s"}}]}`))
			out := filepath.Join(dir, "server")
			if _, err := generate(t.Context(), manifest, out); err != nil {
				t.Fatal(err)
			}
			checkStage(t, out, version)
		})
	}
}
