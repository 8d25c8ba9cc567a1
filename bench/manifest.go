package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/mcpgen/mcpgen/bench/internal/rawpool"
)

// A kind is what a command does.
type kind int

const (
	echo kind = iota
	add
	numbers
	sum
	echoPool
	numbersPool
	waitPool
)

// kinds are the kinds of commands: types of arguments and result, and the function of the
// pool, if it is not pure. Pure commands can do nothing but hand out what they get.
var kinds = [...]struct {
	args     []string
	result   string
	manifold int
}{
	echo:        {[]string{"s"}, "s", 0},
	add:         {[]string{"j", "j"}, "j", rawpool.Add},
	numbers:     {[]string{"af8"}, "af8", 0},
	sum:         {[]string{"af8"}, "f8", rawpool.Sum},
	echoPool:    {[]string{"s"}, "s", rawpool.Echo},
	numbersPool: {[]string{"af8"}, "af8", rawpool.Numbers},
	waitPool:    {[]string{"s"}, "s", rawpool.Wait},
}

var typeNames = map[string]string{"s": "Str", "j": "Int", "f8": "Real", "af8": "[Real]"}

// A command is a command of a program.
type command struct {
	name string
	kind kind
}

// ownCommands are the commands of the program that most cases call.
var ownCommands = []command{
	{"echo", echo}, {"numbers", numbers}, {"add", add}, {"sum", sum},
	{"echoPool", echoPool}, {"numbersPool", numbersPool}, {"waitPool", waitPool},
}

// catalogue returns n commands of three kinds in turn. The peers list the same.
func catalogue(n int) []command {
	all := make([]command, n)
	for i := range all {
		all[i] = command{catalogueName(i), kind(i % 3)}
	}
	return all
}

func catalogueName(i int) string { return fmt.Sprintf("tool%04d", i) }

// An object is an object of JSON.
type object map[string]any

// manifestText returns the manifest of a program as Morloc 0.98.2 writes it.
func manifestText(name string, commands []command) ([]byte, error) {
	list := []object{}
	pools := []object{}
	for _, c := range commands {
		if kinds[c.kind].manifold != 0 && len(pools) == 0 {
			pools = append(pools, object{"lang": "go", "exec": []string{"pools/go/pool"}, "socket": "pipe-go",
				"pool_hash": "", "allow_string_null": true, "metadata": object{}})
		}
		list = append(list, c.object())
	}
	return json.Marshal(object{
		"name": name, "commands": list, "pools": pools, "groups": []object{}, "desc": []string{}, "epilogues": []string{},
		"build":                  object{"path": ".", "time": 1796036346, "morloc_version": "0.98.2", "build_params": ""},
		"unsafe_skip_null_check": false, "inline_size": nil, "no_shm": false, "tmpdir": nil, "run_log": nil,
		"capabilities": []string{"log"}, "metadata": object{},
	})
}

// object returns the entry of a command.
func (c command) object() object {
	k := kinds[c.kind]
	args := []object{}
	for _, schema := range k.args {
		a := typed(schema)
		maps.Copy(a, object{"kind": "pos", "name": nil, "metavar": nil, "quoted": false, "many": false, "stdin": false})
		args = append(args, a)
	}
	o := object{"name": c.name, "desc": []string{"The argument itself"}, "args": args, "return": typed(k.result),
		"constraints": []string{}, "internal": false, "terminals": []string{}, "metadata": object{}, "group": nil}
	if k.manifold != 0 {
		maps.Copy(o, object{"type": "remote", "mid": k.manifold, "pool": 0, "needed_pools": []int{0}})
		return o
	}
	body := object{"tag": "bound", "schema": k.args[0], "var": "x"}
	maps.Copy(o, object{"type": "pure", "expr": object{"tag": "lambda", "vars": []string{"x"}, "body": body}})
	return o
}

func typed(schema string) object {
	return object{"schema": schema, "type": typeNames[schema], "desc": []string{}, "constraints": []string{}, "metadata": object{}}
}

// writeManifest writes the manifest of a program and returns the file, which lies in the
// folder of the program's name below dir.
func writeManifest(dir, name string, commands []command) (file string, err error) {
	text, err := manifestText(name, commands)
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, name+"-build", "manifest.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return "", err
	}
	return file, os.WriteFile(file, text, 0o666)
}
