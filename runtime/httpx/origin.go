package httpx

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// hostOf returns the host of a Host header in lower case, without its port and brackets. What
// has neither form is no host that anything is called.
func hostOf(header string) string {
	host := header
	if inner, ok := strings.CutPrefix(header, "["); ok {
		if name, rest, closed := strings.Cut(inner, "]"); closed && (rest == "" || rest[0] == ':') {
			host = name
		}
	} else if name, port, ok := strings.Cut(header, ":"); ok && !strings.Contains(port, ":") {
		host = name // with more colons it is an IPv6 address
	}
	return strings.ToLower(host)
}

// isLoopback reports whether a host, in lower case and without brackets, is this machine by
// its name: no name server is asked.
func isLoopback(host string) bool {
	if host == "127.0.0.1" || host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Zone() == "" && ip.Unmap().IsLoopback()
}

// An origin is a web page's: a scheme, a host and a port.
type origin struct{ scheme, host, port string }

// defaultPorts are those that origins leave out.
var defaultPorts = map[string]string{"http": "80", "https": "443"}

// parseOrigin reads an origin; it holds nothing but its three parts.
func parseOrigin(text string) (origin, bool) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Hostname() == "" {
		return origin{}, false
	}
	o := origin{strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()}
	switch {
	case u.Opaque != "", u.User != nil, u.Path != "", u.RawQuery != "", u.ForceQuery, u.Fragment != "",
		strings.Contains(text, "#"):
		return origin{}, false
	case strings.HasSuffix(u.Host, ":"), !isHostname(u.Host, o.host):
		return origin{}, false
	}
	if o.port != "" {
		if n, err := strconv.ParseUint(o.port, 10, 16); err != nil || n == 0 {
			return origin{}, false
		}
	}
	if o.port == defaultPorts[o.scheme] {
		o.port = ""
	}
	return o, true
}

// isHostname reports whether the host of an authority can be one: in brackets it is an IPv6
// address, and without them it holds no colon.
func isHostname(authority, host string) bool {
	if !strings.HasPrefix(authority, "[") {
		return !strings.Contains(host, ":")
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Is6() && ip.Zone() == ""
}

// String returns the origin as browsers write it.
func (o origin) String() string {
	host := o.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if o.port != "" {
		host += ":" + o.port
	}
	return o.scheme + "://" + host
}

// allowsHost is row 1: a page whose name was made to point to this machine must not be
// served by its loopback address (DNS rebinding).
func (h *handler) allowsHost(r *http.Request) bool {
	local := isLocal(r)
	if !local && len(h.hosts) == 0 {
		return true
	}
	host := hostOf(r.Host)
	return local && isLoopback(host) || slices.Contains(h.hosts, host)
}

// isLocal reports whether a request has come over a loopback address.
func isLocal(r *http.Request) bool {
	address, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return false
	}
	tcp, ok := address.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// allowsOrigin is row 2. It returns the origin that was allowed, "" if there is none.
func (h *handler) allowsOrigin(r *http.Request) (allowed string, ok bool) {
	values, present := r.Header["Origin"]
	if !present {
		return "", true
	}
	if len(values) != 1 {
		return "", false
	}
	text := values[0]
	if h.anyOrigin {
		return text, true
	}
	o, ok := parseOrigin(text)
	switch {
	case !ok:
		return "", false
	case slices.Contains(h.origins, o.String()):
	case h.loopback && defaultPorts[o.scheme] != "" && isLoopback(o.host):
	default:
		return "", false
	}
	return text, true
}

// Values of headers. They are shared by all replies and never changed.
var (
	noStore      = []string{"no-store"}
	jsonType     = []string{"application/json"}
	streamType   = []string{"text/event-stream"}
	varyOrigin   = []string{"Origin"}
	exposed      = []string{"Mcp-Session-Id"}
	corsMethods  = []string{"POST, DELETE, OPTIONS"}
	corsHeaders  = []string{"Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID"}
	corsMaxAge   = []string{"86400"}
	allowMethods = []string{"POST, DELETE"}
	bearer       = []string{"Bearer"}
	closing      = []string{"close"}
	unbuffered   = []string{"no"}
)

// allowPage lets the page of an allowed origin read the reply.
func allowPage(header http.Header, origin string) {
	header["Access-Control-Allow-Origin"] = []string{origin}
	header["Access-Control-Expose-Headers"] = exposed
	header["Vary"] = varyOrigin
}

// preflight answers OPTIONS, row 3.
func preflight(w http.ResponseWriter, origin string) {
	if header := w.Header(); origin != "" {
		header["Access-Control-Allow-Methods"] = corsMethods
		header["Access-Control-Allow-Headers"] = corsHeaders
		header["Access-Control-Max-Age"] = corsMaxAge
	}
	w.WriteHeader(http.StatusNoContent)
}
