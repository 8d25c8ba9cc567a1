package httpx

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A process is a server of its own: the test binary, started anew.
type process struct {
	*exec.Cmd
	stderr *bufio.Reader
	ready  string // the line that tells where it serves
	addr   string
	out    strings.Builder // what it wrote to standard output
}

// start starts a server and waits until it serves.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], append([]string{"--http-port", "0"}, args...)...)}
	p.Env = append(os.Environ(), "MCPGEN_TEST_SERVER=1")
	p.Stdout = &p.out
	pipe, err := p.StderrPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	})
	p.stderr = bufio.NewReader(pipe)
	p.ready = p.line(t)
	m := regexp.MustCompile(`^demo: serving "demo" over HTTP at https?://(\S+)/mcp$`).FindStringSubmatch(p.ready)
	if m == nil {
		t.Fatalf("ready line: %s", p.ready)
	}
	p.addr = m[1]
	return p
}

func (p *process) line(t *testing.T) string {
	t.Helper()
	line, err := p.stderr.ReadString('\n')
	if err != nil {
		t.Fatalf("%v after %q", err, line)
	}
	return strings.TrimSuffix(line, "\n")
}

// end waits for the end of the process, and checks how it ended.
func (p *process) end(t *testing.T, status int) {
	t.Helper()
	rest, _ := io.ReadAll(p.stderr)
	_ = p.Wait()
	if got := p.ProcessState.ExitCode(); got != status {
		t.Errorf("exit status %d, want %d; stderr: %s", got, status, rest)
	}
	if p.out.Len() > 0 {
		t.Errorf("standard output: %s", p.out.String())
	}
}

// TestRefusals are starts that end at once, case 54 among them.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args   string
		status int
		stderr string
	}{
		{"--http-host 0.0.0.0", 2, "demo: --http-host is for HTTP: it needs --http-port\n"},
		{"--http-port 0 --http-host 0.0.0.0", 1, "demo: refusing to serve on 0.0.0.0:0 with no auth token (bind is not loopback). " +
			"Set --auth-token / MORLOC_MCP_TOKEN, or pass --allow-no-auth to override.\n"},
		{"--http-port 0 --auth-token=", 2, "demo: invalid value \"\" for --auth-token: want visible characters, without spaces; see --help\n"},
		{"--list-page-bytes 0", 2, "demo: invalid value \"0\" for --list-page-bytes: want a number of bytes; see --help\n"},
	} {
		cmd := exec.Command(os.Args[0], strings.Split(tt.args, " ")...)
		cmd.Env = append(os.Environ(), "MCPGEN_TEST_SERVER=1")
		var stdout, stderr strings.Builder
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		_ = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != tt.status || stderr.String() != tt.stderr || stdout.Len() > 0 {
			t.Errorf("%s: status %d, stderr %s, stdout %s", tt.args, got, stderr.String(), stdout.String())
		}
	}
}

