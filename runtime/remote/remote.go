// Package remote joins what the protocol knows of a call (runtime/mcp) to the pools that
// answer it (runtime/pool): a generated tool packs its arguments into a [Job] and sends
// it; when the pool has answered, on the pools' goroutine, the result is copied straight
// from the packet into the reply.
//
// The invariant to know: a reply is decoded before anything else is sent to the pools,
// because their next answer may overwrite it (pool-protocol.md 5.4).
package remote

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/packet"
	"github.com/mcpgen/mcpgen/runtime/pool"
	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// A Pool is one language process, as the manifest describes it.
type Pool struct {
	Lang   string   // label in messages
	Exec   []string // command; the last element is a path relative to the program's folder
	Socket string   // base name of its socket
	Hash   string   // MORLOC_POOL_HASH

	// RefusesNUL says that strings with U+0000 must not reach the pool.
	RefusesNUL bool
}

// Pools are the pools of a program. It implements [rt.Backend].
type Pools struct {
	Table      []Pool
	Manifest   string // base name of the manifest, in the program's folder
	InlineSize int64  // of the manifest; -1 if it has none
	TmpDir     string // of the manifest; "" if it has none

	set     exchanger
	stop    func()
	missing string // why there is no set: where its files were looked for

	mu   sync.Mutex
	free []*Job // finished, kept for their buffers
}

// An exchanger makes exchanges with pools: a [pool.Set], but in tests.
type exchanger interface{ Do(x *pool.Exchange) }

// Start implements [rt.Backend].
func (p *Pools) Start(o rt.Options) {
	dir, ok := p.find(o.Folders)
	if !ok {
		p.missing = "program files not found; looked in: " + strings.Join(o.Folders, ", ")
		_, _ = os.Stderr.WriteString(o.Program + ": " + p.missing + "\n")
		return
	}
	c := pool.Config{
		Program:    o.Program,
		Dir:        dir,
		Manifest:   filepath.Join(dir, p.Manifest),
		InlineSize: p.InlineSize,
		TmpDir:     p.TmpDir,
	}
	for _, x := range p.Table {
		c.Pools = append(c.Pools, pool.Spec{Lang: x.Lang, Exec: x.Exec, Socket: x.Socket, Hash: x.Hash})
	}
	set := pool.New(c)
	p.set = set
	p.stop = func() { set.Stop(stopGrace) }
	if !o.Lazy {
		set.Start()
	}
}

// find returns the first folder that holds the file of every pool.
func (p *Pools) find(folders []string) (dir string, ok bool) {
	for _, dir := range folders {
		if real, err := filepath.EvalSymlinks(dir); err == nil && p.complete(real) {
			return real, true
		}
	}
	return "", false
}

func (p *Pools) complete(dir string) bool {
	for _, x := range p.Table {
		file := x.Exec[len(x.Exec)-1]
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		if _, err := os.Stat(file); err != nil {
			return false
		}
	}
	return true
}

// stopGrace is how long pools have to end by themselves (pool-protocol.md 1.8).
const stopGrace = 200 * time.Millisecond

// Stop implements [rt.Backend].
func (p *Pools) Stop() {
	if p.stop != nil {
		p.stop()
	}
}

// A Result says how a pool's reply becomes the result of a tool.
type Result struct {
	// Schema is the type schema of the value, for replies that are not voidstar.
	Schema string
	// Copy appends the value as JSON; with Mime, its bytes. Nil: it is no media.
	Copy func(r *voidstar.Reader, dst []byte, at int) []byte
	// Record results are sent as structuredContent too.
	Record bool
	// Mime is the media type of the result, or "".
	Mime string
}

// A Job is one call of a manifold, from its packet to its reply. It is used again.
type Job struct {
	// Packet takes the arguments, in the order of the manifold.
	Packet packet.Call

	pools    *Pools
	call     *mcp.Call
	result   *Result
	exchange pool.Exchange
	reply    mcp.Reply
	value    []byte
}

// Call begins a call of a manifold of a pool for c.
func (p *Pools) Call(c *mcp.Call, pool int, mid uint32) *Job {
	j := p.job()
	j.call = c
	j.exchange.Pool = pool
	j.Packet.Reset(mid)
	return j
}

func (p *Pools) job() *Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return &Job{pools: p}
	}
	j := p.free[n-1]
	p.free = p.free[:n-1]
	return j
}

func (j *Job) release() {
	p := j.pools
	p.mu.Lock()
	p.free = append(p.free, j)
	p.mu.Unlock()
}

// Send gives the packet to its pool. The call is answered when its turn has come, by the
// pools' goroutine.
func (j *Job) Send(r *Result) error {
	p := j.pools
	if p.set == nil {
		defer j.release()
		return failure(p.missing)
	}
	call := j.Packet.Bytes()
	if j.Packet.SawNUL() && p.Table[j.exchange.Pool].RefusesNUL && !skipsNULCheck() {
		defer j.release()
		return p.refuseNUL(j.exchange.Pool, call)
	}
	j.result = r
	j.exchange.Call = call
	j.exchange.Schema = r.Schema
	j.exchange.Finisher = j
	j.call.Detach(&j.reply)
	j.call = nil
	p.set.Do(&j.exchange)
	return nil
}

// keepBuffer is the largest buffer that is kept for the next call.
const keepBuffer = 1 << 20

// Finish implements [pool.Finisher].
func (j *Job) Finish(r *voidstar.Reader, err error) {
	j.answer(r, err)
	if cap(j.value) > keepBuffer {
		j.value = nil
	}
	if cap(j.exchange.Call) > keepBuffer {
		j.Packet = packet.Call{}
	}
	j.exchange.Call = nil
	j.release()
}

func (j *Job) answer(r *voidstar.Reader, err error) {
	answered := false
	defer func() {
		if fault := recover(); fault != nil {
			j.reply.LogPanic(fault)
			if !answered {
				j.reply.Fail("internal error")
			}
		}
	}()
	if err == nil && j.result.Copy == nil {
		err = mcp.ErrNotMedia
	}
	if err == nil {
		j.value = j.result.Copy(r, j.value[:0], r.Root())
		if r.Bad() {
			err = errBadValue
		}
	}
	answered = true
	switch {
	case err != nil:
		j.reply.Fail(err.Error())
	case j.result.Mime != "":
		j.reply.Media(j.result.Mime, j.value)
	case j.result.Record:
		j.reply.Record(j.value)
	default:
		j.reply.Value(j.value)
	}
}

// A failure is the text of a call that failed.
type failure string

// Error implements error.
func (f failure) Error() string { return string(f) }

const errBadValue = failure("packet error: the pool's reply does not hold a value of the declared type")

// skipsNULCheck reports whether the environment turns the guard off (manifest.md 4.2).
func skipsNULCheck() bool {
	switch os.Getenv("MORLOC_SKIP_NULL_CHECK") {
	case "1", "true", "TRUE", "yes":
		return true
	}
	return false
}

// refuseNUL returns the error for the first string of a call that holds U+0000.
func (p *Pools) refuseNUL(pool int, call []byte) error {
	text := p.Table[pool].Lang + " does not support embedded NUL bytes in strings"
	_ = packet.EachArgument(call, func(i int, schema string, payload []byte) bool {
		path, at, size, found := voidstar.FindNUL(schema, payload)
		if found {
			text += " (at [" + strconv.Itoa(i) + "]" + path +
				" (byte " + strconv.Itoa(at) + " of " + strconv.Itoa(size) + "))"
		}
		return !found
	})
	return failure(text)
}
