package httpx

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
)

// A digest is the SHA-256 of a token: digests are compared, so that neither the length nor
// a prefix of a token shows in the time it takes.
type digest [sha256.Size]byte

// tokens are the bearer tokens that open the server. The zero value lets everybody in.
type tokens struct {
	file string // "" if there is none
	list atomic.Pointer[[]digest]
}

// set makes text the tokens, one a line.
func (t *tokens) set(text string) error {
	var list []digest
	for line := range strings.Lines(text) {
		token := strings.TrimSpace(line)
		if token == "" {
			continue
		}
		if !validToken(token) {
			return errors.New("want a token a line, of visible characters without spaces")
		}
		list = append(list, sha256.Sum256([]byte(token)))
	}
	if len(list) == 0 {
		return errors.New("holds no token")
	}
	t.list.Store(&list)
	return nil
}

// reload reads the file again. If it cannot be used, the tokens stay as they are.
func (t *tokens) reload() error {
	if t.file == "" {
		return nil
	}
	text, err := os.ReadFile(t.file)
	if err == nil {
		err = t.set(string(text))
	}
	if err != nil {
		return flagError("auth-token-file", err)
	}
	return nil
}

// validToken reports whether a header can carry a token.
func validToken(token string) bool {
	for _, c := range []byte(token) {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return token != ""
}

// admit reports whether a request carries one of the tokens, if there are any.
func (t *tokens) admit(r *http.Request) bool {
	list := t.list.Load()
	if list == nil {
		return true
	}
	values := r.Header["Authorization"]
	if len(values) != 1 {
		return false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	given := digest(sha256.Sum256([]byte(strings.Trim(token, " \t"))))
	match := 0
	for i := range *list { // all of them, whichever it is
		match |= subtle.ConstantTimeCompare(given[:], (*list)[i][:])
	}
	return match == 1
}

// flagError says what is wrong with the file of a flag, without its path.
func flagError(name string, err error) error {
	return errors.New("--" + name + ": " + rootCause(err).Error())
}
