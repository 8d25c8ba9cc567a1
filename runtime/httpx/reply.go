package httpx

import (
	"bytes"
	"net/http"
	"strconv"
)

// Texts of JSON bodies that are no JSON-RPC.
const (
	bodyOK          = `{"status":"ok"}`
	bodyUnavailable = `{"status":"unavailable"}`
	bodyEnded       = `{"ok":true}`

	textUnauthorized  = "unauthorized"
	textNotFound      = "not found"
	textMethod        = "method not allowed"
	textMedia         = "content type must be application/json"
	textNotAcceptable = "not acceptable"
	textNoSession     = "missing Mcp-Session-Id header"
	textDeadSession   = "unknown or expired session; re-initialize"
)

// bufferedBody is how much of a body net/http keeps to find out its length.
const bufferedBody = 2048

// writeJSON sends a body that is JSON text.
func writeJSON[T string | []byte](w http.ResponseWriter, status int, body T) {
	header := w.Header()
	header["Content-Type"] = jsonType
	if len(body) >= bufferedBody {
		header["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body)) // a client that has left is nobody's concern
}

// writeError sends an error that is no JSON-RPC. Its text needs no escapes.
func writeError(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, `{"error":"`+text+`"}`)
}

// A reply is on its way to a client, as JSON or as a stream of events.
type reply struct {
	w         http.ResponseWriter
	only      bool // a stream is the only form that the client admits
	streaming bool
	buf       []byte
}

// stream sends messages, a line each, as events; the reply is a stream from then on.
func (r *reply) stream(lines []byte) {
	if len(lines) == 0 {
		return
	}
	if !r.streaming {
		r.streaming = true
		header := r.w.Header()
		header["Content-Type"] = streamType
		header["X-Accel-Buffering"] = unbuffered
		r.w.WriteHeader(http.StatusOK)
	}
	r.buf = r.buf[:0]
	for line := range bytes.Lines(lines) {
		r.buf = append(r.buf, "event: message\ndata: "...)
		r.buf = append(r.buf, bytes.TrimSuffix(line, []byte("\n"))...)
		r.buf = append(r.buf, "\n\n"...)
	}
	_, _ = r.w.Write(r.buf)
	if f, ok := r.w.(http.Flusher); ok {
		f.Flush()
	}
}

// end sends the last message, or none: then a reply that is no stream says only that the
// request was accepted.
func (r *reply) end(status int, message []byte) {
	switch {
	case r.streaming || r.only && status == http.StatusOK && len(message) > 0:
		r.stream(message)
	case len(message) == 0:
		r.w.WriteHeader(http.StatusAccepted)
	default:
		writeJSON(r.w, status, message)
	}
}
