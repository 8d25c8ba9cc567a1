package httpx

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxConnections = 1024
	writePiece     = 256 << 10        // bytes
	writePause     = time.Minute      // for a piece to be taken by its client
	writeRenewal   = 10 * time.Second // by which writePause may be shorter
)

// A door is a listener that lets only so many connections in at once; others wait in the
// kernel's queue.
type door struct {
	net.Listener
	places chan struct{} // an entry for each connection
	closed chan struct{}
	close  sync.Once
}

func newDoor(l net.Listener, places int) *door {
	return &door{Listener: l, places: make(chan struct{}, places), closed: make(chan struct{})}
}

// Accept implements [net.Listener].
func (d *door) Accept() (net.Conn, error) {
	select {
	case d.places <- struct{}{}:
	case <-d.closed:
		return nil, net.ErrClosed
	}
	c, err := d.Listener.Accept()
	if err != nil {
		<-d.places
		return nil, err
	}
	return &visitor{Conn: c, door: d}, nil
}

// Close implements [net.Listener].
func (d *door) Close() error {
	d.close.Do(func() { close(d.closed) })
	return d.Listener.Close()
}

// A visitor is a connection that has a place. Clients must take what is written to them:
// one that stops doing so is cut off.
type visitor struct {
	net.Conn
	door    *door
	left    atomic.Bool
	renewed time.Time // of the one goroutine that writes
}

// Write implements [net.Conn].
func (v *visitor) Write(b []byte) (n int, err error) {
	for err == nil && n < len(b) {
		if now := time.Now(); now.Sub(v.renewed) > writeRenewal {
			v.renewed = now
			_ = v.SetWriteDeadline(now.Add(writePause))
		}
		var m int
		m, err = v.Conn.Write(b[n:min(n+writePiece, len(b))])
		n += m
	}
	return n, err
}

// Close implements [net.Conn].
func (v *visitor) Close() error {
	if v.left.CompareAndSwap(false, true) {
		defer func() { <-v.door.places }()
	}
	return v.Conn.Close()
}

// CloseWrite tells the client that nothing more comes; net/http does so after errors of its
// own, so that the client reads them.
func (v *visitor) CloseWrite() error {
	if c, ok := v.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return nil
}
