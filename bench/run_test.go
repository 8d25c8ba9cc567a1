package main

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// scripted returns an entrant that needs no server: it notes when it is measured, and takes
// as long as it is told.
func scripted(name string, wall time.Duration, log *[]string) entrant {
	return entrant{name: name, start: func(*kit) (taker, error) {
		return func() (sample, error) {
			*log = append(*log, name)
			return sample{Wall: wall}, nil
		}, nil
	}}
}

func failing(name string, err error) entrant {
	return entrant{name: name, start: func(*kit) (taker, error) { return nil, err }}
}

func TestRun(t *testing.T) {
	t.Parallel()
	var log []string
	absent := &leftOut{"d", errors.New("no network")}
	cases := []*benchCase{
		{group: "g", name: "first", unit: wallTime, entrants: []entrant{
			scripted("a", 3, &log), scripted("b", 2, &log), failing("d", absent), failing("e", &leftOut{"e", errUnwanted}),
		}},
		{group: "g", name: "ours is left out", entrants: []entrant{failing("d", absent), scripted("b", 2, &log)}},
		{group: "g", name: "once", rounds: 1, entrants: []entrant{scripted("c", 1, &log)}},
		{group: "other", name: "not asked for", entrants: []entrant{failing("x", errors.New("was started"))}},
	}
	o := options{cases: regexp.MustCompile("^g/"), rounds: 3}
	r, err := run(t.Context(), newKit(t.TempDir(), o), cases, o)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(log, " "), "a b c b a a b"; got != want {
		t.Errorf("measured %s, want %s", got, want)
	}
	if len(r.Cases) != 2 || len(r.Cases[0].Servers) != 2 || len(r.Cases[0].Servers[1].Samples) != 3 || len(r.Cases[1].Servers[0].Samples) != 1 {
		t.Fatalf("got %+v", r.Cases)
	}
	if ratio := r.Cases[0].ratio(1); ratio != 1.5 {
		t.Errorf("ratio %v, want 1.5", ratio)
	}
	if want := []string{"d is left out: no network"}; !slices.Equal(r.LeftOut, want) {
		t.Errorf("left out: %q, want %q", r.LeftOut, want)
	}
}

func TestRunEndsEarly(t *testing.T) {
	t.Parallel()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	var log []string
	for _, test := range []struct {
		name    string
		ctx     context.Context
		pattern string
		first   entrant
		want    string
	}{
		{"a server fails", t.Context(), "", failing("a", errors.New("broken")), "g/x: a: broken"},
		{"interrupted", canceled, "", scripted("a", 1, &log), "context canceled"},
		{"nothing to do", t.Context(), "nonsense", scripted("a", 1, &log), "no case matches nonsense"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := options{cases: regexp.MustCompile(test.pattern), rounds: 1}
			_, err := run(test.ctx, newKit(t.TempDir(), o), []*benchCase{{group: "g", name: "x", entrants: []entrant{test.first}}}, o)
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestEnough(t *testing.T) {
	t.Parallel()
	k := &kit{slice: 50 * time.Millisecond}
	for _, inFlight := range []int{1, 64} {
		var sizes []int
		n, err := k.enough(inFlight, func(n int) error {
			sizes = append(sizes, n)
			for start := time.Now(); time.Since(start) < time.Duration(n)*100*time.Microsecond; {
			}
			return nil
		})
		if err != nil || n < 1 || n%inFlight != 0 {
			t.Errorf("%d in flight: %d requests, %v", inFlight, n, err)
		}
		for i, size := range sizes {
			if size != inFlight<<i {
				t.Errorf("%d in flight: warmed up by %v requests", inFlight, sizes)
			}
		}
	}
	if _, err := k.enough(1, func(int) error { return errors.New("broken") }); err == nil {
		t.Error("no error where requests fail")
	}
}
