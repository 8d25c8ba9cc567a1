package pool

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testpool"
)

// newest is a program of the newest stage.
func newest(t testing.TB, n int, o testpool.Options) Config {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("the first volume is not known on this machine")
	}
	o.Newest = true
	cfg := program(t, n, o)
	cfg.Stage = &StageD
	return cfg
}

// Pools of the newest stage find what they refuse to start without, and how they are told.
func TestNewestStart(t *testing.T) {
	t.Parallel()
	s := testSet(t, newest(t, 3, testpool.Options{}))
	for pool := range 3 {
		mustEcho(t, s, pool)
	}
	for name, want := range map[string]string{
		"MORLOC_INLINE_SIZE": `"1099511627776" true`, "MORLOC_POOL_HASH": `"0123456789abcdef" true`, "MORLOC_STDOUT_STAGE": `"" false`,
	} {
		if got := mustDo(t, s, 0, testpool.Env, name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if got := mustDo(t, s, 1, testpool.Lifeline, ""); got != "good" {
		t.Errorf("lifeline: %s", got)
	}
	args := strings.Fields(mustDo(t, s, 0, testpool.Args, ""))
	if !isTaggedDir(filepath.Base(args[1])) || !strings.HasSuffix(args[2], "-0000") || args[2][0] != '/' {
		t.Errorf("arguments %q", args)
	}
	var groups int
	for _, name := range readNames(s.dir.path) {
		if strings.HasPrefix(name, groupPrefix) {
			groups++
		}
	}
	if o, ok := readOwner(s.dir.path); !ok || o.pid != os.Getpid() || groups != 3 {
		t.Errorf("owner %+v, %d groups", o, groups)
	}
}

// Results of any size come inside of the reply.
func TestNewestLarge(t *testing.T) {
	t.Parallel()
	s := testSet(t, newest(t, 1, testpool.Options{}))
	for _, size := range []int{1 << 20, 16 << 20} {
		arg := strings.Repeat("x", size)
		if got := mustDo(t, s, 0, testpool.Echo, arg); got != arg {
			t.Errorf("%d bytes came back as %d", size, len(got))
		}
	}
	if got := mustDo(t, s, 0, testpool.Drip, "piece by piece"); got != "piece by piece" {
		t.Error(got)
	}
}

// A result in shared memory is ours: it is read, and given back once.
func TestNewestRelease(t *testing.T) {
	t.Parallel()
	cfg := newest(t, 1, testpool.Options{})
	s := testSet(t, cfg)
	for range 3 {
		if got := mustDo(t, s, 0, testpool.Shared, "value"); got != "value" {
			t.Errorf("result %q", got)
		}
		mustEcho(t, s, 0)
		if got := mustDo(t, s, 0, testpool.Shares, ""); got != "0 true" {
			t.Errorf("the block has %s", got)
		}
	}
	if text := cfg.Stderr.(*log).String(); text != "" {
		t.Errorf("stderr: %s", text)
	}
	_, err := do(t, s, 0, testpool.FailOther, "so it is")
	want(t, err, "so it is")
}

// A worker that dies takes its pool with it. That costs one call, and the set starts again
// under the name of the next generation.
func TestNewestWorkerDies(t *testing.T) {
	t.Parallel()
	for _, worker := range []testpool.Worker{testpool.InLeader, testpool.Python, testpool.R} {
		t.Run(string(worker), func(t *testing.T) {
			t.Parallel()
			s := testSet(t, newest(t, 2, testpool.Options{Worker: worker}))
			mustEcho(t, s, 0)
			other := leader(t, s, 1)
			crash := begin(s, 0, testpool.Signal, "9")
			after := begin(s, 0, testpool.Echo, "x")
			_, err := crash.wait(t)
			want(t, err, errorClosed)
			if got, err := after.wait(t); got != "x" || err != nil {
				t.Errorf("call after the crash = %q, %v", got, err)
			}
			if leader(t, s, 1) == other {
				t.Error("the other pool was not restarted")
			}
			if args := mustDo(t, s, 0, testpool.Args, ""); !strings.HasSuffix(args, "-0001") {
				t.Errorf("arguments of the next generation are %s", args)
			}
		})
	}
}

// When the server is killed, its pools end by the lifeline, workers too; the next server
// removes the rest.
func TestNewestOrphans(t *testing.T) {
	for _, worker := range []testpool.Worker{testpool.InLeader, testpool.Python} {
		s := startServerAs(t, newest(t, 2, testpool.Options{Worker: worker}), stageVariable)
		kill(t, s.Process.Pid)
		_ = s.Wait()
		deadline := time.Now().Add(patience)
		for len(poolProcesses(s.dir)) > 0 {
			if time.Now().After(deadline) {
				t.Fatalf("processes %v are left", poolProcesses(s.dir))
			}
			time.Sleep(10 * time.Millisecond)
		}
		sweepOwned()
		checkNothingLeft(t, s.dir, strings.TrimPrefix(s.basename, "/"))
	}
}

// Whoever may write to the folder of run directories must not make a server wait at its start.
func TestOwnerIsPipe(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, ownerFile), 0o600); err != nil {
		t.Fatal(err)
	}
	if o, ok := readOwner(folder); ok {
		t.Errorf("a pipe names the owner %+v", o)
	}
}

