package httpx

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// sealed are sessions that live in their ids: any server with the same key takes part in
// them (design decision 18). An id is, in base64,
//
//	the form of the id (1)   revision (1)   seconds since 1970 (8)   random (8)   MAC (32)
//
// Nothing can be remembered of such a session but that it was ended, and that only here.
type sealed struct {
	key      []byte
	lifetime time.Duration

	mu    sync.Mutex
	ended map[string]time.Time // ids, and when they would have expired
}

const (
	sealForm   = 1
	sealedBody = 1 + 1 + 8 + 8
	sealedSize = sealedBody + sha256.Size

	minKey    = 16              // bytes of a key file, white space around them not counted
	clockSkew = 5 * time.Minute // by which the clocks of two servers may differ
	maxEnded  = 10000
)

// newSealed returns the sessions of a program's servers that hold the same key file.
func newSealed(file, program string, lifetime time.Duration) (*sealed, error) {
	secret, err := os.ReadFile(file)
	if err != nil {
		return nil, flagError("session-key", err)
	}
	if secret = bytes.TrimSpace(secret); len(secret) < minKey {
		return nil, flagError("session-key", errors.New("want at least 16 bytes in the file"))
	}
	// Ids of one program are worth nothing to another one that has the same key file.
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("mcpgen session " + program))
	return &sealed{key: mac.Sum(nil), lifetime: lifetime, ended: map[string]time.Time{}}, nil
}

func (s *sealed) mac(body []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(body)
	return mac.Sum(nil)
}

// mint implements [sessions].
func (s *sealed) mint(state mcp.Session) string {
	id := make([]byte, 2, sealedSize)
	id[0], id[1] = sealForm, byte(state.Revision)
	id = binary.BigEndian.AppendUint64(id, uint64(time.Now().Unix()))
	id = id[:sealedBody]
	_, _ = rand.Read(id[10:]) // never fails
	return base64.RawURLEncoding.EncodeToString(append(id, s.mac(id)...))
}

// open returns what an id holds, if it is ours and has not expired.
func (s *sealed) open(id string) (state mcp.Session, expires time.Time, ok bool) {
	if len(id) != base64.RawURLEncoding.EncodedLen(sealedSize) {
		return state, expires, false
	}
	text, err := base64.RawURLEncoding.Strict().DecodeString(id)
	if err != nil || len(text) != sealedSize || text[0] != sealForm || !hmac.Equal(text[sealedBody:], s.mac(text[:sealedBody])) {
		return state, expires, false
	}
	issued := time.Unix(int64(binary.BigEndian.Uint64(text[2:])), 0)
	expires = issued.Add(s.lifetime)
	if now := time.Now(); !now.Before(expires) || issued.After(now.Add(clockSkew)) {
		return state, expires, false
	}
	// That the client has said it is initialized is taken as given.
	return mcp.Session{Revision: mcp.Revision(text[1]), Ready: true}, expires, true
}

// peek implements [sessions].
func (s *sealed) peek(id string) (mcp.Session, bool) {
	state, _, ok := s.open(id)
	if !ok {
		return mcp.Session{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, over := s.ended[id]; over {
		return mcp.Session{}, false
	}
	return state, true
}

// enter implements [sessions].
func (s *sealed) enter(id string) (mcp.Session, bool) { return s.peek(id) }

// leave implements [sessions].
func (s *sealed) leave(string, mcp.Session) {}

// end implements [sessions].
func (s *sealed) end(id string) bool {
	_, expires, ok := s.open(id)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, over := s.ended[id]; over {
		return false
	}
	if len(s.ended) >= maxEnded {
		s.forgetFirst()
	}
	s.ended[id] = expires
	return true
}

// forgetFirst forgets the session that would expire first.
func (s *sealed) forgetFirst() {
	var first string
	for id, expires := range s.ended {
		if first == "" || expires.Before(s.ended[first]) {
			first = id
		}
	}
	delete(s.ended, first)
}

// sweep implements [sessions].
func (s *sealed) sweep() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, expires := range s.ended {
		if !time.Now().Before(expires) {
			delete(s.ended, id)
		}
	}
}
