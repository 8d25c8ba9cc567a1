package pool

import (
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/internal/testpool"
)

func TestEcho(t *testing.T) {
	t.Parallel()
	for _, lazy := range []bool{false, true} {
		t.Run("lazy="+strconv.FormatBool(lazy), func(t *testing.T) {
			t.Parallel()
			s := testSet(t, program(t, 3, testpool.Options{}))
			if !lazy {
				s.Start()
			}
			for _, size := range []int{0, 1, 1000, 64 << 10, 2 << 20} {
				arg := strings.Repeat("x", size)
				for i := range 3 {
					if got := mustDo(t, s, i, testpool.Echo, arg); got != arg {
						t.Errorf("echo of %d bytes by pool %d gave %d bytes", size, i, len(got))
					}
				}
			}
			stop(t, s)
			if cap(s.buf) > keepBuffer {
				t.Errorf("kept a buffer of %d bytes", cap(s.buf))
			}
		})
	}
}

func TestStartReturnsAtOnce(t *testing.T) {
	t.Parallel()
	gate := fifo(t)
	s := testSet(t, program(t, 1, testpool.Options{Gate: gate}))
	s.Start()
	s.Start()
	c := begin(s, 0, testpool.Echo, "early")
	release := arrive(t, gate) // it is not ready before
	select {
	case <-c.done:
		t.Fatal("answered before the pool was ready")
	default:
	}
	release()
	if got, err := c.wait(t); got != "early" || err != nil {
		t.Errorf("call = %q, %v", got, err)
	}
}

// Calls come back in the order they were made, and never two at a time, which the test pool
// would notice.
func TestOrder(t *testing.T) {
	t.Parallel()
	gate := fifo(t)
	s := testSet(t, program(t, 2, testpool.Options{}))
	slow := begin(s, 0, testpool.Slow, gate)
	release := arrive(t, gate)
	var calls []*call
	for i := range 100 {
		calls = append(calls, begin(s, i%2, testpool.Echo, strconv.Itoa(i)))
	}
	last := begin(s, 0, testpool.Echo, "last")
	release()
	last.wait(t)
	for i, c := range calls {
		if c.times != 1 || c.result != strconv.Itoa(i) || c.err != nil {
			t.Errorf("call %d: %q, %v, finished %d times", i, c.result, c.err, c.times)
		}
	}
	if slow.times != 1 {
		t.Errorf("the first call was finished %d times", slow.times)
	}
}

func TestBusy(t *testing.T) {
	t.Parallel()
	gate := fifo(t)
	s := testSet(t, program(t, 1, testpool.Options{}))
	begin(s, 0, testpool.Slow, gate)
	release := arrive(t, gate)
	var waiting []*call
	for range defaultQueue {
		waiting = append(waiting, begin(s, 0, testpool.Echo, "x"))
	}
	refused := begin(s, 0, testpool.Echo, "x")
	select {
	case <-refused.done:
		want(t, refused.err, "server busy: 1024 calls are waiting")
	default:
		t.Error("not refused at once")
	}
	release()
	for _, c := range waiting {
		if _, err := c.wait(t); err != nil {
			t.Fatal(err)
		}
	}
	mustEcho(t, s, 0)
}

func TestUnknownPool(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	for _, pool := range []int{-1, 1} {
		_, err := do(t, s, pool, testpool.Echo, "")
		want(t, err, "no such pool")
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		o    testpool.Options
		use  func(t *testing.T, s *one)
	}{
		{"never started", testpool.Options{}, func(*testing.T, *one) {}},
		{"just started", testpool.Options{}, func(_ *testing.T, s *one) { s.Start() }},
		{"idle", testpool.Options{}, func(t *testing.T, s *one) { mustEcho(t, s, 0) }},
		{"idle, files left", testpool.Options{Leave: true}, func(t *testing.T, s *one) {
			mustDo(t, s, 0, testpool.Shared, "x")
		}},
		{"deaf to SIGTERM", testpool.Options{IgnoreTerm: true}, func(t *testing.T, s *one) { mustEcho(t, s, 0) }},
		{"with workers", testpool.Options{Worker: testpool.Python}, func(t *testing.T, s *one) { mustEcho(t, s, 0) }},
		{"deaf, with workers", testpool.Options{Worker: testpool.R, IgnoreTerm: true}, func(t *testing.T, s *one) {
			mustEcho(t, s, 0)
		}},
		{"never ready", testpool.Options{Mute: true, Print: "hello\n"}, func(t *testing.T, s *one) {
			s.Start()
			s.cfg.Stderr.(*log).wait(t, "prog: py: hello\n", 1)
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := testSet(t, program(t, 2, test.o))
			test.use(t, s)
			stop(t, s)
			stop(t, s)
			_, err := do(t, s, 0, testpool.Echo, "")
			want(t, err, "server is shutting down")
		})
	}
}

