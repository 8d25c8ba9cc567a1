package httpx

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

const (
	headerTime = 10 * time.Second // for all headers of a request
	idleLimit  = 30 * time.Second // between two requests of a connection
	// headerBytes limits the request line and headers; net/http adds 4 KiB to it.
	headerBytes = 64<<10 - 4<<10
	sweepPause  = time.Minute
	// lastReplies is how long the replies to calls that were given up may take to be sent.
	lastReplies = 500 * time.Millisecond
)

// A Service serves a program over HTTP. It implements [rt.Service].
type Service struct {
	settings settings
	program  *rt.Program
	handler  *handler
	server   *http.Server
	door     *door
	cert     atomic.Pointer[tls.Certificate]
	scheme   string
}

// New returns a service that is not wanted until its flags say so.
func New() *Service { return new(Service) }

// Flags implements [rt.Service].
func (s *Service) Flags(set *flag.FlagSet) (help string) {
	s.settings.define(set)
	return flagHelp
}

// Wanted implements [rt.Service].
func (s *Service) Wanted() (bool, error) { return s.settings.check() }

// Open implements [rt.Service]: what must not be served is refused before anything is
// bound.
func (s *Service) Open(p *rt.Program, o rt.ServiceOptions) error {
	s.program = p
	if p.Server.Joined && s.settings.names == namesBare {
		return errors.New("--tool-names bare: the server has several programs, whose tools are told apart by their prefixes")
	}
	network, address := s.settings.address()
	loopback := isLoopback(hostOf(address))
	if !loopback && !s.settings.needsToken() && !s.settings.noAuth {
		return errors.New("refusing to serve on " + address + " with no auth token (bind is not loopback). " +
			"Set --auth-token / " + tokenVariable + ", or pass --allow-no-auth to override.")
	}
	h, err := s.newHandler(o, loopback)
	if err != nil {
		return err
	}
	s.handler, s.scheme = h, "http"
	if s.settings.cert != "" {
		s.scheme = "https"
		if err := s.loadCert(); err != nil {
			return err
		}
	}
	l, err := net.Listen(network, address)
	if err != nil {
		return errors.New("failed to bind " + address + ": " + rootCause(err).Error())
	}
	s.door = newDoor(l, maxConnections)
	s.server = newServer(h)
	return nil
}

func (s *Service) newHandler(o rt.ServiceOptions, loopback bool) (*handler, error) {
	x := &s.settings
	h := &handler{
		endpoint: mcp.NewEndpoint(s.program.Server, mcp.Options{
			Prefix:    x.names == namesPrefixed,
			PageBytes: o.PageBytes,
			Logging:   o.Logging,
			Private:   x.needsToken(),
			Distant:   true,
			Files:     x.fileIO,
			Stderr:    rt.Stderr,
		}),
		sessions: newTable(idleTime, maxSessions),
		loopback: loopback,
		hosts:    x.hosts,
		log:      limiter{write: s.program.Log},
		ready:    s.program.Ready,
	}
	for _, origin := range x.origins {
		if origin == "*" {
			h.anyOrigin = true
		}
		h.origins = append(h.origins, origin)
	}
	switch {
	case x.tokenFile != "":
		h.tokens.file = x.tokenFile
		if err := h.tokens.reload(); err != nil {
			return nil, err
		}
	case x.token != "":
		if err := h.tokens.set(x.token); err != nil {
			return nil, flagError("auth-token", err)
		}
	}
	if x.seal != "" {
		shared, err := newSealed(x.seal, s.program.Name, x.lifetime)
		if err != nil {
			return nil, err
		}
		h.sessions = shared
	}
	return h, nil
}

func newServer(h *handler) *http.Server {
	server := &http.Server{
		Handler:                      h,
		DisableGeneralOptionsHandler: true,
		ReadHeaderTimeout:            headerTime,
		ReadTimeout:                  bodyPause, // renewed while a body comes, ended when it has
		IdleTimeout:                  idleLimit,
		MaxHeaderBytes:               headerBytes,
		ErrorLog:                     log.New(&h.log, "", 0),
		Protocols:                    new(http.Protocols),
	}
	server.Protocols.SetHTTP1(true)
	return server
}

// Serve implements [rt.Service].
func (s *Service) Serve() error {
	s.program.Log(`serving "` + s.program.Name + `" over HTTP at ` + s.url(s.door.Addr().String()))
	done := make(chan struct{})
	defer close(done)
	go s.sweep(done)
	var l net.Listener = s.door
	if s.settings.cert != "" {
		l = tls.NewListener(l, &tls.Config{
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.cert.Load(), nil },
			NextProtos:     []string{"http/1.1"},
		})
	}
	err := s.server.Serve(l)
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return rootCause(err)
}

func (s *Service) url(address string) string { return s.scheme + "://" + address + endpointPath }

// sweep forgets sessions that have expired, until done is closed.
func (s *Service) sweep(done <-chan struct{}) {
	ticker := time.NewTicker(sweepPause)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			s.handler.sessions.sweep()
		case <-done:
			return
		}
	}
}

// Shutdown implements [rt.Service].
func (s *Service) Shutdown(timeout time.Duration, giveUp func()) {
	s.handler.stopping.Store(true)
	if s.drain(timeout) {
		return
	}
	giveUp()
	if !s.drain(lastReplies) {
		_ = s.server.Close()
	}
}

// drain takes no more requests, and reports whether the last one was answered in time.
func (s *Service) drain(timeout time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return s.server.Shutdown(ctx) == nil
}

// Reload implements [rt.Service].
func (s *Service) Reload() {
	if err := s.handler.tokens.reload(); err != nil {
		s.program.Log(err.Error() + "; the tokens stay as they were")
	}
	if s.settings.cert == "" {
		return
	}
	if err := s.loadCert(); err != nil {
		s.program.Log(err.Error() + "; the certificate stays as it was")
	}
}

// loadCert reads the certificate and its key.
func (s *Service) loadCert() error {
	pair, err := tls.LoadX509KeyPair(s.settings.cert, s.settings.key)
	if err != nil {
		return flagError("tls-cert and --tls-key", err)
	}
	s.cert.Store(&pair)
	return nil
}

// rootCause returns the error behind those that repeat addresses and paths.
func rootCause(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}

// Entry implements [rt.Service]. Who has the token puts it in the place that is left for it.
func (s *Service) Entry(dialect string) (string, error) {
	if s.settings.port == 0 {
		return "", errors.New("--mcp-config: clients need to know the port: want an --http-port other than 0")
	}
	scheme := "http"
	if s.settings.cert != "" {
		scheme = "https"
	}
	_, address := s.settings.address()
	entry := `{`
	if dialect != rt.DialectCursor {
		entry += `"type":"http",`
	}
	entry += `"url":` + string(jsonx.AppendString(nil, scheme+"://"+address+endpointPath))
	if s.settings.needsToken() {
		entry += `,"headers":{"Authorization":"Bearer <token>"}`
	}
	return entry + `}`, nil
}
