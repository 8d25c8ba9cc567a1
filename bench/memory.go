package main

const (
	memoryIdle = "idle after a call, standard input and output"
	memoryWeb  = "idle after a call, HTTP"
	memoryPeak = "peak, echo of 1 MB, 8 in flight"
)

// Lines of /proc/PID/status.
const (
	residentNow  = "VmRSS"
	residentPeak = "VmHWM"
)

// memoryCases are how much resident memory servers have, their pools apart.
func memoryCases() []*benchCase {
	idle := &benchCase{group: groupMemory, name: memoryIdle, unit: residentBytes, rounds: 5}
	peak := &benchCase{group: groupMemory, name: memoryPeak, unit: residentBytes, rounds: 5}
	overWeb := &benchCase{group: groupMemory, name: memoryWeb, unit: residentBytes, rounds: 5}
	enter := func(name string, argv argvFunc) {
		idle.enter(name, resident(residentNow, taskEcho.load, 1, 1, argv))
		peak.enter(name, resident(residentPeak, taskString.load, 64, 8, argv))
	}
	enter(ourName, ours())
	enter(limitLoop, standIn("limit"))
	enter(jsonLoop, standIn("stdjson"))
	overWeb.enter(ourName, residentWeb(session, ours("--http-port", "0", "--tool-names", "bare")))
	overWeb.enter(bareHandler, residentWeb(pretense, standIn("barehttp")))
	for _, p := range peers {
		enter(p.name, p.with())
		overWeb.enter(p.name, residentWeb(session, p.with("-http")))
	}
	return []*benchCase{idle, overWeb, peak}
}

// resident returns a way to measure the memory of a new server after n requests.
func resident(line string, l load, n, inFlight int, argv argvFunc) starter {
	return func(k *kit) (taker, error) {
		command, err := argv(k)
		return func() (sample, error) {
			s, err := launchReady(command)
			if err != nil {
				return sample{}, err
			}
			defer func() { _ = s.end() }()
			if err := s.requests(&l, n, inFlight); err != nil {
				return sample{}, err
			}
			bytes, err := memoryOf(s.cmd.Process.Pid, line)
			return sample{Bytes: bytes}, err
		}, err
	}
}

// residentWeb is the same over HTTP, after one call.
func residentWeb(d dialect, argv argvFunc) starter {
	return func(k *kit) (taker, error) {
		command, err := argv(k)
		return func() (sample, error) {
			s, err := serve(command)
			if err != nil {
				return sample{}, err
			}
			defer s.stop()
			clients, err := s.connected(d, 1)
			if err != nil {
				return sample{}, err
			}
			if err := clients[0].requests(&taskEcho.load, 1); err != nil {
				return sample{}, err
			}
			bytes, err := memoryOf(s.cmd.Process.Pid, residentNow)
			return sample{Bytes: bytes}, err
		}, err
	}
}
