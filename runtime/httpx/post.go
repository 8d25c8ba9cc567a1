package httpx

import (
	"net/http"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// post answers a POST to the endpoint: rows 9 to 21 of http.md 11.4.
func (h *handler) post(w http.ResponseWriter, r *http.Request) {
	if !isJSON(r) {
		writeError(w, http.StatusUnsupportedMediaType, textMedia)
		return
	}
	forms := admitted(r)
	if forms == 0 {
		writeError(w, http.StatusNotAcceptable, textNotAcceptable)
		return
	}
	x := h.get()
	h.exchange(x, w, r, forms)
	h.put(x) // not after a panic: who knows what it still waits for
}

// exchange reads the message of a POST and answers it.
func (h *handler) exchange(x *exchange, w http.ResponseWriter, r *http.Request, forms form) {
	defer x.release(&h.bodies)
	// A body that cannot be read is still answered in the form of the client's revision.
	session, live := h.sessions.peek(sessionID(r))
	var notices mcp.Notices
	if forms&inStream != 0 {
		notices = &x.mail
	}
	x.conn.Begin(session, mcp.ParseRevision(version(r)), notices)
	x.conn.SetClient(client(r, live))
	switch err := h.readBody(x, w, r); err {
	case errTooLarge:
		refuseBody(w, http.StatusRequestEntityTooLarge, err)
		return
	case errTooSlow:
		refuseBody(w, http.StatusRequestTimeout, err)
		return
	case errNoRoom:
		refuseBody(w, http.StatusServiceUnavailable, err)
		return
	case nil:
	default: // cut short, or its chunks are malformed
		w.Header()["Connection"] = closing
		x.body = x.body[:0]
	}
	x.headers = mcp.Headers{
		Version: r.Header["Mcp-Protocol-Version"],
		Method:  r.Header["Mcp-Method"],
		Name:    r.Header["Mcp-Name"],
		Params:  r.Header,
	}
	out := reply{w: w, only: forms == inStream}
	h.message(x, r, &out, live)
}

// client tells whose request it is: its session's, or that of the machine it comes from.
func client(r *http.Request, live bool) string {
	if live {
		return sessionID(r)
	}
	if i := strings.LastIndexByte(r.RemoteAddr, ':'); i >= 0 {
		return r.RemoteAddr[:i] // one with many connections is still one
	}
	return r.RemoteAddr
}

// refuseBody answers a body that was not read to its end: the connection is of no more use.
func refuseBody(w http.ResponseWriter, status int, err error) {
	w.Header()["Connection"] = closing
	writeError(w, status, err.Error())
}

// message answers the message in x.body: rows 12 to 21. Live says that the session which the
// request names is.
func (h *handler) message(x *exchange, r *http.Request, out *reply, live bool) {
	c := x.conn
	kind := c.Read(x.body)
	if kind == mcp.Malformed {
		out.end(http.StatusBadRequest, c.Reply())
		return
	}
	modern := false
	if kind != mcp.Batch {
		var outcome mcp.Outcome
		if modern, outcome = c.Judge(kind, &x.headers); outcome == mcp.Refused {
			out.end(http.StatusBadRequest, c.Reply())
			return
		}
	}
	switch {
	case modern && kind == mcp.Notification:
		out.end(http.StatusAccepted, nil)
	case modern:
		h.modern(x, r, out)
	case kind == mcp.Notification && c.Is("initialize"):
		c.RefuseHandshake()
		out.end(http.StatusBadRequest, c.Reply())
	case kind == mcp.Request && c.Is("initialize"):
		h.initialize(x, out)
	default:
		h.inSession(x, r, out, kind, live)
	}
}

// modern answers a request of 2026-07-28. If its client leaves, its call is given up.
func (h *handler) modern(x *exchange, r *http.Request, out *reply) {
	status := http.StatusOK
	switch x.conn.ServeModern(&x.headers) {
	case mcp.Refused:
		status = http.StatusBadRequest
	case mcp.NoMethod:
		status = http.StatusNotFound
	}
	h.wait(r.Context(), x, out, true)
	h.finish(x, out, status)
}

// initialize answers a handshake, which begins a session whatever session it names.
func (h *handler) initialize(x *exchange, out *reply) {
	x.conn.Serve(mcp.Request, x.body)
	id := h.sessions.mint(mcp.Session{Revision: x.conn.Session().Revision})
	out.w.Header()["Mcp-Session-Id"] = []string{id}
	out.end(http.StatusOK, x.conn.Reply())
}

// inSession answers a message of a session.
func (h *handler) inSession(x *exchange, r *http.Request, out *reply, kind mcp.Kind, live bool) {
	if _, given := r.Header["Mcp-Session-Id"]; !given {
		writeError(out.w, http.StatusBadRequest, textNoSession)
		return
	}
	x.id = sessionID(r)
	if live {
		_, live = h.sessions.enter(x.id)
	}
	if !live {
		writeError(out.w, http.StatusNotFound, textDeadSession)
		return
	}
	c := x.conn
	defer func() { h.sessions.leave(x.id, c.Session()) }()
	if kind == mcp.Notification {
		h.waiting.cancel(x.id, c.Cancelled())
	}
	c.Serve(kind, x.body)
	h.wait(r.Context(), x, out, false)
	h.finish(x, out, http.StatusOK)
}

// finish sends the reply to a message whose calls are all answered or given up. To one that was
// given up there is none.
func (h *handler) finish(x *exchange, out *reply, status int) {
	out.stream(x.mail.takeNotices(nil))
	message := x.conn.Reply()
	if len(message) == 0 {
		message = x.mail.reply()
	}
	out.end(status, message)
}
