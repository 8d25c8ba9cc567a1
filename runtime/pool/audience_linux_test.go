package pool

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/testpool"
)

// A hearer is a call whose caller listens. What it hears too late is an error.
type hearer struct {
	call
	t     *testing.T
	lines []string // not guarded: Line and Finish must not overlap, which the race detector tells
}

// Line implements [Listener].
func (h *hearer) Line(lang, line string) {
	if isClosed(h.done) {
		h.t.Errorf("%q is told after the end", line)
	}
	h.lines = append(h.lines, lang+" "+line)
}

// listen makes a call and returns what its caller has heard.
func listen(t *testing.T, s *one, pool int, mid uint32, arg string) []string {
	t.Helper()
	h := &hearer{t: t, call: call{done: make(chan struct{})}}
	h.Exchange = Exchange{Pool: pool, Call: testpool.Call(mid, arg), Schema: "s", Finisher: h, Listener: h}
	s.Do(&h.Exchange)
	if _, err := h.wait(t); err != nil {
		t.Errorf("call of mid %d: %v", mid, err)
	}
	return h.lines
}

// TestListener asserts that callers hear all that their own calls print, and nothing else.
func TestListener(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 2, testpool.Options{Print: "hello\n"}))
	junk := func(lang string) []string {
		return []string{lang + ` {"jsonrpc":"2.0","method":"junk"}`, lang + " junk on stderr"}
	}
	// The first call starts the pools, and what they print then is not of the call.
	if got, want := listen(t, s, 1, testpool.Junk, "x"), junk("cpp"); !slices.Equal(got, want) {
		t.Fatalf("the first caller hears %q, want %q", got, want)
	}
	for range 200 {
		if got := listen(t, s, 0, testpool.Junk, "x"); !slices.Equal(got, junk("py")) {
			t.Fatalf("a caller hears %q", got)
		}
		mustDo(t, s, 1, testpool.Junk, "x") // nobody listens
		if got := listen(t, s, 1, testpool.Echo, "x"); len(got) > 0 {
			t.Fatalf("a caller hears what another's call prints: %q", got)
		}
	}
	s.cfg.Stderr.(*log).wait(t, "junk on stderr\n", 401)
}

// TestListenerOfCrash asserts that a caller whose call ends a pool hears nothing of the next.
func TestListenerOfCrash(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{Print: "hello\n"}))
	mustEcho(t, s, 0)
	h := &hearer{t: t, call: call{done: make(chan struct{})}}
	h.Exchange = Exchange{Call: testpool.Call(testpool.Exit, "3"), Finisher: h, Listener: h}
	s.Do(&h.Exchange)
	if _, err := h.wait(t); err == nil {
		t.Error("a call that ends its pool succeeds")
	}
	mustEcho(t, s, 0)
	s.cfg.Stderr.(*log).wait(t, "hello\n", 2)
	if len(h.lines) > 0 {
		t.Errorf("the caller hears %q", h.lines)
	}
}

// TestSync asserts that all that is in a pipe is forwarded when sync returns, whatever is
// printed meanwhile, and that it returns if it has to.
func TestSync(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	l := newLog()
	o := newOutput(r, &console{program: "p", w: l}, "py")
	stop := make(chan struct{})
	var want strings.Builder
	for i := range 500 {
		line := strconv.Itoa(i) + strings.Repeat("x", 97*i%5000) + "\n"
		if _, err := w.WriteString(line); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(&want, "p: py: ", line)
		if o.sync(stop); l.String() != want.String() {
			t.Fatalf("line %d is not forwarded", i)
		}
	}
	if _, err := w.WriteString("half "); err != nil {
		t.Fatal(err)
	}
	o.sync(stop)
	if _, err := w.WriteString("a line\n"); err != nil {
		t.Fatal(err)
	}
	if o.sync(stop); !strings.HasSuffix(l.String(), "\np: py: half a line\n") {
		t.Error("a line is torn")
	}
	_ = w.Close()
	<-o.done
	o.sync(stop)
	o.sync(stop)
	o.finish(0)
}

// TestSyncStops asserts that a reader that hangs does not keep a set from stopping.
func TestSyncStops(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	gate := make(stuck)
	o := newOutput(r, &console{program: "p", w: gate}, "py")
	if _, err := w.WriteString("line\n"); err != nil {
		t.Fatal(err)
	}
	gate <- struct{}{} // it is in Write
	stop := make(chan struct{})
	close(stop)
	o.sync(stop)
	o.sync(stop)
	gate <- struct{}{}
	_ = w.Close()
	<-o.done
}

// A stuck writer takes two entries to write.
type stuck chan struct{}

func (s stuck) Write(b []byte) (int, error) {
	<-s
	<-s
	return len(b), nil
}
