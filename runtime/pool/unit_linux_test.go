package pool

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testenv"
	"github.com/mcpgen/mcpgen/internal/testpool"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

func TestConfigDefaults(t *testing.T) {
	t.Parallel()
	for given, want := range map[int64]int64{-1: 65536, 0: 0, 1: 1, 65536: 65536, 131072: 131072, 131073: 65536} {
		if got := (Config{InlineSize: given}).withDefaults().InlineSize; got != want {
			t.Errorf("inline size %d becomes %d, want %d", given, got, want)
		}
	}
	c := Config{}.withDefaults()
	if c.StartTimeout != time.Minute || c.ShmLimit != 256<<20 || c.Stderr != os.Stderr || len(c.Env) == 0 {
		t.Errorf("defaults are %+v", c)
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	c := Config{Dir: "/program"}
	for _, test := range []struct{ exec, want []string }{
		{[]string{"python3", "pools/pool.py"}, []string{"python3", "/program/pools/pool.py"}},
		{[]string{"pools/cpp/pool-cpp.out"}, []string{"/program/pools/cpp/pool-cpp.out"}},
		{[]string{"./bin/python", "/elsewhere/pool.py"}, []string{"./bin/python", "/elsewhere/pool.py"}},
	} {
		if got := c.command(Spec{Exec: test.exec}); !slices.Equal(got, test.want) {
			t.Errorf("command of %q = %q, want %q", test.exec, got, test.want)
		}
	}
}

func TestLookPath(t *testing.T) {
	t.Parallel()
	good, bad := t.TempDir(), t.TempDir()
	for path, mode := range map[string]os.FileMode{good + "/python3": 0o755, bad + "/python3": 0o644} {
		if err := os.WriteFile(path, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(bad+"/R", 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=/old", "PATH=" + strings.Join([]string{"", ".", bad, good}, ":")}
	if got, err := lookPath("python3", env); got != good+"/python3" || err != nil {
		t.Errorf("lookPath = %q, %v", got, err)
	}
	if got, err := lookPath("./python3", env); got != "./python3" || err != nil {
		t.Errorf("lookPath = %q, %v", got, err)
	}
	for _, name := range []string{"R", "julia"} {
		if got, err := lookPath(name, env); err == nil {
			t.Errorf("lookPath(%q) = %q", name, got)
		}
	}
}

func TestOutputLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxLine-1)
	tests := []struct {
		name, printed, want, tail string
	}{
		{"nothing", "", "", ""},
		{"lines", "a\n\nb\r\n", "p: py: a\np: py: \np: py: b\n", "\na\n\nb"},
		{"no end", "a\nb", "p: py: a\np: py: b\n", "\na\nb"},
		{"not UTF-8", "a\xff\n", "p: py: a\uFFFD\n", "\na\uFFFD"},
		{"many", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "", "\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12"},
		{"long", long + "\n", "p: py: " + long + "\n", "\n" + long[:keptBytes-1]},
		{"long ones behind", strings.Repeat("y", 3000) + "\n" + strings.Repeat("z", 3000) + "\n", "",
			"\n" + strings.Repeat("z", 3000)},
	}
	for _, test := range tests {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		l := newLog()
		o := newOutput(r, &console{program: "p", w: l}, "py")
		if _, err := w.WriteString(test.printed); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		<-o.done
		if got := l.String(); test.want != "" && got != test.want {
			t.Errorf("%s: forwarded %d bytes, want %d", test.name, len(got), len(test.want))
		}
		if got := o.tail(); got != test.tail {
			t.Errorf("%s: tail is %q, want %q", test.name, got, test.tail)
		}
		o.finish(0)
	}
}

// What a pool prints without end of line comes in pieces of bounded size.
func TestOutputWithoutLines(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	l := newLog()
	o := newOutput(r, &console{program: "p", w: l}, "py")
	piece := strings.Repeat("x", 10_000)
	for range 100 {
		if _, err := w.WriteString(piece); err != nil {
			t.Fatal(err)
		}
	}
	_ = w.Close()
	<-o.done
	if n := strings.Count(l.String(), "x"); n != 1_000_000 {
		t.Errorf("%d bytes of 1000000", n)
	}
	for line := range strings.Lines(l.String()) {
		if len(line) > len("p: py: \n")+maxLine {
			t.Fatalf("a piece of %d bytes", len(line))
		}
	}
}

func TestErrFile(t *testing.T) {
	t.Parallel()
	_, err := os.Open("/no/such/file")
	want(t, errFile("/no/such/file", err), "IO error: no such file or directory (/no/such/file)")
	want(t, errFile("/x", errFileLong), "packet error: file of more than 1 GiB (/x)")
}

// A pool whose backlog is full is waited for, but not when it dies.
func TestFullBacklog(t *testing.T) {
	t.Parallel()
	path := testenv.SocketPath(t)
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	addr := &syscall.SockaddrUnix{Name: path}
	if err := errors.Join(syscall.Bind(fd, addr), syscall.Listen(fd, 0)); err != nil {
		t.Fatal(err)
	}
	var first, second conn
	if err := first.open(addr, forever); err != nil {
		t.Fatal(err)
	}
	defer first.close()
	failed := make(chan error, 1)
	go func() { failed <- second.open(addr, forever) }()
	second.cut()
	if err := <-failed; !isAbsent(err) {
		t.Errorf("open = %v", err)
	}
	var third conn
	if err := third.open(addr, 50*time.Millisecond); !isAbsent(err) {
		t.Errorf("open with a limit = %v", err)
	}
}

// A reusable is an exchange as a server keeps them.
type reusable struct {
	Exchange
	done chan struct{}
	sum  int
}

// Finish implements [Finisher].
func (u *reusable) Finish(r *voidstar.Reader, err error) {
	if err == nil {
		u.sum += len(r.Bytes(r.Root()))
	}
	u.done <- struct{}{}
}

func newReusable(mid uint32, size int) *reusable {
	u := &reusable{done: make(chan struct{})}
	u.Exchange = Exchange{Call: testpool.Call(mid, strings.Repeat("x", size)), Finisher: u}
	return u
}

func TestNoAllocations(t *testing.T) {
	s := testSet(t, program(t, 1, testpool.Options{}))
	for _, u := range []*reusable{newReusable(testpool.Echo, 10), newReusable(testpool.Echo, 60_000), newReusable(testpool.Shared, 10_000)} {
		s.Do(&u.Exchange)
		<-u.done
		before, runs := u.sum, 0
		allocs := testing.AllocsPerRun(100, func() {
			runs++
			s.Do(&u.Exchange)
			<-u.done
		})
		if u.sum != (runs+1)*before {
			t.Errorf("%d bytes of results", u.sum)
		}
		if allocs != 0 {
			t.Errorf("an exchange of %d bytes makes %v allocations", len(u.Call), allocs)
		}
	}
}

func TestHelpNoAllocations(t *testing.T) {
	s, in := idleSet(t, program(t, 1, testpool.Options{})), newInput(t).fd()
	u := newReusable(testpool.Echo, 10)
	u.done = make(chan struct{}, 1)
	u.Helped = true
	allocs := testing.AllocsPerRun(100, func() {
		s.Do(&u.Exchange)
		if s.Help(in) {
			t.Error("something is left")
		}
		<-u.done
	})
	if allocs != 0 {
		t.Errorf("an exchange makes %v allocations", allocs)
	}
}

func BenchmarkExchange(b *testing.B) {
	s := testSet(b, program(b, 1, testpool.Options{}))
	for _, size := range []int{10, 10_000, 1_000_000} {
		b.Run("bytes="+strconv.Itoa(size), func(b *testing.B) {
			u := newReusable(testpool.Echo, size)
			b.ReportAllocs()
			for b.Loop() {
				s.Do(&u.Exchange)
				<-u.done
			}
		})
	}
}
