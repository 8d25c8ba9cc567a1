package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
)

// FuzzReadLines holds the reader of lines against a split of the whole.
func FuzzReadLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\nc"))
	f.Add(bytes.Repeat([]byte("x"), 5000))
	f.Fuzz(func(t *testing.T, text []byte) {
		text = bytes.Repeat(text, 1+len(text)%40) // beyond the reader's buffer, now and then
		var got []string
		readLines(iotest.HalfReader(bytes.NewReader(text)), func(line []byte) { got = append(got, string(line)) }, func() { t.Error("a line is too long") })
		want := strings.SplitAfter(string(text), "\n")
		if want[len(want)-1] == "" {
			want = want[:len(want)-1]
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q has the lines %q", text, got)
		}
	})
}

// FuzzReadEvents holds the reader of event streams against the rules of the HTML standard,
// applied to the whole: all of them, but that events of nothing but white space are dropped.
func FuzzReadEvents(f *testing.F) {
	for _, seed := range []string{
		"event: x\r\ndata: a\n\ndata: b\r\r", "data: a\ndata:b\ndata\ndata:  c\n\n", ":\n: x\nid: 1\nretry: 5\ndata: {}\n\n", "data: a\n\r\n\r\ndata: b\n\n",
		"\ufeffdata: a\n\n", "data: \ufeff\n\nevent: y\n\ndata: z\n\n", "data:\n\ndata: x", "event\ndata: x\n\n", "\x00data: x\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got []event
		if err := readEvents(iotest.OneByteReader(bytes.NewReader(text)), func(e event) bool { got = append(got, e); return true }); err != nil {
			t.Fatal(err)
		}
		if want := eventsOf(string(text)); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Fatalf("%q has the events %q, want %q", text, got, want)
		}
	})
}

// eventsOf parses a stream line by line.
func eventsOf(text string) (events []event) {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(text, "\n")
	kind, data := "", ""
	for _, line := range lines[:len(lines)-1] {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "":
			if data = strings.TrimSuffix(data, "\n"); strings.TrimSpace(data) != "" {
				events = append(events, event{kind, []byte(data)})
			}
			kind, data = "", ""
		case name == "data":
			data += value + "\n"
		case name == "event":
			kind = value
		}
	}
	return events
}

// sent is a link that keeps what is sent.
type sent struct{ texts [][]byte }

func (s *sent) send(_ context.Context, m outgoing) error {
	s.texts = append(s.texts, m.text)
	return nil
}
func (s *sent) ended() <-chan struct{} { return nil }
func (s *sent) close(context.Context)  {}
func (s *sent) name() string           { return "fake" }

// FuzzReceive takes messages of a server, and holds what is done with them against
// encoding/json: each request is answered once and with its id, nothing else is, and the
// response that somebody waits for arrives.
func FuzzReceive(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{}}`, `[{"method":"x"},[],{"id":"<é>","method":"ping"}]`, "\xff\xfe", `{"id":7,"method":"roots/list"}`, "null",
		`{"id":null,"method":"ping"}`, `{"id":{"a":[1.0]},"method":"ping","result":1}`, `{"id":1,"error":{"code":-32600.5}}`, `{"id":1,"method":""}`,
		`[{"id":1,"error":null,"result":null},{"id":1,"result":2}]`, `{"Method":"ping","id":2}`, `{"method":7,"id":2}`, "[]", `[null,1,"x",{"error":{}}]`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		link := new(sent)
		s := newSession(Config{})
		s.link = link
		waiting := make(chan *message, 1)
		s.pending[1], s.lastID = waiting, 1
		s.receive(text, 0)
		requests, responses := messagesIn(text)
		var answers []any
		for _, answer := range link.texts {
			members, _ := decoded(answer).(map[string]any)
			if members["jsonrpc"] != "2.0" || (members["result"] == nil) == (members["error"] == nil) {
				t.Fatalf("%q is answered by %s", text, answer)
			}
			answers = append(answers, members["id"])
		}
		if !reflect.DeepEqual(answers, requests[:min(len(requests), maxAnswers)]) {
			t.Fatalf("%q: answered are %v, want %v", text, answers, requests)
		}
		if arrived := len(waiting) == 1; arrived != slices.Contains(responses, 1) {
			t.Fatalf("%q: the response has arrived: %v", text, arrived)
		}
		if len(s.Findings()) > maxFindings {
			t.Errorf("%d findings", len(s.Findings()))
		}
	})
}

// messagesIn returns the ids of the requests in a text, and those of the responses that are
// integers.
func messagesIn(text []byte) (requests []any, responses []int) {
	messages := []any{decoded(text)}
	if list, isBatch := messages[0].([]any); isBatch {
		messages = list
	}
	for _, m := range messages {
		members, _ := m.(map[string]any)
		id, method := members["id"], members["method"]
		_, hasMethod := members["method"]
		_, hasResult := members["result"]
		switch name, _ := method.(string); {
		case name != "":
			if id != nil {
				requests = append(requests, id)
			}
		case hasMethod && method != nil:
		case hasMethod: // null is no method, nor is it none
		case hasResult || members["error"] != nil:
			if number, ok := id.(json.Number); ok {
				if n, err := strconv.Atoi(string(number)); err == nil {
					responses = append(responses, n)
				}
			}
		}
	}
	return requests, responses
}

// decoded returns what one JSON text means, nil if it is none.
func decoded(text []byte) any {
	if !json.Valid(text) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	_ = d.Decode(&v)
	return v
}
