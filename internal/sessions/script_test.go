package sessions

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A step is a line of a client and our answers to it, none as a rule if it is a notification.
type step struct {
	send    string
	answers []string
}

// A script is a recorded session.
type script struct {
	steps  []step
	atOnce bool     // all lines are sent before the first answer is read
	status int      // exit status
	stderr []string // lines on stderr, in this order; ours have a prefix
}

var exitStatus = regexp.MustCompile(`^(?:end of input: )?exit (\d+)`)

// parseScript reads a transcript of testdata/golden.
func parseScript(t *testing.T, text string) *script {
	t.Helper()
	c := &script{status: -1}
	afterAnswer := false // whether the line before was one of the server
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		kind, rest, _ := strings.Cut(line, " ")
		switch kind {
		case "-->":
			c.steps = append(c.steps, step{send: rest})
		case "<--":
			if c.atOnce {
				c.steps = append(c.steps, step{})
			}
			last := c.last(t, line)
			last.answers = append(last.answers, rest)
		case "#":
			c.remark(t, rest, afterAnswer)
		case "":
		default:
			t.Fatalf("unknown line %q", line)
		}
		afterAnswer = kind == "<--"
	}
	return c
}

func (c *script) last(t *testing.T, line string) *step {
	t.Helper()
	if len(c.steps) == 0 {
		t.Fatalf("nothing was sent before %q", line)
	}
	return &c.steps[len(c.steps)-1]
}

// remark takes in a remark. Those that only explain are passed over.
func (c *script) remark(t *testing.T, text string, afterAnswer bool) {
	t.Helper()
	if status := exitStatus.FindStringSubmatch(text); status != nil {
		c.status, _ = strconv.Atoi(status[1])
		return
	}
	if text == "end of input here" {
		c.atOnce = true
		return
	}
	if line, ok := strings.CutPrefix(text, "stderr: "); ok {
		c.stderr = append(c.stderr, line)
		return
	}
	if ours, ok := strings.CutPrefix(text, "mcpgen: "); ok {
		last := c.last(t, text)
		if !afterAnswer { // upstream answers nothing
			last.answers = append(last.answers, "")
		}
		n := len(last.answers) - 1
		last.answers[n] = ours
		if ours == "(nothing)" {
			last.answers = last.answers[:n]
		}
	}
}

// play has the recorded session with a server. A line is sent when the one before has been
// answered.
func (c *script) play(s *session) {
	s.t.Helper()
	if c.atOnce {
		c.playAtOnce(s)
	} else {
		c.converse(s)
		if err := s.in.Close(); err != nil {
			s.t.Error(err)
		}
	}
	s.wait(c.status)
	c.checkStderr(s)
}

func (c *script) converse(s *session) {
	s.t.Helper()
	for _, step := range c.steps {
		s.send(step.send)
		for _, want := range step.answers {
			if got := s.receive(); got != want {
				s.t.Errorf("%.1000s\n got %.2000s\nwant %.2000s", step.send, got, want)
			}
		}
	}
}

// playAtOnce sends everything, ends the input and reads the answers, which may come in any
// order.
func (c *script) playAtOnce(s *session) {
	s.t.Helper()
	var want, got []string
	for _, step := range c.steps {
		if step.send != "" {
			s.send(step.send)
		}
		want = append(want, step.answers...)
	}
	if err := s.in.Close(); err != nil {
		s.t.Error(err)
	}
	for range want {
		got = append(got, s.receive())
	}
	slices.Sort(want)
	slices.Sort(got)
	for i := range want {
		if got[i] != want[i] {
			s.t.Errorf("sorted answers\n got %s\nwant %s", strings.Join(got, "\n     "), strings.Join(want, "\n     "))
			return
		}
	}
}

// checkStderr looks for the recorded lines, which our server gives a prefix, among those on
// stderr.
func (c *script) checkStderr(s *session) {
	s.t.Helper()
	lines := strings.Split(s.stderr.String(), "\n")
	for _, want := range c.stderr {
		i := slices.IndexFunc(lines, func(line string) bool { return strings.HasSuffix(line, ": "+want) })
		if i < 0 {
			s.t.Errorf("stderr has no line %q in its place:\n%s", want, s.stderr.String())
			return
		}
		lines = lines[i+1:]
	}
}
