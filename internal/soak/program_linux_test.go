package soak

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/output"
	"github.com/mcpgen/mcpgen/internal/testenv"
	"github.com/mcpgen/mcpgen/internal/testpool"
)

// A kind is a tool of the program by what comes of calling it.
type kind struct {
	tool string
	mid  uint32 // 0: it is pure
	pool int

	small   bool // its texts are kept short
	hangs   bool // it does not answer by itself
	crashes bool // its pool does not survive it, or is not believed again
	fails   bool // its answer is a failure, though pools live
}

// kinds are the tools of the program.
var kinds = []kind{
	{tool: "echo"},
	{tool: "pool", mid: testpool.Echo},
	{tool: "other", mid: testpool.Echo, pool: 1},
	{tool: "shared", mid: testpool.Shared},
	{tool: "file", mid: testpool.File},
	{tool: "packed", mid: testpool.Msgpack, pool: 1},
	{tool: "drip", mid: testpool.Drip, small: true},
	{tool: "junk", mid: testpool.Junk, small: true},
	{tool: "failure", mid: testpool.Failure, small: true, fails: true},
	{tool: "early", mid: testpool.Early, fails: true},
	{tool: "hang", mid: testpool.Slow, small: true, hangs: true},
	{tool: "half", mid: testpool.Half, small: true, crashes: true},
	{tool: "nothing", mid: testpool.Nothing, small: true, crashes: true},
	{tool: "magic", mid: testpool.Magic, small: true, crashes: true},
	{tool: "huge", mid: testpool.Huge, small: true, crashes: true},
	{tool: "exit", mid: testpool.HalfExit, small: true, crashes: true},
}

// A binary is a built server.
type binary struct {
	path string
	pipe string // named pipe that a call to hang waits for, for ever
}

// build generates and builds the server of the program.
func build(t *testing.T) binary {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "program")
	if err := os.Mkdir(program, 0o700); err != nil {
		t.Fatal(err)
	}
	testpool.Install(t, program, testpool.Options{})
	manifest := filepath.Join(program, "manifest.json")
	if err := os.WriteFile(manifest, manifestText(t), 0o600); err != nil {
		t.Fatal(err)
	}
	pkg := filepath.Join(dir, "server")
	r, err := gen.Generate(context.Background(), gen.Options{Manifests: []string{manifest}, Out: pkg, NoVersion: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := output.Write(context.Background(), pkg, r.Files); err != nil {
		t.Fatal(err)
	}
	b := binary{path: filepath.Join(pkg, "soaked"), pipe: filepath.Join(dir, "never")}
	args := append([]string{"build", "-o", b.path}, testenv.RaceFlags...)
	if err := testenv.Go(pkg, args...); err != nil {
		t.Fatal(err)
	}
	makePipe(t, b.pipe)
	return b
}

// manifestText returns the manifest of the program.
func manifestText(t *testing.T) []byte {
	t.Helper()
	type object = map[string]any
	var commands []object
	for _, k := range kinds {
		c := object{
			"name": k.tool, "desc": []string{}, "internal": false, "constraints": []string{}, "terminals": []string{},
			"metadata": object{}, "group": nil,
			"args": []object{{
				"kind": "pos", "schema": "s", "type": "Str", "name": nil, "metavar": nil, "quoted": false, "many": false,
				"stdin": false, "desc": []string{}, "constraints": []string{}, "metadata": object{},
			}},
			"return": object{"schema": "s", "type": "Str", "desc": []string{}, "constraints": []string{}, "metadata": object{}},
		}
		if k.mid == 0 {
			c["type"] = "pure"
			c["expr"] = object{"tag": "lambda", "vars": []string{"x"}, "body": object{"tag": "bound", "schema": "s", "var": "x"}}
		} else {
			c["type"], c["mid"], c["pool"], c["needed_pools"] = "remote", k.mid, k.pool, []int{k.pool}
		}
		commands = append(commands, c)
	}
	var pools []object
	for i := range 2 {
		pools = append(pools, object{
			"lang": fmt.Sprintf("go%d", i), "exec": []string{"./" + testpool.Name}, "socket": fmt.Sprintf("pipe-%d", i), "pool_hash": "",
			"allow_string_null": true, "metadata": object{},
		})
	}
	text, err := json.Marshal(object{
		"name":  "soaked",
		"build": object{"path": ".", "time": 1755360000, "morloc_version": "0.98.2", "build_params": ""},
		"pools": pools, "groups": []string{}, "commands": commands, "desc": []string{}, "epilogues": []string{},
		"unsafe_skip_null_check": false, "inline_size": nil, "no_shm": false, "tmpdir": nil, "run_log": nil,
		"capabilities": []string{"log"}, "metadata": object{},
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
