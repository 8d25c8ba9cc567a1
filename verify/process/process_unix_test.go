//go:build unix

package process

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const grace = 200 * time.Millisecond

func start(t *testing.T, script string) *Process {
	t.Helper()
	p, err := Start(Command{Args: []string{"sh", "-c", script}, Env: os.Environ(), Mark: "PROCESS_TEST=" + t.Name()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(0); p.Close() })
	return p
}

func TestStop(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, script string
		want         Exit
	}{
		{"by itself", "exit 3", Exit{Code: 3, Shutdown: ByInput}},
		{"with its input", "cat >/dev/null; exit 4", Exit{Code: 4, Shutdown: ByInput}},
		{"after SIGTERM", "echo up; exec sleep 600", Exit{Code: -1, Signal: "SIGTERM", Shutdown: ByTerm}},
		{"after SIGKILL", "trap '' TERM; echo up; while :; do sleep 600; done", Exit{Code: -1, Signal: "SIGKILL", Shutdown: ByKill}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, tt.script)
			if strings.Contains(tt.script, "echo up") {
				one := make([]byte, 3)
				if _, err := io.ReadFull(p.Output, one); err != nil {
					t.Fatal(err)
				}
			}
			if got := p.Stop(grace); got != tt.want {
				t.Errorf("Stop = %+v, want %+v", got, tt.want)
			}
			if again := p.Stop(grace); again != tt.want {
				t.Errorf("a second Stop = %+v, want %+v", again, tt.want)
			}
		})
	}
}

// TestOutputEnds reads to the end of a process whose child holds its output open.
func TestOutputEnds(t *testing.T) {
	t.Parallel()
	p := start(t, "sleep 600 & echo last words")
	text, err := io.ReadAll(p.Output)
	if string(text) != "last words\n" || err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("output %q, %v", text, err)
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	var whole tail
	for range 10_000 {
		_, _ = whole.Write([]byte("0123456789"))
	}
	_, _ = whole.Write([]byte("the end"))
	if got := whole.String(); len(got) != tailBytes || !strings.HasSuffix(got, "789the end") {
		t.Errorf("tail of %d bytes ends in %q", len(got), got[len(got)-10:])
	}
	_, _ = whole.Write([]byte(strings.Repeat("x", 3*tailBytes)))
	if got := whole.String(); got != strings.Repeat("x", tailBytes) {
		t.Errorf("tail of %d bytes", len(got))
	}
}

func TestStartErrors(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, tt := range []struct{ path, want string }{
		{"no-such-executable", "executable not found"},
		{filepath.Join(dir, "nothing"), "executable not found"},
		{dir, "is a folder"},
		{write("plain", "x", 0o644), "not executable"},
		{write("script", "#!/no/such/interpreter\n", 0o755), "its interpreter is not found"},
		{write("garbage", "\x7fELFnot really", 0o755), "exec format error"},
	} {
		_, err := Start(Command{Args: []string{tt.path}, Env: []string{"PATH=/usr/bin:/bin"}})
		if _, ok := errors.AsType[*StartError](err); !ok || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Start(%s) = %v, want %s", tt.path, err, tt.want)
		}
	}
}
