//go:build linux

package testpool

import (
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"
)

const workerVariable = "TESTPOOL_WORKER"

// A pool is this process.
type pool struct {
	Options
	socket, dir, basename string
	recorded              []Entry

	mu    sync.Mutex
	busy  bool           // a message is being answered
	last  shared         // the result in shared memory that the next message destroys
	turns map[string]int // calls replayed
}

// runLeader starts as the options say and answers, or has a worker answer, for ever.
func (p *pool) runLeader() error {
	if _, err := os.Stderr.WriteString(p.Print); err != nil {
		return err
	}
	if p.Exit != 0 {
		os.Exit(p.Exit)
	}
	p.dieWithParent()
	if p.Newest {
		if err := p.checkVolume(); err != nil {
			return err
		}
		watchLifeline()
	}
	if p.Mute {
		select {}
	}
	if p.Gate != "" {
		await(p.Gate)
	}
	_ = os.Remove(p.socket)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: p.socket})
	if err != nil {
		return err
	}
	l.SetUnlinkOnClose(false)
	if p.Worker == InLeader {
		return p.accept(l)
	}
	return p.lead(l)
}

// The kernel keeps what dieWithParent asks for by thread, and a server that starts the pool
// has asked on the first one already.
func init() {
	if isPool() {
		runtime.LockOSThread()
	}
}

// dieWithParent ends the pool with its parent or at SIGTERM, as real pools do.
func (p *pool) dieWithParent() {
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	const setDeathSignal = 1
	if !p.Newest {
		_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, setDeathSignal, uintptr(syscall.SIGTERM), 0)
	}
	go func() {
		for range term {
			if p.IgnoreTerm {
				continue
			}
			if p.Worker != InLeader {
				signal.Ignore(syscall.SIGTERM)
				_ = syscall.Kill(0, syscall.SIGTERM)
			}
			if !p.Leave {
				_ = os.Remove(p.socket)
			}
			os.Exit(0)
		}
	}()
}

// lead keeps a worker on the socket.
func (p *pool) lead(l *net.UnixListener) error {
	f, err := l.File()
	if err != nil {
		return err
	}
	for {
		worker := exec.Command(os.Args[0], os.Args[1:]...)
		worker.Env = append(os.Environ(), workerVariable+"=1")
		worker.ExtraFiles = []*os.File{f}
		worker.Stdout, worker.Stderr = os.Stdout, os.Stderr
		_ = worker.Run()
		if p.Newest {
			time.Sleep(150 * time.Millisecond) // as long as it takes to notice
			os.Exit(internalFault)
		}
		if p.Worker == R {
			select {}
		}
	}
}

// runWorker answers on the leader's socket, even when the leader is gone, but not when the
// whole test is.
func (p *pool) runWorker() error {
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			if _, err := os.Stat(p.dir); err != nil {
				os.Exit(0)
			}
		}
	}()
	l, err := net.FileListener(os.NewFile(3, "socket"))
	if err != nil {
		return err
	}
	return p.accept(l)
}

func (p *pool) accept(l net.Listener) error {
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		go p.answer(c.(*net.UnixConn))
	}
}

// await blocks on a named pipe: until a test opens it and closes it again.
func await(fifo string) {
	f, err := os.Open(fifo)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Read(make([]byte, 1))
}
