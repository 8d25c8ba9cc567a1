package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"
)

// discoverTimeout is how long a server that refused initialize may take to say whether it
// is of the modern era. Servers of both eras answer at once.
const discoverTimeout = 10 * time.Second

// Handshake finds out which revision to speak and introduces the client. Errors are an
// [*Error] of the server, [*Malformed], [ErrEnded], [*StatusError], or of the context.
func (s *Session) Handshake(ctx context.Context) error {
	if s.cfg.Protocol == Modern {
		return s.discover(ctx)
	}
	err := s.initialize(ctx)
	fault, ok := errors.AsType[*Error](err)
	if !ok {
		return s.fallBack(ctx, err)
	}
	if s.cfg.Protocol != "" {
		return err
	}
	asked, cancel := context.WithTimeout(ctx, discoverTimeout)
	defer cancel()
	switch discovered := s.discover(asked); {
	case discovered == nil:
		return nil
	case fault.isModern() && s.choose(fault.supported()):
		return nil
	case asked.Err() != nil || errors.Is(discovered, ErrEnded):
		// The era was asked for and not told; what initialize was answered with stands.
		return err
	}
	return s.fallBack(ctx, err)
}

// fallBack goes on with HTTP+SSE where that may be what the server speaks.
func (s *Session) fallBack(ctx context.Context, err error) error {
	status := 0
	if e, ok := errors.AsType[*StatusError](err); ok {
		status = e.Status
	}
	if e, ok := errors.AsType[*Error](err); ok {
		status = e.Status
	}
	h, isHTTP := s.link.(*streamable)
	if !isHTTP || s.cfg.OneTransport || status != 400 && status != 404 && status != 405 {
		return err
	}
	events, fallen := openEvents(ctx, h)
	if fallen != nil {
		if _, unauthorized := errors.AsType[*AuthError](fallen); unauthorized {
			return fallen
		}
		return err
	}
	s.link = events
	return s.initialize(ctx)
}

// initialize is the handshake of all revisions but the last.
func (s *Session) initialize(ctx context.Context) error {
	version := s.cfg.Protocol
	if version == "" {
		version = LatestLegacy
	}
	result, err := s.call(ctx, "initialize", "", map[string]any{
		"protocolVersion": version,
		"capabilities":    s.cfg.Capabilities,
		"clientInfo":      clientInfo(),
	})
	if err != nil {
		return err
	}
	if err := s.readInitialize(result); err != nil {
		return err
	}
	return s.notify(ctx, "notifications/initialized")
}

func clientInfo() map[string]any {
	return map[string]any{"name": clientName, "version": clientVersion}
}

// A Malformed is a result without what it must have.
type Malformed struct {
	Method string
	Why    string
}

func (m *Malformed) Error() string { return fmt.Sprintf("%s result: %s", m.Method, m.Why) }

func (s *Session) readInitialize(result json.RawMessage) error {
	malformed := func(why string) error { return &Malformed{"initialize", why} }
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) != nil || members == nil {
		return malformed("it is no object")
	}
	var version string
	if json.Unmarshal(members["protocolVersion"], &version) != nil || version == "" {
		return malformed("protocolVersion is missing")
	}
	if !isServerInfo(members["serverInfo"]) {
		return malformed("serverInfo with a name is missing")
	}
	if json.Unmarshal(members["capabilities"], &s.Declared) != nil || s.Declared == nil {
		s.find("capabilities", "the initialize result has no capabilities")
	}
	if !slices.Contains(Revisions, version) || version == Modern {
		s.find("version", "the server answers initialize with the version %q", s.cut(version, 40))
	}
	s.setVersion(version)
	s.IsModern = false // whatever it calls itself, it shook hands
	s.ServerInfo = members["serverInfo"]
	return nil
}

func isServerInfo(raw json.RawMessage) bool {
	var info map[string]json.RawMessage
	var name string
	return json.Unmarshal(raw, &info) == nil && json.Unmarshal(info["name"], &name) == nil && name != ""
}

// discover asks a server of the modern era what it is. The session is modern only if
// there is no error.
func (s *Session) discover(ctx context.Context) error {
	s.setVersion(Modern)
	result, err := s.call(ctx, "server/discover", "", map[string]any{})
	if err == nil {
		err = s.readDiscover(result)
	} else if fault, ok := errors.AsType[*Error](err); ok && s.choose(fault.supported()) {
		err = nil
	}
	if err != nil {
		s.setVersion("")
	}
	return err
}

// choose goes on as modern if the versions hold one that is spoken here.
func (s *Session) choose(versions []string) bool {
	if !slices.Contains(versions, Modern) {
		return false
	}
	s.setVersion(Modern)
	return true
}

func (s *Session) readDiscover(result json.RawMessage) error {
	var members map[string]json.RawMessage
	var versions []string
	if json.Unmarshal(result, &members) != nil || json.Unmarshal(members["supportedVersions"], &versions) != nil {
		return &Malformed{"server/discover", "supportedVersions is missing"}
	}
	if !s.choose(versions) {
		return &Malformed{"server/discover", fmt.Sprintf("supportedVersions %.200s has no version that is known here", s.cut(string(members["supportedVersions"]), 80))}
	}
	if json.Unmarshal(members["capabilities"], &s.Declared) != nil || s.Declared == nil {
		s.find("capabilities", "the server/discover result has no capabilities")
	}
	s.checkComplete("server/discover", members)
	var meta map[string]json.RawMessage
	_ = json.Unmarshal(members["_meta"], &meta)
	if info := meta["io.modelcontextprotocol/serverInfo"]; isServerInfo(info) {
		s.ServerInfo = info
	}
	return nil
}

// checkComplete finds what a list of the modern era must have and has not.
func (s *Session) checkComplete(method string, members map[string]json.RawMessage) {
	var kind string
	if raw, ok := members["resultType"]; ok && (json.Unmarshal(raw, &kind) != nil || kind != "complete") {
		s.find("result-type", "%s has resultType %s, want \"complete\"", method, s.cut(string(raw), 40))
	}
	var ttl float64
	if json.Unmarshal(members["ttlMs"], &ttl) != nil || ttl < 0 {
		s.find("cache", "%s has no ttlMs", method)
	}
	var scope string
	if json.Unmarshal(members["cacheScope"], &scope) != nil || scope != "public" && scope != "private" {
		s.find("cache", "%s has no cacheScope", method)
	}
}

// meta is what every request of the modern era carries.
func (s *Session) meta() map[string]any {
	const prefix = "io.modelcontextprotocol/"
	return map[string]any{
		prefix + "protocolVersion":    s.Version,
		prefix + "clientInfo":         clientInfo(),
		prefix + "clientCapabilities": s.cfg.Capabilities,
	}
}

// fileURI returns a folder as a URI.
func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: path}).String()
}
