package pure

import (
	"errors"
	"strings"
)

// A userError is one that catch intercepts; every other error propagates through it.
type userError struct {
	text  string
	cause error // nil for those that are thrown
}

// Error implements error.
func (e *userError) Error() string { return e.text }

// Unwrap returns the error that was made a user error.
func (e *userError) Unwrap() error { return e.cause }

// Throw returns a user error with a text of the program: NUL bytes become ?, what is not
// UTF-8 is replaced.
func Throw(message string) error { return &userError{text: clean(message)} }

// User makes an error a user error; the text stays, as far as [Throw] would leave it.
// User of nil is nil.
func User(err error) error {
	if err == nil || IsUser(err) {
		return err
	}
	return &userError{text: clean(err.Error()), cause: err}
}

// IsUser reports whether catch intercepts err.
func IsUser(err error) bool {
	_, ok := errors.AsType[*userError](err)
	return ok
}

func clean(message string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(message, "\uFFFD"), "\x00", "?")
}

// MaxFrames is how many calls of functions that call themselves may be under way inside
// each other.
const MaxFrames = 10_000

// ErrTooDeep is the error for a call beyond [MaxFrames]. It is no user error.
var ErrTooDeep = errors.New("recursion too deep")
