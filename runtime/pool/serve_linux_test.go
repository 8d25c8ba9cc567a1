package pool

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testpool"
)

// serverVariable makes a test binary a little server: a set of the configuration that it
// holds. It answers a line on stdin with one call and ends with stdin.
const serverVariable = "POOL_TEST_SERVER"

// stageVariable makes it drive pools of the newest stage.
const stageVariable = "POOL_TEST_NEWEST"

func serveIfAsked() {
	text := os.Getenv(serverVariable)
	if text == "" {
		return
	}
	var cfg Config
	if err := json.Unmarshal([]byte(text), &cfg); err != nil {
		panic(err)
	}
	cfg.Stage = &StageA
	if os.Getenv(stageVariable) != "" {
		cfg.Stage = &StageD
	}
	s := New(cfg)
	s.Start()
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		c := begin(s, 0, testpool.Args, "")
		<-c.done
		fmt.Println(c.result, c.err)
	}
	s.Stop(stopGrace)
	os.Exit(0)
}

// A server is that process.
type server struct {
	*exec.Cmd
	dir, basename string // as the pools see them
}

func startServer(t *testing.T, cfg Config) *server {
	t.Helper()
	return startServerAs(t, cfg, "POOL_TEST_OLDEST")
}

// startServerAs starts a server with a variable that says what it drives.
func startServerAs(t *testing.T, cfg Config, variable string) *server {
	t.Helper()
	cfg.Stderr = nil
	text, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{Cmd: exec.Command(exe)}
	s.Env = append(os.Environ(), serverVariable+"="+string(text), variable+"=1")
	in, err := s.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.Cmd.Stderr = os.Stderr
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Process.Kill(); _ = s.Wait() })
	if _, err := in.Write([]byte("\n")); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	args := strings.Fields(line)
	if err != nil || len(args) != 4 {
		t.Fatalf("server answers %q, %v", line, err)
	}
	s.dir, s.basename = args[1], args[2]
	return s
}

func (s *server) kill(t *testing.T) {
	t.Helper()
	if err := s.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.Wait()
}

// awaitNoProcess waits until the kernel has ended the pools of a run directory.
func awaitNoProcess(t *testing.T, dir string) {
	t.Helper()
	for deadline := time.Now().Add(patience); len(poolProcesses(dir)) > 0; <-time.After(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("processes are left: %v", poolProcesses(dir))
		}
	}
}

// Pools end with their server, however it ends, and the next server removes the files.
func TestServerKilled(t *testing.T) {
	t.Parallel()
	for _, worker := range []testpool.Worker{testpool.InLeader, testpool.Python} {
		cfg := program(t, 2, testpool.Options{Leave: true, Worker: worker})
		live := startServer(t, cfg)
		dead := startServer(t, cfg)
		dead.kill(t)
		awaitNoProcess(t, dead.dir)
		s := testSet(t, cfg)
		mustEcho(t, s, 0)
		checkNothingLeft(t, dead.dir, dead.basename)
		if n := len(poolProcesses(live.dir)); n == 0 {
			t.Error("the other server's pools are gone")
		}
		for _, path := range []string{live.dir, "/dev/shm/" + live.basename + "_0"} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("of the other server: %v", err)
			}
		}
	}
}

// Pools that would not end with their server are killed by the next one.
func TestOrphansKilled(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{IgnoreTerm: true, Leave: true})
	dead := startServer(t, cfg)
	dead.kill(t)
	mustEcho(t, testSet(t, cfg), 0)
	awaitNoProcess(t, dead.dir)
	checkNothingLeft(t, dead.dir, dead.basename)
}

// What is not a dead server's is not touched.
func TestSweepSpares(t *testing.T) {
	t.Parallel()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	pid := dead.Process.Pid
	locked := fmt.Sprintf("%s/morloc.%d-locked", runRoot, pid)
	d := &runDir{path: locked}
	if err := d.make(); err != nil {
		t.Fatal(err)
	}
	defer d.remove()
	spared := []string{
		locked, // by a server that we do not see
		fmt.Sprintf("%s/morloc.%d-abc123", runRoot, os.Getpid()),
		fmt.Sprintf("%s/morloc.a%05d", runRoot, pid%100_000), // upstream's form
	}
	swept := fmt.Sprintf("%s/morloc.%d-abc123", runRoot, pid)
	for _, path := range append(spared[1:], swept) {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(path)
	}
	sweepStale()
	for _, path := range spared {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(swept); err == nil {
		t.Errorf("%s is left", swept)
	}
}

func TestParseRunDir(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"morloc.42-abc123":  42,
		"morloc.a1B2c3":     0,
		"morloc.42-abc1234": 0,
		"morloc.42-ABC123":  0,
		"morloc.x-abc123":   0,
		"morloc.-5-abc123":  0,
		"morloc.+5-abc123":  0,
		"other.42-abc123":   0,
	} {
		if got, ok := parseRunDir(name); got != want && ok || ok != (want != 0) {
			t.Errorf("parseRunDir(%q) = %d, %v, want %d", name, got, ok, want)
		}
	}
	if name := filepath.Base(runRoot + "/" + runPrefix + "7-" + newTag()); name == "" {
		t.Error("no name")
	} else if pid, ok := parseRunDir(name); !ok || pid != 7 {
		t.Errorf("parseRunDir(%q) = %d, %v", name, pid, ok)
	}
}

func TestIsPoolOf(t *testing.T) {
	t.Parallel()
	const dir = "/tmp/morloc.42-abc123"
	for line, want := range map[string]bool{
		"python3\x00pool.py\x00" + dir + "/pipe-py\x00" + dir + "\x00morloc-42-x\x00": true,
		"pool\x00" + dir + "/pipe-py\x00" + dir + "\x00morloc-42-x\x00":               true,
		"less\x00" + dir + "/pipe-py\x00":                                             false,
		dir + "/pipe-py\x00" + dir + "\x00morloc-42-x\x00":                            false,
		"": false,
	} {
		if got := isPoolOf(dir, []byte(line)); got != want {
			t.Errorf("isPoolOf(%q) = %v", line, got)
		}
	}
}

// A set that is stopped leaves no goroutine and no descriptor either.
func TestNothingLeftInside(t *testing.T) {
	descriptors := func() int { return len(readNames("/proc/self/fd")) }
	goroutines, files := runtime.NumGoroutine(), descriptors()
	for range 3 {
		s := testSet(t, program(t, 2, testpool.Options{Worker: testpool.Python}))
		mustDo(t, s, 0, testpool.Shared, "x")
		mustDo(t, s, 1, testpool.File, "x")
		_, _ = do(t, s, 1, testpool.Signal, "9")
		mustEcho(t, s, 0)
		stop(t, s)
	}
	for deadline := time.Now().Add(patience); ; <-time.After(time.Millisecond) {
		if runtime.NumGoroutine() <= goroutines && descriptors() <= files {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before; %d descriptors, %d before",
				runtime.NumGoroutine(), goroutines, descriptors(), files)
		}
	}
}

// A folder that cannot be made ours is not left behind.
func TestRunDirFails(t *testing.T) {
	t.Parallel()
	name := taggedDir()
	full := errors.New("no space left on device")
	d, err := newRunDir(dirRules{name: func() string { return name }, own: func(string) error { return full }})
	if d != nil || err == nil || !strings.HasSuffix(err.Error(), ": no space left on device") {
		t.Errorf("newRunDir = %v, %v", d, err)
	}
	if _, err := os.Lstat(filepath.Join(runRoot, name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is left: %v", err)
	}
}
