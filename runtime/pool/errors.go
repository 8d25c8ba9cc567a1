package pool

import (
	"errors"
	"strings"
	"time"
)

// An Error says why an exchange failed, apart from failures that the pool itself reports.
type Error struct {
	// Text is fit for any caller.
	Text string
	// Detail continues Text with paths and lines of output, for local callers only.
	Detail string
}

// Error returns the whole text.
func (e *Error) Error() string { return e.Text + e.Detail }

// Brief returns the text of an error of this package without what should not leave the
// machine: folders, the environment, lines of output (design decision 9). What a pool
// itself reports is returned whole.
func Brief(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Text
	}
	return err.Error()
}

// Errors of exchanges: the texts of pool-protocol 2 and design decision 35.
var (
	errStopping = &Error{Text: "server is shutting down"}
	errUnknown  = &Error{Text: "no such pool"}
	errCanceled = &Error{Text: "call cancelled"}

	errClosed  = &Error{Text: "IPC error: Connection closed by peer"}
	errEarly   = &Error{Text: "IPC error: Connection closed early"}
	errReceive = &Error{Text: "IPC error: Recv error"}
)

// errBusy is about calls that wait, too many or too much.
func errBusy(what string) error { return &Error{Text: "server busy: " + what} }

func errTimeout(limit time.Duration) error {
	return &Error{Text: "call timed out after " + limit.String()}
}

func errConnect(path string) error {
	return &Error{"IPC error: Failed to connect to pipe", " '" + path + "'"}
}

func errSend(path string) error {
	return &Error{"IPC error: Failed to send data", " to '" + path + "'"}
}

// errFile is about a file that a reply points to.
func errFile(path string, err error) error {
	var cause error = err
	for inner := errors.Unwrap(cause); inner != nil; inner = errors.Unwrap(cause) {
		cause = inner // without the path that os adds in front
	}
	text := cause.Error()
	if _, known, ok := strings.Cut(text, " error: "); !ok || known == "" {
		text = "IO error: " + text
	}
	return &Error{text, " (" + path + ")"}
}

// startError is about a pool that could not be started.
func startError(lang, fault, detail string) error {
	return &Error{"pool '" + lang + "' could not be started: " + fault, detail}
}