// TestSignals is case 65, and the other signals.
func TestSignals(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	t.Run("65 SIGTERM during a call", func(t *testing.T) {
		t.Parallel()
		p := start(t)
		s := &server{t: t, addr: p.addr}
		session := s.session("2025-06-18")
		c := s.dial()
		_, _ = io.WriteString(c, post(tool("1", "wait", `{}`), session).text(s.addr))
		if got := p.line(t); got != waitingLine {
			t.Fatalf("%s", got)
		}
		_ = p.Process.Signal(syscall.SIGTERM)
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 || !strings.Contains(a.body, "waited") {
			t.Errorf("%+v", a)
		}
		p.end(t, 128+int(syscall.SIGTERM))
	})
	t.Run("SIGINT with connections that do nothing", func(t *testing.T) {
		t.Parallel()
		p := start(t)
		s := &server{t: t, addr: p.addr}
		idle, half := s.dial(), s.dial()
		_, _ = io.WriteString(idle, request{method: "GET", path: "/livez"}.text(s.addr))
		readAnswer(t, bufio.NewReader(idle), "GET")
		_, _ = io.WriteString(half, "POST /mcp HT")
		begun := time.Now()
		_ = p.Process.Signal(syscall.SIGINT)
		p.end(t, 128+int(syscall.SIGINT))
		if took := time.Since(begun); took >= headerTime { // for which one that has begun may wait
			t.Errorf("took %v", took)
		}
	})
	t.Run("SIGHUP", func(t *testing.T) {
		t.Parallel()
		file := filepath.Join(t.TempDir(), "tokens")
		if err := os.WriteFile(file, []byte("one"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := start(t, "--auth-token-file", file)
		s := &server{t: t, addr: p.addr}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		_ = p.Process.Signal(syscall.SIGHUP)
		if got := p.line(t); got != "demo: --auth-token-file: no such file or directory; the tokens stay as they were" {
			t.Errorf("%s", got)
		}
		if a := s.do(post(initialize("2025-06-18"), "Authorization: Bearer one")); a.status != 200 {
			t.Errorf("%+v", a)
		}
		if err := os.WriteFile(file, []byte("two"), 0o600); err != nil {
			t.Fatal(err)
		}
		_ = p.Process.Signal(syscall.SIGHUP)
		for s.do(post(initialize("2025-06-18"), "Authorization: Bearer two")).status != 200 {
			runtime.Gosched()
		}
		if a := s.do(post(initialize("2025-06-18"), "Authorization: Bearer one")); a.status != 401 {
			t.Errorf("the old token: %+v", a)
		}
		_ = p.Process.Signal(syscall.SIGTERM)
		p.end(t, 128+int(syscall.SIGTERM))
	})
}

// TestPanicsUnread has tools panic so often that what is logged of it fills every buffer,
// while nobody reads stderr: all calls are answered.
func TestPanicsUnread(t *testing.T) {
	t.Parallel()
	const calls = 200
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, os.Args[0])
		cmd.Env = append(os.Environ(), "MCPGEN_TEST_SERVER=1")
		cmd.Stdin = strings.NewReader(initialize("2025-06-18") + "\n" + initialized + "\n" +
			strings.Repeat(tool("2", "panic", `{}`)+"\n", calls))
		cmd.Stderr = w
		out, err := cmd.Output()
		_ = w.Close()
		if n := strings.Count(string(out), "internal error"); err != nil || n != calls {
			t.Errorf("%d answers to %d calls, %v", n, calls, err)
		}
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		p := start(t)
		s := &server{t: t, addr: p.addr}
		session := s.session("2025-06-18")
		for range calls {
			if a := s.do(post(tool("2", "panic", `{}`), session)); a.status != 200 || !strings.Contains(a.body, "internal error") {
				t.Fatalf("%+v", a)
			}
		}
		_ = p.Process.Kill()
	})
}

// TestElsewhere is case 55, over an address that is not loopback if there is one.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	p := start(t, "--http-host", "0.0.0.0", "--allow-no-auth")
	if !strings.Contains(p.ready, "http://0.0.0.0:") {
		t.Errorf("%s", p.ready)
	}
	_, port, _ := net.SplitHostPort(p.addr)
	addresses, _ := net.InterfaceAddrs()
	for _, a := range addresses {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.To4() == nil {
			continue
		}
		s := &server{t: t, addr: net.JoinHostPort(ip.IP.String(), port)}
		if a := s.do(post(initialize("2025-06-18"), "Host: the-name.example:"+port)); a.status != 200 {
			t.Errorf("%+v", a)
		}
		if a := s.do(post(initialize("2025-06-18"), "Origin: http://localhost")); a.status != 403 {
			t.Errorf("a local page, but no local server: %+v", a)
		}
	}
	s := &server{t: t, addr: "127.0.0.1:" + port}
	if a := s.do(post(initialize("2025-06-18"), "Host: the-name.example:"+port)); a.status != 403 {
		t.Errorf("over loopback: %+v", a)
	}
}

// writeCert writes a certificate for 127.0.0.1 whose serial number is n, and its key.
func writeCert(t *testing.T, dir string, n int64) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(n), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := writeCert(t, dir, 1)
	s := serve(t, newDemo(), "--tls-cert", cert, "--tls-key", key)
	// serial makes a request and returns the serial number of the certificate.
	serial := func() int64 {
		t.Helper()
		c, err := tls.Dial("tcp", s.addr, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if p := c.ConnectionState().NegotiatedProtocol; p != "http/1.1" {
			t.Errorf("protocol %q", p)
		}
		_, _ = io.WriteString(c, post(initialize("2025-06-18")).text(s.addr))
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 {
			t.Errorf("%+v", a)
		}
		return c.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	if n := serial(); n != 1 {
		t.Errorf("certificate %d", n)
	}
	writeCert(t, dir, 2)
	s.service.Reload()
	if n := serial(); n != 2 {
		t.Errorf("certificate %d after a reload", n)
	}
	if err := os.WriteFile(cert, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.service.Reload()
	if n := serial(); n != 2 {
		t.Errorf("certificate %d after a reload that failed", n)
	}
	c := s.dial() // without TLS
	_, _ = io.WriteString(c, post(ping).text(s.addr))
	if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 400 {
		t.Errorf("without TLS: %+v", a)
	}
}
