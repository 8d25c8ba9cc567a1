package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"regexp"
	"slices"
	"time"
)

// A taker measures once.
type taker func() (sample, error)

// A starter makes ready what is to be measured, and warms it up.
type starter func(*kit) (taker, error)

// An entrant is a server that takes part in a case.
type entrant struct {
	name  string
	start starter
	aim   aim

	take taker // after start
}

// A benchCase is something that is measured of several servers, ours first.
type benchCase struct {
	group, name string
	unit        unit
	rounds      int // at most, in a quick run one; 0: as many as there are
	entrants    []entrant
}

// path is what the flag -run is matched with.
func (c *benchCase) path() string { return c.group + "/" + c.name }

// A leftOut error says why a server cannot take part, which is no reason not to measure
// the others.
type leftOut struct {
	server string
	why    error
}

func (e *leftOut) Error() string { return e.server + " is left out: " + e.why.Error() }

// Options say what a run does.
type options struct {
	cases  *regexp.Regexp
	rounds int
	slice  time.Duration // how long a measurement of requests takes, about
	quick  bool
	peers  bool // measure the libraries of others as well
}

// run measures the cases that are wanted, in rounds: each measures everything once.
// When the context is done, it ends soon, with an error.
func run(ctx context.Context, k *kit, all []*benchCase, o options) (*report, error) {
	r := &report{Machine: thisMachine(), Date: time.Now().UTC().Truncate(time.Second), Rounds: o.rounds, Quick: o.quick}
	var cases []*benchCase
	for _, c := range all {
		if o.cases.MatchString(c.path()) {
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("no case matches %v", o.cases)
	}
	begun := time.Now()
	for _, c := range cases {
		if err := c.prepare(ctx, k); err != nil {
			return nil, err
		}
	}
	cases = slices.DeleteFunc(cases, func(c *benchCase) bool { return len(c.entrants) == 0 })
	for _, c := range cases {
		r.Cases = append(r.Cases, c.result())
	}
	r.Peers, r.LeftOut = k.versions, k.absent
	k.say("all is ready after %v", time.Since(begun).Round(time.Second))
	for round := range o.rounds {
		for i, c := range cases {
			k.progress("round %d of %d: %s", round+1, o.rounds, c.path())
			if c.rounds == 0 || round == 0 || !o.quick && round < c.rounds {
				if err := c.measure(ctx, &r.Cases[i], round); err != nil {
					return nil, err
				}
			}
		}
		k.say("round %d of %d is done after %v", round+1, o.rounds, time.Since(begun).Round(time.Second))
	}
	return r, nil
}

// prepare starts the entrants. Those that are left out, by the run or for a reason, are no
// longer entrants afterwards; neither is anybody if ours is.
func (c *benchCase) prepare(ctx context.Context, k *kit) error {
	var ready []entrant
	for i, e := range c.entrants {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		k.progress("getting ready: %s, %s", c.path(), e.name)
		take, err := e.start(k)
		if out, ok := errors.AsType[*leftOut](err); ok {
			k.leaveOut(out)
			if i == 0 {
				break
			}
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.path(), e.name, err)
		}
		e.take = take
		ready = append(ready, e)
	}
	c.entrants = ready
	return nil
}

// result returns a result without samples.
func (c *benchCase) result() result {
	r := result{Group: c.group, Name: c.name, Unit: c.unit}
	for _, e := range c.entrants {
		r.Servers = append(r.Servers, measured{Name: e.name, Aim: e.aim})
	}
	return r
}

// measure takes a sample of each entrant. Each round begins with another one, so that none
// always comes after the same.
func (c *benchCase) measure(ctx context.Context, r *result, round int) error {
	for i := range c.entrants {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		at := (i + round) % len(c.entrants)
		s, err := c.entrants[at].take()
		if err != nil {
			return fmt.Errorf("%s: %s: %w", c.path(), c.entrants[at].name, err)
		}
		r.Servers[at].Samples = append(r.Servers[at].Samples, s)
	}
	return nil
}

// repeated returns a way to measure requests to a running server: so many of them that it
// takes about a slice, all in flight at least once. It has made requests for about a slice when
// it returns, so the server is warm. What ready does comes before that, and before each
// measurement.
func (k *kit) repeated(pid, inFlight int, ready func() error, requests func(n int) error) (taker, error) {
	if err := ready(); err != nil {
		return nil, err
	}
	n, err := k.enough(inFlight, requests)
	if err != nil {
		return nil, err
	}
	return func() (sample, error) {
		if err := ready(); err != nil {
			return sample{}, err
		}
		before, err := cpuOf(pid)
		if err != nil {
			return sample{}, err
		}
		start := time.Now()
		if err := requests(n); err != nil {
			return sample{}, err
		}
		wall := time.Since(start)
		after, err := cpuOf(pid)
		if err != nil {
			return sample{}, err
		}
		return sample{CPU: (after - before) / time.Duration(n), Wall: wall / time.Duration(n)}, nil
	}, nil
}

// enough returns how many requests take a slice, a multiple of those in flight.
func (k *kit) enough(inFlight int, requests func(n int) error) (int, error) {
	n := inFlight
	for {
		start := time.Now()
		if err := requests(n); err != nil {
			return 0, err
		}
		took := time.Since(start)
		if took >= k.slice/2 {
			return max(1, int(float64(n)*float64(k.slice)/float64(took))/inFlight) * inFlight, nil
		}
		n *= 2
	}
}

// progress shows on a terminal what is being done; "" clears that.
func (k *kit) progress(format string, args ...any) {
	if k.terminal {
		fmt.Fprintf(os.Stderr, "\r\x1b[K"+format, args...)
	}
}

// say logs a line.
func (k *kit) say(format string, args ...any) {
	k.progress("")
	log.Printf(format, args...)
}

// leaveOut notes, and says once, that a server takes no part.
func (k *kit) leaveOut(e *leftOut) {
	if k.isAbsent[e.server] || e.why == errUnwanted {
		return
	}
	k.isAbsent[e.server] = true
	k.say("%v", e)
	k.absent = append(k.absent, e.Error())
}
