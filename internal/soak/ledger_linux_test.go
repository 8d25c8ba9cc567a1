package soak

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A state is how far a request has come.
type state uint8

const (
	waiting state = iota
	cancelled
	answered
	gone // cancelled, and answered all the same
)

// A ledger accounts for the requests of all clients of a server.
type ledger struct {
	mu      sync.Mutex
	entries map[int]*entry
	totals
}

// An entry is a request.
type entry struct {
	kind  *kind
	text  string // the argument; dropped when it was answered
	state state
}

// totals are counts of requests.
type totals struct {
	calls, values, cancels, late int
	notices                      int            // of progress, and of what pools print
	failures                     map[string]int // by what they say
	hits                         int            // failures of calls that were under way
	faults                       []string       // what must not happen
}

func newLedger() *ledger {
	return &ledger{entries: map[int]*entry{}, totals: totals{failures: map[string]int{}}}
}

// open notes a request that is about to be sent, and returns its id, which no other has.
func (l *ledger) open(k *kind, text string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := len(l.entries) + 1
	l.entries[id] = &entry{kind: k, text: text}
	l.calls++
	return id
}

// cancel notes that nobody waits for the answer any more, and reports whether that is so:
// it may have come.
func (l *ledger) cancel(id int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.entries[id]
	if e.state != waiting {
		return false
	}
	e.state = cancelled
	l.cancels++
	return true
}

// A message is a reply.
type message struct {
	ID     *int
	Method string
	Params struct {
		Data          string
		ProgressToken int
	}
	Result *struct {
		Content []struct{ Text string }
		IsError bool
	}
	Error *struct{ Message string }
}

// settle notes a reply, and returns the id of its request if that is the first one to be
// answered or cancelled.
func (l *ledger) settle(line []byte) (id int, first bool) {
	var m message
	if err := json.Unmarshal(line, &m); err != nil {
		l.fault("not a message (%v): %.200q", err, line)
		return 0, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if m.ID == nil {
		l.hear(&m, line)
		return 0, false
	}
	e := l.entries[*m.ID]
	switch {
	case e == nil:
		l.note("an answer to nothing: %.200s", line)
		return 0, false
	case e.state == answered || e.state == gone:
		l.note("a second answer: %.200s", line)
		return 0, false
	case e.state == cancelled:
		e.state = gone
		l.late++
	default:
		e.state, first = answered, true
	}
	l.judge(e, &m, line)
	e.text = ""
	return *m.ID, first
}

// hear checks a notification: it is about a request that waits, or about what a pool prints.
func (l *ledger) hear(m *message, line []byte) {
	l.notices++
	switch m.Method {
	case "notifications/message":
		if isPrinted(m.Params.Data) {
			return
		}
	case "notifications/progress":
		if e := l.entries[m.Params.ProgressToken]; e != nil && e.state != answered && e.state != gone {
			return
		}
	}
	l.note("a message nobody has asked for: %.200s", line)
}

// isPrinted reports whether a text is one that pools print.
func isPrinted(text string) bool { return strings.Contains(text, "junk") }

// judge checks the answer to a request.
func (l *ledger) judge(e *entry, m *message, line []byte) {
	switch {
	case m.Error != nil:
		l.note("%s: refused: %s", e.kind.tool, m.Error.Message)
	case m.Result == nil || len(m.Result.Content) != 1:
		l.note("%s: no result: %.200s", e.kind.tool, line)
	case m.Result.IsError:
		l.judgeFailure(e, m.Result.Content[0].Text)
	case e.kind.fails, e.kind.crashes, e.kind.hangs:
		l.note("%s: must not have a value: %.200s", e.kind.tool, line)
	case m.Result.Content[0].Text != `"`+e.text+`"`:
		l.note("%s of %.40q: another's value: %.200s", e.kind.tool, e.text, line)
	default:
		l.values++
	}
}

var (
	// explained are the failures that a killed pool, a deadline or a full queue explains.
	explained = regexp.MustCompile(`^(IPC error|packet error|pool '|pools could|pools crashed|server busy|call timed out)`)
	// broken are those of calls that have reached a pool.
	broken = regexp.MustCompile(`^(IPC error|packet error)`)
)

func (l *ledger) judgeFailure(e *entry, text string) {
	switch {
	case explained.MatchString(text):
		text, _, _ = strings.Cut(text, "\n")
		l.failures[text]++
		if broken.MatchString(text) {
			l.hits++
		}
		if e.kind.mid == 0 {
			l.note("%s is pure, and fails: %s", e.kind.tool, text)
		}
	case e.kind.fails && (strings.Contains(text, e.text) || strings.Contains(text, "early")):
		l.failures["as asked for"]++
	default:
		l.note("%s: an unexplained failure: %.200s", e.kind.tool, text)
	}
}

// fault notes what must not happen.
func (l *ledger) fault(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.note(format, args...)
}

func (l *ledger) note(format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// lost returns the requests that were neither answered nor cancelled.
func (l *ledger) lost() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lost []string
	for id, e := range l.entries {
		if e.state == waiting {
			lost = append(lost, fmt.Sprintf("%d: %s of %.40q", id, e.kind.tool, e.text))
		}
	}
	return lost
}

// String returns the totals, for people to read.
func (l *ledger) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	failed := 0
	var lines []string
	for _, text := range slices.Sorted(maps.Keys(l.failures)) {
		failed += l.failures[text]
		lines = append(lines, fmt.Sprintf("\n    %6d %s", l.failures[text], text))
	}
	return fmt.Sprintf("%d calls: %d values, %d cancelled (%d answered all the same), %d notices, %d failed%s",
		l.calls, l.values, l.cancels, l.late, l.notices, failed, strings.Join(lines, ""))
}