func TestStopDuringExchange(t *testing.T) {
	t.Parallel()
	for _, o := range []testpool.Options{{}, {IgnoreTerm: true}, {Worker: testpool.Python}} {
		gate := fifo(t)
		s := testSet(t, program(t, 1, o))
		running := begin(s, 0, testpool.Slow, gate)
		arrive(t, gate)
		waiting := begin(s, 0, testpool.Echo, "")
		stop(t, s)
		for _, c := range []*call{running, waiting} {
			_, err := c.wait(t)
			want(t, err, "server is shutting down")
			if c.times != 1 {
				t.Errorf("finished %d times", c.times)
			}
		}
	}
}

func TestStopWhileStarting(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{Mute: true, Print: "up\n"}))
	c := begin(s, 0, testpool.Echo, "")
	s.cfg.Stderr.(*log).wait(t, "up", 1)
	stop(t, s)
	_, err := c.wait(t)
	want(t, err, "server is shutting down")
}

// Two sets of one program do not meet.
func TestTwoSets(t *testing.T) {
	t.Parallel()
	cfg := program(t, 2, testpool.Options{})
	a, b := testSet(t, cfg), testSet(t, cfg)
	a.Start()
	b.Start()
	for range 20 {
		for _, s := range []*one{a, b} {
			c, d := begin(s, 0, testpool.Shared, "one"), begin(s, 1, testpool.Shared, "two")
			if got, err := c.wait(t); got != "one" {
				t.Fatal(got, err)
			}
			if got, err := d.wait(t); got != "two" {
				t.Fatal(got, err)
			}
		}
	}
	stop(t, a)
	mustEcho(t, b, 1)
}

func TestLaunch(t *testing.T) {
	t.Parallel()
	cfg := program(t, 1, testpool.Options{})
	cfg.Manifest, cfg.TmpDir = "/program/manifest.json", "/results"
	cfg.Env = []string{"KEPT=1", "MORLOC_MCP_TOKEN=secret", "MORLOC_NO_SHM=1", "MORLOC_INLINE_SIZE=9999999",
		"MORLOC_NEXUS_PATH=/x", "MORLOC_NEXUS_STDIO_SOCK=/x", "MORLOC_POOL_HASH=x", "MORLOC_TMPDIR=/x"}
	s := testSet(t, cfg)
	for name, want := range map[string]string{
		"KEPT":                    `"1" true`,
		"MORLOC_POOL_HASH":        `"0123456789abcdef" true`,
		"MORLOC_INLINE_SIZE":      `"65536" true`,
		"MORLOC_QUIET":            `"1" true`,
		"MORLOC_MANIFEST_PATH":    `"/program/manifest.json" true`,
		"MORLOC_TMPDIR":           `"/results" true`,
		"MORLOC_MCP_TOKEN":        `"" false`,
		"MORLOC_NO_SHM":           `"" false`,
		"MORLOC_NEXUS_PATH":       `"" false`,
		"MORLOC_NEXUS_STDIO_SOCK": `"" false`,
	} {
		if got := mustDo(t, s, 0, testpool.Env, name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	args := strings.Fields(mustDo(t, s, 0, testpool.Args, ""))
	if args[0] != args[1]+"/pipe-py" || !strings.HasPrefix(args[1], "/tmp/morloc.") || !strings.HasPrefix(args[2], "morloc-") {
		t.Errorf("arguments are %q", args)
	}
	pids := strings.Fields(mustDo(t, s, 0, testpool.PIDs, ""))
	if pids[0] != pids[1] {
		t.Errorf("process %s is in group %s, want its own", pids[0], pids[1])
	}
}

func TestOutput(t *testing.T) {
	t.Parallel()
	s := testSet(t, program(t, 1, testpool.Options{}))
	mustDo(t, s, 0, testpool.Junk, "x")
	l := s.cfg.Stderr.(*log)
	l.wait(t, "prog: py: {\"jsonrpc\":\"2.0\",\"method\":\"junk\"}\n", 1)
	l.wait(t, "prog: py: junk on stderr\n", 1)
}
