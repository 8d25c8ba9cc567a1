package molecules

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// parentEnv makes the test binary a parent: it starts the pool that its arguments say and waits.
const parentEnv = "MOLECULES_TEST_PARENT"

func TestMain(m *testing.M) {
	if os.Getenv(parentEnv) == "" {
		os.Exit(m.Run())
	}
	runtime.LockOSThread() // a child's death signal follows the thread that started it
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	fmt.Fprintln(os.Stderr, cmd.Run())
	os.Exit(1)
}

// TestParentKilled kills the process that started a pool, with no chance to stop it.
func TestParentKilled(t *testing.T) {
	t.Parallel()
	pool := poolCommand(t, poolFile)
	socket := pool.Args[3]
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	parent := exec.Command(os.Args[0], pool.Args...)
	parent.Env = append(pool.Env, parentEnv+"=1")
	parent.Stdout, parent.Stderr = w, os.Stderr // the pool inherits w
	err = parent.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	gone := make(chan struct{})
	go func() {
		parent.Wait()
		close(gone)
	}()
	t.Cleanup(func() {
		parent.Process.Kill()
		<-gone
	})
	awaitReady(t, socket, gone)
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// The pool may remain a zombie, if nobody reaps orphans here. But its end closes the pipe.
	if err := r.SetReadDeadline(time.Now().Add(limit)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(r); err != nil {
		t.Fatalf("the pool still runs after its parent was killed: %v", err)
	}
	if _, err := os.Lstat(socket); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("socket: %v, want it gone", err)
	}
}
