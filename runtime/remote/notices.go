package remote

import (
	"strconv"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// When a caller is told that its call is still alive (design decision 35). Clients that are
// told nothing give up after a minute.
const (
	firstBeat = 2 * time.Second
	nextBeat  = 5 * time.Second
)

// tell arranges for the caller to be told of its call before the answer comes: of what it
// has asked for, if anything.
func (j *Job) tell() {
	j.exchange.Listener = nil
	if j.reply.WantsLog(mcp.LevelInfo) {
		j.exchange.Listener = j
	}
	if j.reply.WantsProgress() {
		j.beat = startHeartbeat(j)
	}
}

// Line implements [pool.Listener]: the caller is told what its call prints.
func (j *Job) Line(lang, line string) {
	j.telling.Lock()
	defer j.telling.Unlock()
	j.reply.Log(mcp.LevelInfo, lang, line)
}

// A heartbeat tells the caller of one job again and again that its call waits or runs. Jobs
// are used again, so it belongs to one call, and a timer that fires late finds it over.
type heartbeat struct {
	job   *Job
	begun time.Time
	timer *time.Timer // all that follows is under job.telling
	over  bool
}

func startHeartbeat(j *Job) *heartbeat {
	j.telling.Lock()
	defer j.telling.Unlock()
	h := &heartbeat{job: j, begun: time.Now()}
	h.timer = time.AfterFunc(firstBeat, h.beat)
	return h
}

// stop returns when nothing is told any more. A nil heartbeat is stopped.
func (h *heartbeat) stop() {
	if h == nil {
		return
	}
	h.job.telling.Lock()
	defer h.job.telling.Unlock()
	h.over = true
	h.timer.Stop()
}

// beat runs on the timer's goroutine.
func (h *heartbeat) beat() {
	j := h.job
	j.telling.Lock()
	defer j.telling.Unlock()
	if h.over || j.reply.Canceled() {
		return
	}
	// Whole seconds grow, as beats are seconds apart.
	elapsed := time.Since(h.begun).Truncate(time.Second).Seconds()
	j.reply.Progress(elapsed, 0, position(j.pools.set.Ahead(&j.exchange)))
	h.timer.Reset(nextBeat)
}

// position describes where a call is that waits behind n others, or runs.
func position(n int, waits bool) string {
	switch {
	case !waits:
		return "running"
	case n == 1:
		return "waiting, 1 call ahead"
	}
	return "waiting, " + strconv.Itoa(n) + " calls ahead"
}
