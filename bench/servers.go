package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

// An argvFunc returns the command line of a server, after building it.
type argvFunc func(*kit) ([]string, error)

// Names of servers.
const (
	ourName    = "mcpgen"
	goSDK      = "go-sdk"
	mcpGo      = "mcp-go"
	typeScript = "TypeScript SDK"

	limitLoop    = "limit loop"
	jsonLoop     = "encoding/json loop"
	rawClient    = "raw client"
	bareHandler  = "bare handler"
	jsonHandler  = "encoding/json handler"
	osExec       = "os/exec"
	emptyProgram = "empty Go program"
	emptyHTTP    = "empty, net/http linked"

	lazyPools = "mcpgen, --lazy-pools"
	ofOne     = "mcpgen, 1 tool"
	ofHundred = "mcpgen, 100 tools"
)

// What a server can be reached by, as mcpgen is told.
const (
	allTransports = "stdio,http"
	stdioOnly     = "stdio"
)

// ours is the server of the program that most cases call.
func ours(flags ...string) argvFunc { return oursOf("bench", allTransports, ownCommands, flags...) }

// oursOf is the server of a program.
func oursOf(name, transports string, commands []command, flags ...string) argvFunc {
	return func(k *kit) ([]string, error) {
		file, err := k.server(name, transports, commands)
		return append([]string{file}, flags...), err
	}
}

// oursListing is the server of a program with so many tools.
func oursListing(tools int) argvFunc {
	return oursOf(fmt.Sprintf("catalogue%d", tools), allTransports, catalogue(tools), "--lazy-pools")
}

// standIn is a command of this folder.
func standIn(folder string, flags ...string) argvFunc {
	return func(k *kit) ([]string, error) {
		file, err := k.program("bench/" + folder)
		return append([]string{file}, flags...), err
	}
}

// emptyWithHTTP is the empty program with net/http linked.
func emptyWithHTTP(k *kit) ([]string, error) {
	file, err := k.program("bench/empty", "http")
	return []string{file}, err
}

// onPool is a command of this folder that is told, behind its flags, where the pool is.
func onPool(folder string, flags ...string) argvFunc {
	return func(k *kit) ([]string, error) {
		socket, err := k.pool()
		if err != nil {
			return nil, err
		}
		return standIn(folder, append(flags, socket)...)(k)
	}
}

// A peer is a server on a library of others.
type peer struct {
	name string
	argv func(k *kit, flags ...string) ([]string, error)
}

// with returns the command line with flags.
func (p peer) with(flags ...string) argvFunc {
	return func(k *kit) ([]string, error) {
		switch {
		case !k.peers:
			return nil, &leftOut{p.name, errUnwanted}
		case k.isAbsent[p.name]: // has been tried
			return nil, &leftOut{server: p.name}
		}
		return p.argv(k, flags...)
	}
}

// listing returns the command line of a server with so many tools.
func (p peer) listing(tools int) argvFunc { return p.with("-tools", strconv.Itoa(tools)) }

var errUnwanted = errors.New("-peers=false")

// peers are all there are.
var peers = []peer{
	{goSDK, func(k *kit, flags ...string) ([]string, error) {
		return k.goPeer(goSDK, "gosdk", "github.com/modelcontextprotocol/go-sdk", flags)
	}},
	{mcpGo, func(k *kit, flags ...string) ([]string, error) {
		return k.goPeer(mcpGo, "mcpgo", "github.com/mark3labs/mcp-go", flags)
	}},
	{typeScript, (*kit).typeScriptPeer},
}

// goPeer builds a server on a Go library. The peers are a module of their own, so that ours
// does not depend on what they do.
func (k *kit) goPeer(name, folder, library string, flags []string) ([]string, error) {
	file, err := k.file(folder, func(file string) error {
		err := k.pinned(name, "bench/peers/go.mod", library)
		if err != nil {
			return err
		}
		return execute("bench/peers", "go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./"+folder)
	})
	if err != nil {
		return nil, &leftOut{name, err}
	}
	return append([]string{file}, flags...), nil
}

// lockFolder holds the lock file of the TypeScript SDK, which its client among the examples needs as well.
const lockFolder = "examples/interop/typescript-v1"

// typeScriptPeer installs the TypeScript SDK, which takes npm and its registry.
func (k *kit) typeScriptPeer(flags ...string) ([]string, error) {
	file, err := k.file("typescript/server.mjs", func(file string) error {
		for _, needed := range []string{"node", "npm"} {
			if _, err := exec.LookPath(needed); err != nil {
				return err
			}
		}
		if err := k.pinned(typeScript, filepath.Join(lockFolder, "package.json"), "@modelcontextprotocol/sdk"); err != nil {
			return err
		}
		dir := filepath.Dir(file)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		for _, from := range []string{
			filepath.Join(lockFolder, "package.json"), filepath.Join(lockFolder, "package-lock.json"),
			"bench/peers/typescript/server.mjs",
		} {
			text, err := os.ReadFile(from)
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, filepath.Base(from)), text, 0o666); err != nil {
				return err
			}
		}
		return execute(dir, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	})
	if err != nil {
		return nil, &leftOut{typeScript, err}
	}
	return append([]string{"node", "--no-warnings", file}, flags...), nil
}

// pinned notes the version of a library that a file pins.
func (k *kit) pinned(server, file, library string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	found := regexp.MustCompile(regexp.QuoteMeta(library) + `[": ]+v?([0-9][^"\s]*)`).FindSubmatch(text)
	if found == nil {
		return fmt.Errorf("%s does not pin %s", file, library)
	}
	k.versions[server] = library + " " + string(found[1])
	return nil
}
