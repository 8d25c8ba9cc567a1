package sessions

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestUnread has hosts that do not read what the server prints: it ends all the same when it
// is asked to, and leaves nothing. Hosts give it pipes, or as those in Node do, sockets.
func TestUnread(t *testing.T) {
	t.Parallel()
	needPools(t)
	long := strings.Repeat("x", 1<<20)
	for _, kind := range []struct {
		name string
		make func() (ours, theirs *os.File, err error)
	}{{"pipe", os.Pipe}, {"socket", socketPair}} {
		for _, signal := range []syscall.Signal{0, syscall.SIGTERM} {
			t.Run(kind.name+"/signal="+strconv.Itoa(int(signal)), func(t *testing.T) {
				t.Parallel()
				g := newGate(t)
				k := newKitchen(t, []stubCall{{command: "mw", Args: json.RawMessage(`["CCO"]`), Fail: &long, Print: long, Gate: g.path}})
				cmd := exec.Command(serverOf(t, "kitchen").binary, "--drain-timeout", "10ms", "--program-dir", k.dir)
				cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
				for _, stream := range []*io.Writer{&cmd.Stdout, &cmd.Stderr} {
					ours, theirs, err := kind.make()
					if err != nil {
						t.Fatal(err)
					}
					defer ours.Close()
					defer theirs.Close()
					*stream = theirs
				}
				in, err := cmd.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				timer := time.AfterFunc(sessionLimit, func() { _ = cmd.Process.Kill() })
				defer timer.Stop()
				if _, err := io.WriteString(in, strings.Join([]string{initialize, initialized, call(1, "mw", heldArgs), ""}, "\n")); err != nil {
					t.Fatal(err)
				}
				g.hold().release()
				want := 0
				if signal == 0 {
					_ = in.Close()
				} else {
					want = 128 + int(signal)
					_ = cmd.Process.Signal(signal)
				}
				_ = cmd.Wait()
				s := &session{t: t, cmd: cmd}
				if got, left := cmd.ProcessState.ExitCode(), s.leftovers(); got != want || len(left) > 0 {
					t.Errorf("exit status %d, want %d; left behind: %q", got, want, left)
				}
			})
		}
	}
}

func socketPair() (ours, theirs *os.File, err error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs"), nil
}
