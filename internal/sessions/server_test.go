package sessions

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/output"
	"github.com/mcpgen/mcpgen/internal/testenv"
)

const (
	testdata  = "../../testdata"
	manifests = testdata + "/corpus/manifests"
	golden    = testdata + "/golden/morloc"
	kitchen   = "../../gen/manifest/testdata/kitchen.json"
)

// A server is the generated package of a program. It is generated and built once.
type server struct {
	manifest string // path
	dir      string // of the package
	binary   string // path
}

// servers holds a func() (server, error) for each program that was asked for.
var servers sync.Map

// serverOf returns the server of a program, which it makes when asked for the first time.
// Programs that the stand-in can run have it in place of their pools.
func serverOf(t *testing.T, program string) server {
	t.Helper()
	if hasStandIn(program) {
		needPools(t)
	}
	once, _ := servers.LoadOrStore(program, sync.OnceValues(func() (server, error) { return makeServer(program) }))
	s, err := once.(func() (server, error))()
	if err != nil {
		t.Fatalf("server of %s: %v", program, err)
	}
	return s
}

func makeServer(program string) (server, error) {
	manifest, err := manifestOf(program)
	if err != nil {
		return server{}, err
	}
	dir := filepath.Join(root, "servers", program)
	s := server{manifest: manifest, dir: dir, binary: filepath.Join(dir, "server")}
	if err := generate(manifest, s.dir); err != nil {
		return server{}, err
	}
	args := append([]string{"build", "-ldflags=-s -w", "-o", s.binary}, testenv.RaceFlags...)
	return s, testenv.Go(s.dir, args...)
}

// manifestOf returns the path of a program's manifest, after having written it, and the
// program's pools, if need be.
func manifestOf(program string) (string, error) {
	dir := filepath.Join(root, "programs", program)
	manifest := filepath.Join(manifests, program+".json")
	switch {
	case program == "kitchen":
		return placeProgram(dir, kitchen, nil)
	case program == "worked":
		return writeWorked(dir)
	case strings.HasPrefix(program, commandPrefix):
		return filepath.Join(commandLines, strings.TrimPrefix(program, commandPrefix)+".manifest.json"), nil
	case !hasStandIn(program):
		return manifest, nil
	}
	files, err := poolSources(program)
	if err != nil {
		return "", err
	}
	return placeProgram(dir, manifest, files)
}

// hasStandIn reports whether the pools of a program are replaced.
func hasStandIn(program string) bool {
	_, err := os.Stat(functionsOf(program))
	return err == nil || program == "kitchen"
}

// options are those that all packages here are generated with. They have the same module
// path, so that what they have in common, the runtime, is compiled once for all.
func options(manifest, dir string) gen.Options {
	return gen.Options{Manifests: []string{manifest}, Out: dir, Module: "example.com/server", NoVersion: true}
}

func generate(manifest, dir string) error {
	r, err := gen.Generate(context.Background(), options(manifest, dir))
	if err == nil {
		_, err = output.Write(context.Background(), dir, r.Files)
	}
	return err
}
