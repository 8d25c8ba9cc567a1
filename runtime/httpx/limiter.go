package httpx

import (
	"strconv"
	"sync"
	"time"
)

// logPause is the shortest time between two lines about the same thing.
const logPause = 10 * time.Second

// A limiter writes lines about requests that were refused, not one for each.
type limiter struct {
	write func(line string)

	mu   sync.Mutex
	seen map[string]*sighting
}

// A sighting is how often something happened since it was told last.
type sighting struct {
	told  time.Time
	count int
}

// refused tells that a request was refused, and why: a constant, nothing of the request.
func (l *limiter) refused(why string) {
	if n := l.count(why); n == 1 {
		l.write("refused a request: " + why)
	} else if n > 1 {
		l.write("refused " + strconv.Itoa(n) + " requests: " + why)
	}
}

// count counts an event, and returns how many are to be told of now; 0 is none.
func (l *limiter) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.seen[what]
	if s == nil {
		if l.seen == nil {
			l.seen = map[string]*sighting{}
		}
		s = new(sighting)
		l.seen[what] = s
	}
	s.count++
	if now := time.Now(); s.told.IsZero() || now.Sub(s.told) >= logPause {
		n := s.count
		s.told, s.count = now, 0
		return n
	}
	return 0
}

// Write implements [io.Writer] for the log of net/http, of which a line in a while is told:
// it is about connections that fail.
func (l *limiter) Write(b []byte) (int, error) {
	if l.count("") > 0 {
		line := b
		if n := len(line); n > 0 && line[n-1] == '\n' {
			line = line[:n-1]
		}
		l.write(string(line))
	}
	return len(b), nil
}
