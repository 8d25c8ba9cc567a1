package httpx

import (
	"io"
	"runtime"
	"strings"
	"testing"

	rt "github.com/mcpgen/mcpgen/runtime"
)

func modernStatus(n int) [5]int { return [5]int{4: n} }

// TestMatrixHTTP holds Streamable HTTP against the matrix.
func TestMatrixHTTP(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	for _, r := range matrix {
		for column, want := range r.cells {
			if want == "-" {
				continue
			}
			t.Run(r.name+"/"+columns[column], func(t *testing.T) {
				t.Parallel()
				s := *s
				s.t = t
				a := s.do(s.inColumn(r.message, column))
				check(t, a.body, want, column)
				status := r.status[column]
				if status == 0 {
					status = 200
					if want == "none" {
						status = 202
					}
				}
				if a.status != status {
					t.Errorf("status %d, want %d", a.status, status)
				}
				if column == modernColumn && a.header.Get("Mcp-Session-Id") != "" {
					t.Error("a session")
				}
			})
		}
	}
}

// inColumn makes a message a request of a revision, in a session if there are such things.
func (s *server) inColumn(message string, column int) request {
	s.t.Helper()
	message = inColumn(message, column)
	if column != modernColumn {
		return post(message, s.session(columns[column]), "MCP-Protocol-Version: "+columns[column])
	}
	r := post(message, modernH)
	if _, after, ok := strings.Cut(message, `"method":"`); ok {
		method, _, _ := strings.Cut(after, `"`)
		r.header = append(r.header, "Mcp-Method: "+method)
	}
	if _, after, ok := strings.Cut(message, `"name":"`); ok {
		name, _, _ := strings.Cut(after, `"`)
		r.header = append(r.header, "Mcp-Name: "+name)
	}
	return r
}

