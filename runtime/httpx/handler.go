package httpx

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A handler answers the requests of a server.
type handler struct {
	endpoint  *mcp.Endpoint
	tokens    tokens
	sessions  sessions
	loopback  bool // the server is bound to loopback
	hosts     []string
	origins   []string
	anyOrigin bool
	log       limiter
	ready     func() bool // whether calls could be served
	stopping  atomic.Bool

	free    sync.Pool // of *exchange
	waiting crowd
	bodies  budget
}

// endpointPath is where MCP is served.
const endpointPath = "/mcp"

// ServeHTTP implements [http.Handler]: the table of http.md 11.4, row by row, as far as the
// headers alone decide.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header()["Cache-Control"] = noStore
	if !h.allowsHost(r) {
		h.forbid(w, r, "host not allowed")
		return
	}
	origin, ok := h.allowsOrigin(r)
	if !ok {
		h.forbid(w, r, "origin not allowed")
		return
	}
	if origin != "" {
		allowPage(w.Header(), origin)
	}
	path := r.URL.Path
	switch {
	case r.Method == http.MethodOptions:
		preflight(w, origin)
	case (r.Method == http.MethodGet || r.Method == http.MethodHead) && isHealth(path):
		h.health(w, path)
	case strings.HasPrefix(path, "/.well-known/"):
		writeError(w, http.StatusNotFound, textNotFound)
	case !h.tokens.admit(r):
		h.log.refused(textUnauthorized)
		w.Header()["Www-Authenticate"] = bearer
		writeError(w, http.StatusUnauthorized, textUnauthorized)
	case path != endpointPath && path != endpointPath+"/":
		writeError(w, http.StatusNotFound, textNotFound)
	case r.Method == http.MethodPost:
		h.post(w, r)
	case r.Method == http.MethodDelete && mcp.ParseRevision(version(r)) != mcp.Revision20260728:
		h.delete(w, r)
	default:
		w.Header()["Allow"] = allowMethods
		writeError(w, http.StatusMethodNotAllowed, textMethod)
	}
}

// forbid answers rows 1 and 2.
func (h *handler) forbid(w http.ResponseWriter, r *http.Request, text string) {
	h.log.refused(text)
	revision := mcp.ParseRevision(version(r))
	if s, ok := h.sessions.peek(sessionID(r)); ok {
		revision = s.Revision
	}
	writeJSON(w, http.StatusForbidden, mcp.ErrorWithoutID(revision, rpc.CodeInvalid, text))
}

func isHealth(path string) bool {
	return path == "/health" || path == "/livez" || path == "/readyz"
}

// health answers row 4.
func (h *handler) health(w http.ResponseWriter, path string) {
	if path == "/readyz" && (h.stopping.Load() || !h.ready()) {
		writeJSON(w, http.StatusServiceUnavailable, bodyUnavailable)
		return
	}
	writeJSON(w, http.StatusOK, bodyOK)
}

// delete answers row 8.
func (h *handler) delete(w http.ResponseWriter, r *http.Request) {
	id, given := r.Header["Mcp-Session-Id"]
	switch {
	case !given:
		writeError(w, http.StatusBadRequest, textNoSession)
	case !h.sessions.end(strings.Join(id, ", ")):
		writeError(w, http.StatusNotFound, textDeadSession)
	default:
		writeJSON(w, http.StatusOK, bodyEnded)
	}
}

// version returns the revision that the headers of a request name, if any.
func version(r *http.Request) string { return strings.Join(r.Header["Mcp-Protocol-Version"], ", ") }

// sessionID returns the session that a request names, if any.
func sessionID(r *http.Request) string { return strings.Join(r.Header["Mcp-Session-Id"], ", ") }
