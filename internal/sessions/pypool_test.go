package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/mcpgen/mcpgen/internal/testenv"
)

// needPools skips a test where pools cannot run.
func needPools(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("pools run on Linux only")
	}
	if _, err := testenv.Python(); err != nil {
		t.Skipf("no python3: %v", err)
	}
}

// placeProgram puts a program into dir: its manifest, the pool that stands in for all of
// its pools, and other files of the pool by name. It returns the path of the manifest.
func placeProgram(dir, manifest string, files map[string][]byte) (string, error) {
	text, err := os.ReadFile(manifest)
	if err != nil {
		return "", err
	}
	if text, err = replacePools(text); err != nil {
		return "", err
	}
	pools := filepath.Join(dir, "pools")
	if err := os.MkdirAll(pools, 0o755); err != nil {
		return "", err
	}
	for _, name := range []string{"pool.py", "wire.py"} {
		source, err := os.ReadFile(filepath.Join(testdata, "pypool", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(pools, name), source, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(pools, name), data, 0o644); err != nil {
			return "", err
		}
	}
	path := filepath.Join(dir, "manifest.json")
	return path, os.WriteFile(path, text, 0o644)
}

// replacePools makes all pools of a manifest the stand-in.
func replacePools(text []byte) ([]byte, error) {
	interpreter, err := testenv.Python()
	if err != nil {
		return nil, err
	}
	var manifest map[string]json.RawMessage
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, err
	}
	var pools []map[string]any
	if err := json.Unmarshal(manifest["pools"], &pools); err != nil {
		return nil, err
	}
	for _, p := range pools {
		p["exec"] = []string{interpreter, "-S", "-E", "pools/pool.py"} // without site packages, which take long
	}
	if manifest["pools"], err = json.Marshal(pools); err != nil {
		return nil, err
	}
	return json.Marshal(manifest)
}

// poolSources returns what a pool needs to run the functions of a program of the corpus:
// the program's own Python, a stand-in for what is in other languages, and the table.
func poolSources(program string) (map[string][]byte, error) {
	own, err := filepath.Glob(filepath.Join(testdata, "corpus", "programs", program, "*.py"))
	if err != nil {
		return nil, err
	}
	others, err := filepath.Glob(filepath.Join(testdata, "pypool", program+"_*.py"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, path := range append(own, others...) {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	files["functions.json"], err = os.ReadFile(functionsOf(program))
	return files, err
}

// functionsOf returns the path of the table of a program's functions.
func functionsOf(program string) string { return filepath.Join(testdata, "pypool", program+".json") }
