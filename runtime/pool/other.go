//go:build !linux

package pool

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// Pools need what only Linux has. A set gets no run directory elsewhere, so nothing of what
// follows is ever used.
var errSystem = errors.New("language pools need Linux")

func sweepStale() {}

func sweepOwned() {}

func numberedDir() string              { return "" }
func taggedDir() string                { return "" }
func writeOwner(string) error          { return errSystem }
func noteGroup(string, *process) error { return errSystem }

type lifeline struct{}

func newLifeline() (*lifeline, error) { return nil, errSystem }
func (*lifeline) close()              {}

type runDir struct{ path string }

func newRunDir(dirRules) (*runDir, error) { return nil, errSystem }
func (*runDir) note(*process) error       { return errSystem }
func (*runDir) renew([]Spec) error        { return errSystem }
func (*runDir) remove()                   {}

type spawner struct{}

func newSpawner() *spawner { return nil }
func (*spawner) close()    {}
func (*spawner) spawn(*Config, Spec, []string, *lifeline, *console) (*process, error) {
	return nil, errSystem
}

type process struct {
	lang   string
	out    *output
	exited chan struct{}
}

func (*process) wait()                     {}
func (*process) status() string            { return "" }
func (*process) fault() string             { return "" }
func signalAll([]*process, syscall.Signal) {}
func awaitGone([]*process, time.Duration)  {}
func awaitReaped([]*process)               {}

func readNow(*os.File, []byte) int { return 0 }

type conn struct{}

func isAbsent(error) bool                                     { return false }
func (*conn) open(*syscall.SockaddrUnix, time.Duration) error { return errSystem }
func (*conn) cut()                                            {}
func (*conn) close()                                          {}
func (*conn) write([]byte) error                              { return errSystem }
func (*conn) receive(buf []byte, _ uint64) ([]byte, error)    { return buf, errSystem }
func (*conn) echo() bool                                      { return false }
func (*conn) block()                                          {}

func (*set) help(int) way { return handOver }