// TestMatrixTransports are the rows that are about a transport rather than a message, or
// take more than one message.
func TestMatrixTransports(t *testing.T) {
	t.Parallel()
	s := serve(t, newDemo())
	paged, err := openWith(newDemo().program(), rt.ServiceOptions{PageBytes: 1}, "--http-port", "0")
	if err != nil {
		t.Fatal(err)
	}
	p := serveOpened(t, paged)
	for column, revision := range columns {
		modern := column == modernColumn
		// status makes a request of the revision and returns the status.
		status := func(s *server, message string, header ...string) int {
			r := s.inColumn(message, column)
			r.header = append(r.header, header...)
			return s.do(r).status
		}
		pick := func(legacy, later int) int {
			if modern {
				return later
			}
			return legacy
		}
		run := func(name string, f func(t *testing.T, s *server)) {
			t.Run(name+"/"+revision, func(t *testing.T) {
				t.Parallel()
				s := *s
				s.t = t
				f(t, &s)
			})
		}
		want := func(t *testing.T, got, want int) {
			t.Helper()
			if got != want {
				t.Errorf("status %d, want %d", got, want)
			}
		}
		run("cancelled is obeyed on stdio", func(t *testing.T, _ *server) {
			d := newDemo()
			call := inColumn(tool("1", "patient", `{}`), column)
			cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`
			if got := converse(t, column, cancel, d); got != "" {
				t.Error(got)
			}
			d = newDemo()
			if got := converse(t, column, call+"\n"+inColumn(cancel, column), d); got != "" {
				t.Errorf("answered: %s", got)
			}
			d = newDemo()
			if got := converse(t, column, call, d); !strings.Contains(got, "patient") {
				t.Errorf("not cancelled: %s", got)
			}
		})
		run("cancelled is accepted over HTTP", func(t *testing.T, s *server) {
			want(t, status(s, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`), 202)
		})
		run("tools are listed in one order", func(t *testing.T, s *server) {
			r := s.inColumn(list, column)
			if a, b := s.do(r), s.do(r); a.body != b.body {
				t.Errorf("%s\n%s", a.body, b.body)
			}
		})
		run("pagination", func(t *testing.T, _ *server) {
			p := *p
			p.t = t
			next, pages := list, 0
			for ; next != ""; pages++ {
				a := p.do(p.inColumn(next, column))
				if a.status != 200 || strings.Count(a.body, `{"name":"demo__`) != 1 || strings.Contains(a.body, "ttlMs") != modern {
					t.Fatalf("%+v", a)
				}
				_, after, more := strings.Cut(a.body, `"nextCursor":`)
				cursor, _, _ := strings.Cut(after, `"`+",")
				cursor, _, _ = strings.Cut(cursor, "}")
				next = ""
				if more {
					next = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"` + strings.Trim(cursor, `"`) + `"}}`
				}
			}
			if pages != 3 {
				t.Errorf("%d pages", pages)
			}
			a := p.do(p.inColumn(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}}`, column))
			if a.status != 200 || !strings.Contains(a.body, `-32602,"message":"unknown cursor"`) {
				t.Errorf("%+v", a)
			}
		})
		run("GET is refused", func(t *testing.T, s *server) {
			want(t, s.do(request{method: "GET", header: []string{"MCP-Protocol-Version: " + revision, "Accept: text/event-stream"}}).status, 405)
		})
		run("DELETE", func(t *testing.T, s *server) {
			r := request{method: "DELETE", header: []string{s.session("2025-06-18"), "MCP-Protocol-Version: " + revision}}
			want(t, s.do(r).status, pick(200, 405))
		})
		run("session", func(t *testing.T, s *server) {
			r := s.inColumn(list, column)
			if !modern {
				r.header = r.header[1:] // its session
			}
			want(t, s.do(r).status, pick(400, 200))
			r.header = append(r.header, "Mcp-Session-Id: dead")
			want(t, s.do(r).status, pick(404, 200))
		})
		run("version header is bad", func(t *testing.T, s *server) {
			r := s.inColumn(list, column)
			for i := range r.header {
				if strings.HasPrefix(r.header[i], "MCP-Protocol-Version") {
					r.header[i] = "MCP-Protocol-Version: 1.0"
				}
			}
			want(t, s.do(r).status, 400)
		})
		run("version header is missing", func(t *testing.T, s *server) {
			r := s.inColumn(list, column)
			for i := range r.header {
				if strings.HasPrefix(r.header[i], "MCP-Protocol-Version") {
					r.header[i] = "X: y"
				}
			}
			want(t, s.do(r).status, pick(200, 400))
		})
		run("Mcp-Method and Mcp-Name are checked", func(t *testing.T, s *server) {
			r := s.inColumn(tool("1", "echo", `{"_1":""}`), column)
			other := r
			other.header = append([]string{"Mcp-Name: other"}, r.header...)
			if !modern {
				want(t, s.do(other).status, 200) // nobody looks
				return
			}
			for i, line := range r.header {
				if strings.HasPrefix(line, "Mcp-") {
					other.header = append([]string{line + "x"}, append(r.header[:i:i], r.header[i+1:]...)...)
					a := s.do(other)
					want(t, a.status, 400)
					if !strings.Contains(a.body, `-32020`) || !strings.Contains(a.body, `"id":1`) {
						t.Error(a.body)
					}
					other.header = other.header[1:]
					want(t, s.do(other).status, 400)
				}
			}
		})
		run("Last-Event-ID is ignored", func(t *testing.T, s *server) {
			want(t, status(s, list, "Last-Event-ID: 7"), 200)
		})
		run("notification is accepted", func(t *testing.T, s *server) {
			want(t, status(s, `{"jsonrpc":"2.0","method":"notifications/x"}`), 202)
		})
		run("response of a client", func(t *testing.T, s *server) {
			r := s.inColumn(list, column)
			r.body = `{"jsonrpc":"2.0","id":1,"result":{}}`
			want(t, s.do(r).status, pick(202, 400))
		})
		run("invalid Origin", func(t *testing.T, s *server) {
			want(t, status(s, list, "Origin: http://evil.example"), 403)
		})
		run("authorization", func(t *testing.T, _ *server) {
			s := serve(t, newDemo(), "--auth-token", "s3cret")
			r := post(inColumn(list, column), "MCP-Protocol-Version: "+revision)
			a := s.do(r)
			want(t, a.status, 401)
			if a.header.Get("Www-Authenticate") != "Bearer" {
				t.Errorf("%v", a.header)
			}
		})
		run("client leaves during a call", func(t *testing.T, _ *server) {
			d := newDemo()
			s := serve(t, d)
			c := s.dial()
			_, _ = io.WriteString(c, s.inColumn(tool("1", "wait", `{}`), column).text(s.addr))
			call := <-d.calls
			_ = c.Close()
			for modern && !call.Canceled() {
				runtime.Gosched()
			}
			if !modern && call.Canceled() {
				t.Error("cancelled")
			}
			call.Value([]byte("1"))
		})
	}
}
