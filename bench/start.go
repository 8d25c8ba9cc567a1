package main

import (
	"errors"
	"os/exec"
	"time"
)

const (
	startPure     = "first reply, no pools"
	startPool     = "first reply, with a pool"
	startPureHTTP = "first reply, no pools, net/http linked"
	startPoolHTTP = "first reply, with a pool, net/http linked"
	startCall     = "first reply of the pool"
)

// starts is how often a server is started for one sample.
const starts = 10

// startCases are the times from the start of a process to its first reply. To have HTTP
// linked takes time even where it is not used, so servers without it are measured as well.
func startCases() []*benchCase {
	enter := func(c *benchCase, name string, argv argvFunc) { c.enter(name, started(starts, nil, argv)) }
	pure := &benchCase{group: groupStart, name: startPure, unit: wallTime}
	enter(pure, ourName, oursOf("pure", stdioOnly, ownCommands[:2]))
	enter(pure, emptyProgram, standIn("empty"))
	enter(pure, limitLoop, standIn("limit"))
	enter(pure, jsonLoop, standIn("stdjson"))
	pool := &benchCase{group: groupStart, name: startPool, unit: wallTime}
	enter(pool, ourName, oursOf("bench", stdioOnly, ownCommands))
	enter(pool, emptyProgram, standIn("empty"))

	pureHTTP := &benchCase{group: groupStart, name: startPureHTTP, unit: wallTime}
	enter(pureHTTP, ourName, oursOf("pure", allTransports, ownCommands[:2]))
	poolHTTP := &benchCase{group: groupStart, name: startPoolHTTP, unit: wallTime}
	enter(poolHTTP, ourName, ours())
	for _, c := range []*benchCase{pureHTTP, poolHTTP} {
		enter(c, emptyProgram, standIn("empty"))
		enter(c, emptyHTTP, emptyWithHTTP)
	}
	for _, p := range peers {
		n := starts
		if p.name == typeScript {
			n = 1 // takes long enough
		}
		pureHTTP.enter(p.name, started(n, nil, p.with()))
	}
	call := &benchCase{group: groupStart, name: startCall, unit: wallTime}
	call.enter(ourName, started(starts, &taskPool.load, ours()))
	call.enter(lazyPools, started(starts, &taskPool.load, ours("--lazy-pools")))
	return []*benchCase{pure, pool, pureHTTP, poolHTTP, call}
}

// started returns a way to measure the time from the start of a server to its answer to the
// handshake, or to a request behind that. CPU is what the process and its pools used until
// their end.
func started(times int, request *load, argv argvFunc) starter {
	return func(k *kit) (taker, error) {
		command, err := argv(k)
		if err != nil {
			return nil, err
		}
		take := func() (sample, error) {
			var all []sample
			for range times {
				s, err := startOnce(command, request)
				if err != nil {
					return sample{}, err
				}
				all = append(all, s)
			}
			m := measured{Samples: all}
			return m.median(), nil
		}
		_, err = take() // files are cached afterwards
		return take, err
	}
}

func startOnce(argv []string, request *load) (sample, error) {
	start := time.Now()
	s, err := launch(argv)
	if err != nil {
		return sample{}, err
	}
	err = s.greet()
	if err == nil && request != nil {
		err = errors.Join(s.settle(), s.requests(request, 1, 1))
	}
	if err != nil {
		return sample{}, errors.Join(err, s.end())
	}
	wall := time.Since(start)
	if err := s.end(); err != nil {
		return sample{}, err
	}
	return sample{CPU: usedBy(s.cmd), Wall: wall}, nil
}

// usedBy returns the processor time of a process that has ended, and of its children.
func usedBy(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
