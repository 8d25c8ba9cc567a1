package httpx

import (
	"errors"
	"flag"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"
)

// settings are the flags of the service.
type settings struct {
	port      int // -1: not to serve
	host      string
	token     string
	tokenFile string
	noAuth    bool
	origins   []string
	hosts     []string
	cert, key string
	seal      string // file of the session key
	lifetime  time.Duration
	names     string
	fileIO    bool

	set   *flag.FlagSet
	flags []string // names of those above
}

const (
	tokenVariable   = "MORLOC_MCP_TOKEN"
	defaultHost     = "127.0.0.1"
	defaultLifetime = 24 * time.Hour
	maxPort         = 1<<16 - 1
)

// Forms of names in lists.
const (
	namesPrefixed = "prefixed"
	namesBare     = "bare"
)

const flagHelp = `  --http-port N           serve over HTTP on this port; 0 takes one that is free
  --http-host HOST        address to serve on (default 127.0.0.1)
  --auth-token TOKEN      serve only requests with this bearer token; so does
                          the environment variable MORLOC_MCP_TOKEN
  --auth-token-file FILE  the same for the tokens in FILE, one a line; read again
                          on SIGHUP
  --allow-no-auth         serve other machines without a token
  --allow-origin ORIGIN   serve web pages of this origin (*: of all); may be repeated
  --allow-host HOST       serve requests for this host name; may be repeated
  --tls-cert FILE         serve over TLS with this certificate; read again on SIGHUP
  --tls-key FILE          the key of the certificate
  --session-key FILE      share sessions with all servers that hold the same FILE
  --session-lifetime D    how long shared sessions last (default 24h)
  --tool-names FORM       list tools as PROGRAM__TOOL (prefixed, default) or bare
  --allow-file-io         let tools read and write files
`

// define adds the flags to a set.
func (s *settings) define(all *flag.FlagSet) {
	s.set = all
	s.port = -1
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.Func("http-port", "", s.setPort)
	set.StringVar(&s.host, "http-host", defaultHost, "")
	set.Func("auth-token", "", s.setToken)
	set.StringVar(&s.tokenFile, "auth-token-file", "", "")
	set.BoolVar(&s.noAuth, "allow-no-auth", false, "")
	set.Func("allow-origin", "", s.addOrigin)
	set.Func("allow-host", "", s.addHost)
	set.StringVar(&s.cert, "tls-cert", "", "")
	set.StringVar(&s.key, "tls-key", "", "")
	set.StringVar(&s.seal, "session-key", "", "")
	set.DurationVar(&s.lifetime, "session-lifetime", defaultLifetime, "")
	set.StringVar(&s.names, "tool-names", namesPrefixed, "")
	set.BoolVar(&s.fileIO, "allow-file-io", false, "")
	set.VisitAll(func(f *flag.Flag) {
		all.Var(f.Value, f.Name, f.Usage)
		s.flags = append(s.flags, f.Name)
	})
}

func (s *settings) setPort(value string) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > maxPort {
		return errors.New("want a number from 0 to 65535")
	}
	s.port = n
	return nil
}

func (s *settings) setToken(value string) error {
	if !validToken(value) {
		return errors.New("want visible characters, without spaces")
	}
	s.token = value
	return nil
}

func (s *settings) addOrigin(value string) error {
	if value != "*" {
		o, ok := parseOrigin(value)
		if !ok {
			return errors.New(`want one like https://example.com:8443, or *`)
		}
		value = o.String()
	}
	s.origins = append(s.origins, value)
	return nil
}

func (s *settings) addHost(value string) error {
	host := hostOf(value)
	if host == "" || strings.ContainsAny(value, "/@ ") {
		return errors.New("want the name of a host")
	}
	s.hosts = append(s.hosts, host)
	return nil
}

// check reports whether the service is wanted, or what is wrong with its flags.
func (s *settings) check() (wanted bool, err error) {
	given := map[string]bool{}
	s.set.Visit(func(f *flag.Flag) { given[f.Name] = true })
	if s.port < 0 {
		for _, name := range s.flags {
			if given[name] {
				return false, errors.New("--" + name + " is for HTTP: it needs --http-port")
			}
		}
		return false, nil
	}
	switch {
	case s.token != "" && s.tokenFile != "":
		return false, errors.New("--auth-token and --auth-token-file: want one of them")
	case (s.cert == "") != (s.key == ""):
		return false, errors.New("--tls-cert and --tls-key: want both or none")
	case s.names != namesPrefixed && s.names != namesBare:
		return false, errors.New("--tool-names " + strconv.Quote(s.names) + ": want prefixed or bare")
	case given["session-lifetime"] && s.seal == "":
		return false, errors.New("--session-lifetime is for sessions that are shared: it needs --session-key")
	case s.lifetime <= 0:
		return false, errors.New("--session-lifetime: want more than 0")
	case trimBrackets(s.host) == "":
		return false, errors.New("--http-host: want an address or a name")
	}
	if s.token == "" && s.tokenFile == "" {
		s.token = os.Getenv(tokenVariable)
	}
	_ = os.Unsetenv(tokenVariable) // no child is to see it
	return true, nil
}

// address returns what to bind, and the network that makes an IPv4 address stay one.
func (s *settings) address() (network, address string) {
	host := trimBrackets(s.host)
	network = "tcp"
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		network = "tcp4"
	}
	return network, joinHostPort(host, s.port)
}

func (s *settings) needsToken() bool { return s.token != "" || s.tokenFile != "" }

func joinHostPort(host string, port int) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(port)
}

func trimBrackets(host string) string {
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		return host[1 : len(host)-1]
	}
	return host
}
