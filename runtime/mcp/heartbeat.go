package mcp

import (
	"strconv"
	"time"
)

// When a caller is told that its call is still alive (design decision 35). Clients that are
// told nothing give up after a minute.
const (
	FirstBeat = 2 * time.Second
	NextBeat  = 5 * time.Second
)

// A Place tells where a detached call is.
type Place interface {
	// Ahead returns how many calls come before it, and whether it waits at all. It is
	// called by any goroutine, and does not call the [Reply].
	Ahead() (n int, waits bool)
}

// A heartbeat tells the caller of one call again and again that it waits or runs. Replies
// are used again, so it belongs to one call, and a timer that fires late finds it over.
type heartbeat struct {
	reply *Reply
	place Place
	begun time.Time
	timer *time.Timer // all that follows is under reply.telling
	over  bool
}

// Beat tells the caller from time to time where its call is, until it is answered; if it
// wants to know how far the call has come, and can be told. It is called at most once a call.
func (r *Reply) Beat(p Place) {
	if !r.wantsProgress() {
		return
	}
	r.telling.Lock()
	defer r.telling.Unlock()
	h := &heartbeat{reply: r, place: p, begun: time.Now()}
	h.timer = time.AfterFunc(FirstBeat, h.beat)
	r.heart = h
}

// quiet returns when the caller is told nothing any more but the answer.
func (r *Reply) quiet() {
	r.telling.Lock()
	defer r.telling.Unlock()
	if r.heart != nil {
		r.heart.over = true
		r.heart.timer.Stop()
		r.heart = nil
	}
}

// beat runs on the timer's goroutine.
func (h *heartbeat) beat() {
	r := h.reply
	r.telling.Lock()
	defer r.telling.Unlock()
	if h.over || r.Canceled() {
		return
	}
	// Whole seconds grow, as beats are seconds apart.
	elapsed := time.Since(h.begun).Truncate(time.Second).Seconds()
	r.progress(elapsed, 0, position(h.place.Ahead()))
	h.timer.Reset(NextBeat)
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
