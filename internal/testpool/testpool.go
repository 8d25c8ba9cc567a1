//go:build linux

// Package testpool is a language pool for tests. A test binary becomes one when it is
// executed under the name [Name]; [Install] makes a link that does that:
//
//	func TestMain(m *testing.M) {
//		testpool.Main()
//		os.Exit(m.Run())
//	}
//
//	testpool.Install(t, dir, testpool.Options{})
//	// manifest: "exec": ["./testpool"], "socket": "pipe-py"
//
// The pool speaks the protocol of pool-protocol 8 and behaves, well or badly, as the
// manifold asks for that is called: [Echo] and the others. With [Options.Replay] it answers
// the recorded calls of a program with the recorded replies. It writes no packet with the
// code under test.
//
// It complains, by failing the call, if two exchanges overlap, and destroys a result in
// shared memory as soon as the next message comes.
package testpool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Name is the base name of the executable in a manifest's exec.
const Name = "testpool"

// Options say how a pool starts and what it is like. They are read at its start, so
// [Configure] changes what the next generation of a pool does.
type Options struct {
	Print string // written to stderr first of all
	Exit  int    // ends with this status at once, if not 0
	Gate  string // a named pipe: does not bind its socket before someone has opened it
	Mute  bool   // never binds its socket

	Worker     Worker // what answers
	IgnoreTerm bool   // does not end at SIGTERM
	Leave      bool   // leaves its socket and files behind at SIGTERM, as R does

	// Newest makes it a pool of the newest compilers (pool-protocol-next.md 8).
	Newest bool

	Replay  string // path of a file of recorded calls
	Program string // whose calls to replay
}

// A Worker is what happens to connections.
type Worker string

// The leader answers itself, as in compiled pools; or has a process that answers, which is
// replaced when it dies as in Python, or is not as in R.
const (
	InLeader Worker = ""
	Python   Worker = "python"
	R        Worker = "r"
)

// Install makes the pool in a folder, which is a program's.
func Install(t testing.TB, dir string, o Options) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	err = os.Symlink(exe, filepath.Join(dir, Name))
	if err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	Configure(t, dir, o)
}

// Configure changes the options of an installed pool.
func Configure(t testing.TB, dir string, o Options) {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	path := optionsPath(filepath.Join(dir, Name))
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func optionsPath(exe string) string { return exe + ".json" }

func isPool() bool { return filepath.Base(os.Args[0]) == Name }

// Main runs the pool and exits if this process was started as one. Otherwise it returns.
func Main() {
	if !isPool() {
		return
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// run is a pool's life. It returns only if something that it needs is missing.
func run(args []string) error {
	if len(args) == 1 && args[0] == "--health" {
		fmt.Println(`{"status":"ok","version":"0.98.2"}`)
		return nil
	}
	if len(args) != 3 {
		return errors.New("usage: testpool SOCKET TMPDIR SHM_BASENAME")
	}
	text, err := os.ReadFile(optionsPath(os.Args[0]))
	if err != nil {
		return err
	}
	p := &pool{socket: args[0], dir: args[1], basename: args[2]}
	if err := json.Unmarshal(text, &p.Options); err != nil {
		return err
	}
	if p.Replay != "" {
		if p.recorded, err = Load(p.Replay); err != nil {
			return err
		}
	}
	if os.Getenv(workerVariable) != "" {
		return p.runWorker()
	}
	return p.runLeader()
}