// What is not certainly left behind is spared.
func TestSweepOwnedSpares(t *testing.T) {
	us, err := self()
	if err != nil {
		t.Fatal(err)
	}
	folder := func(owner string, mode os.FileMode) string {
		path := filepath.Join(runRoot, taggedDir())
		if err := errors.Join(os.Mkdir(path, mode), os.Chmod(path, mode)); err != nil { // whatever the umask
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(path) })
		if owner != "" {
			if err := os.WriteFile(filepath.Join(path, ownerFile), []byte(owner), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	text := func(pid, start, boot, namespace string) string {
		return pid + " " + start + " " + boot + " " + namespace + "\n"
	}
	const nobody = "4194304" // beyond all process ids
	start1, _ := startTime(1)
	tests := []struct {
		name, path string
		spared     bool
	}{
		{"no owner", folder("", 0o700), true},
		{"odd owner", folder("1 2 3", 0o700), true},
		{"alive", folder(text("1", start1, us.boot, us.namespace), 0o700), true},
		{"other namespace", folder(text(nobody, "1", us.boot, "pid:[1]"), 0o700), true},
		{"readable by others", folder(text(nobody, "1", us.boot, us.namespace), 0o755), true},
		{"dead", folder(text(nobody, "1", us.boot, us.namespace), 0o700), false},
		{"other process of that id", folder(text("1", "0", us.boot, us.namespace), 0o700), false},
		{"before the machine started", folder(text("1", start1, "other", "pid:[1]"), 0o700), false},
	}
	locked, err := newRunDir(StageD.folder)
	if err != nil {
		t.Fatal(err)
	}
	defer locked.remove()
	if err := os.WriteFile(filepath.Join(locked.path, ownerFile), []byte(text(nobody, "1", us.boot, us.namespace)), 0o600); err != nil {
		t.Fatal(err)
	}
	sweepOwned()
	for _, test := range tests {
		if _, err := os.Stat(test.path); (err == nil) != test.spared {
			t.Errorf("%s: spared %t", test.name, err == nil)
		}
	}
	if _, err := os.Stat(locked.path); err != nil {
		t.Error("a directory that is in use was removed")
	}
}

// Pools of the stages between make shared memory themselves, so they start one by one.
func TestUnsettledStage(t *testing.T) {
	t.Parallel()
	cfg := program(t, 2, testpool.Options{})
	cfg.Stage = &StageB
	s := testSet(t, cfg)
	arg := strings.Repeat("x", 300_000)
	if got := mustDo(t, s, 1, testpool.Echo, arg); got != arg {
		t.Errorf("%d bytes", len(got))
	}
	if got := mustDo(t, s, 0, testpool.Env, "MORLOC_INLINE_SIZE"); got != `"1099511627776" true` {
		t.Error(got)
	}
	if got := mustDo(t, s, 0, testpool.Lifeline, ""); got != "none" {
		t.Error(got)
	}
}

func TestLibraryPath(t *testing.T) {
	t.Parallel()
	prefix := t.TempDir()
	if err := os.Mkdir(filepath.Join(prefix, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(prefix, "bin", "morloc-nexus"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	elsewhere := t.TempDir()
	if err := os.Symlink(filepath.Join(prefix, "bin", "morloc-nexus"), filepath.Join(elsewhere, "morloc-nexus")); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(prefix)
	if err != nil {
		t.Fatal(err)
	}
	installed := []string{real + "/lib", real + "/share/morloc/lib", real + "/modules/lib"}
	for _, test := range []struct{ env, want []string }{
		{[]string{"PATH=/usr/none"}, nil},
		{[]string{"PATH=/usr/none:" + elsewhere}, installed},
		{[]string{"PATH=/usr/none", "MORLOC_HOME=" + real}, installed},
		{[]string{"MORLOC_STATE=/state"}, []string{"/state/modules/lib"}},
	} {
		if got := libraryPath(test.env); !slices.Equal(got, test.want) {
			t.Errorf("libraryPath(%q) = %q, want %q", test.env, got, test.want)
		}
	}
	env := appendLibraries([]string{"A=1", "LD_LIBRARY_PATH=/mine", "B=2"}, []string{"/theirs"})
	if !slices.Equal(env, []string{"A=1", "B=2", "LD_LIBRARY_PATH=/mine:/theirs"}) {
		t.Errorf("environment %q", env)
	}
	if env := appendLibraries([]string{"A=1"}, nil); !slices.Equal(env, []string{"A=1"}) {
		t.Errorf("environment %q", env)
	}
}
