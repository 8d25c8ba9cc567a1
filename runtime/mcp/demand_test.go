package mcp

import (
	"strings"
	"testing"
)

// picky has a tool that demands something of the request.
type picky struct{ demand func(c *Call) error }

func (p *picky) Call(c *Call, name []byte) error {
	if err := p.demand(c); err != nil {
		return err
	}
	return c.Reply(append(c.Buffer(), '1'))
}

// TestDemands asks a tool by itself, as HTTP does.
func TestDemands(t *testing.T) {
	t.Parallel()
	const served = `"text":"1"`
	sampling := func(c *Call) error { return c.Needs("sampling") }
	region := func(text []byte) func(c *Call) error {
		return func(c *Call) error { return c.Mirrored("Region", text) }
	}
	hello := region([]byte("Hello"))
	able := strings.Replace(modernCall("1", "t"), `clientCapabilities":{`, `clientCapabilities":{"roots":{"a":1},"sampling":{}`, 1)
	params := func(values ...string) map[string][]string {
		return map[string][]string{"Accept": nil, "Mcp-Param-Region": values}
	}
	const lacking = `"id":1,"error":{"code":-32021,"message":"Missing client capability sampling","data":{"requiredCapabilities":{"sampling":{}}}}}`
	const missing = `"code":-32020,"message":"Header mismatch: Mcp-Param-Region is missing"`
	const different = `"code":-32020,"message":"Header mismatch: Mcp-Param-Region is not the argument"`
	for _, tt := range []struct {
		name    string
		demand  func(c *Call) error
		message string
		params  map[string][]string
		outcome Outcome
		want    string
	}{
		{"capability declared", sampling, able, nil, Served, served},
		{"capability lacking", sampling, modernCall("1", "t"), nil, Refused, lacking},
		{"header", hello, able, params("Hello"), Served, served},
		{"header in base64", hello, able, params("=?base64?SGVsbG8=?="), Served, served},
		{"header in bad base64", hello, able, params("=?base64?SGVsbG8?="), Refused, different},
		{"header missing", hello, able, nil, Refused, missing},
		{"header twice", hello, able, params("Hello", "Hello"), Refused, different},
		{"empty argument, empty header", region([]byte{}), able, params(""), Served, served},
		{"empty argument, no header", region([]byte{}), able, nil, Refused, missing},
		{"no argument", region(nil), able, nil, Served, served},
		{"no argument, but a header", region(nil), able, params("Hello"), Refused, different},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := &Server{Name: "p", Info: "{}", Tools: "[]", New: func() Tools { return &picky{tt.demand} }}
			c := NewConn(s, NewWriter(new(lines)))
			c.Begin(Session{}, 0, nil)
			if kind := c.Read([]byte(tt.message)); kind != Request {
				t.Fatalf("kind %v", kind)
			}
			h := &Headers{Method: []string{"tools/call"}, Name: []string{"t"}, Params: tt.params}
			if outcome := c.ServeModern(h); outcome != tt.outcome {
				t.Errorf("outcome %v, want %v", outcome, tt.outcome)
			}
			if got := string(c.Reply()); !strings.Contains(got, tt.want) {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	// A handshake's client and one on a stream have no headers to mirror anything.
	var out lines
	s := &Server{Name: "p", Info: "{}", Tools: "[]", New: func() Tools {
		return &picky{func(c *Call) error {
			if err := c.Needs("sampling"); err != nil {
				return err
			}
			return c.Mirrored("Region", []byte("x"))
		}}
	}}
	c := NewConn(s, NewWriter(&out))
	handshake(c, "2025-11-25")
	c.Handle([]byte(call("1", "t")))
	c.Handle([]byte(able))
	if got := out.take(c); strings.Count(got, served) != 2 {
		t.Errorf("without headers: %s", got)
	}
}
