package command

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// limitFiles lets this process open n files more than it has.
func limitFiles(n int) {
	used := map[string]bool{}
	entries, _ := os.ReadDir("/proc/self/fd")
	for _, e := range entries {
		used[e.Name()] = true
	}
	fd := uint64(0)
	for ; n > 0; fd++ {
		if !used[strconv.FormatUint(fd, 10)] {
			n--
		}
	}
	_ = syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: fd, Max: fd})
}

// TestLimitedFiles has a server that cannot open the files for a call, and goes on.
func TestLimitedFiles(t *testing.T) {
	t.Parallel()
	cannot := 0
	for n := 1; n < 16; n++ {
		s := startServer(t)
		s.call("out=x")
		s.line()
		s.call("limit=" + strconv.Itoa(n))
		s.line()
		for range 3 {
			s.call("out=x")
			switch got := s.line(); {
			case strings.Contains(got, "Cannot run "+os.Args[0]+": too many open files"):
				cannot++
			case !strings.Contains(got, `"text":"x"`):
				t.Errorf("%d files: got %s", n, got)
			}
		}
		_ = s.in.Close()
		s.end(0)
	}
	if cannot == 0 {
		t.Error("there were enough files for all")
	}
}

// TestFilesGivenBack has a server run a hundred programs, and try to, that can open hardly
// more files than one takes.
func TestFilesGivenBack(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.call("out=x")
	s.line()
	s.call("limit=16")
	s.line()
	kinds := []struct{ words, want string }{
		{"out=x", `"text":"x"`},
		{"err=e\nexit=3", `"text":"e"`},
		{"out=" + strings.Repeat("x", 1<<18), "argument list too long"}, // it cannot be started
		{"fill=2000000", "Output exceeded"},
	}
	for i := range 100 {
		kind := kinds[max(0, i%10-6)]
		s.call(kind.words)
		if got := s.line(); !strings.Contains(got, kind.want) {
			t.Fatalf("call %d: got %s, want %s", i, got, kind.want)
		}
	}
	_ = s.in.Close()
	s.end(0)
}

// TestFullDisk has the program meet the end of the space for its output.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	s := startServer(t)
	s.call("size=1000")
	s.line()
	s.call("fill=5000")
	if got, want := s.line(), failed("Exit code 9", strings.Repeat("x", 1000)); !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	s.call("out=x")
	if got := s.line(); !strings.Contains(got, succeeded("x")) {
		t.Errorf("after it: %s", got)
	}
	_ = s.in.Close()
	s.end(0)
}
