//go:build unix

package httpx

import (
	"bufio"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestConnections opens as many connections as there are places, each with a call in flight,
// and more that must wait.
func TestConnections(t *testing.T) {
	t.Parallel()
	needFiles(t, 2*maxConnections+200)
	d := newDemo()
	s := serve(t, d)
	session := s.session("2025-06-18")
	all := make([]net.Conn, maxConnections)
	var dialed sync.WaitGroup
	for i := range all {
		all[i] = s.dial()
		dialed.Go(func() {
			_, _ = io.WriteString(all[i], post(tool(strconv.Itoa(i), "wait", `{}`), session).text(s.addr))
		})
	}
	dialed.Wait()
	calls := make(map[int]func([]byte), len(all))
	for i := range all {
		calls[i] = (<-d.calls).Value
	}
	// All places are taken. One more is connected by the kernel, and served when there is
	// a place.
	more := s.dial()
	_, _ = io.WriteString(more, post(ping, session, "Connection: close").text(s.addr))
	for i := range all {
		calls[i]([]byte("1"))
	}
	for i, c := range all {
		if a := readAnswer(t, bufio.NewReader(c), "POST"); a.status != 200 || !strings.Contains(a.body, `"id":`+strconv.Itoa(i)+",") {
			t.Fatalf("call %d: %+v", i, a)
		}
		_ = c.Close()
	}
	if a := readAnswer(t, bufio.NewReader(more), "POST"); a.status != 200 {
		t.Errorf("%+v", a)
	}
	if a := s.do(post(ping, session)); a.status != 200 {
		t.Errorf("afterwards: %+v", a)
	}
}

// needFiles makes sure that so many descriptors can be had.
func needFiles(t *testing.T, n uint64) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err == nil && uint64(limit.Cur) < n {
		t.Skipf("the limit of open files is %d", limit.Cur)
	}
}
