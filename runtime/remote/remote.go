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
	own     *pool.Fleet   // the same, but in tests
	limit   time.Duration // of a call; 0 is none
	missing string        // why there is no set: where its files were looked for

	mu    sync.Mutex
	free  []*Job // finished, kept for their buffers
	large int    // of these, how many have large ones
}

// An exchanger makes exchanges with pools: a [pool.Fleet], but in tests.
type exchanger interface {
	Do(x *pool.Exchange)
	Cancel(x *pool.Exchange) (dropped bool)
	Ahead(x *pool.Exchange) (n int, waits bool)
}

// Start implements [rt.Backend].
func (p *Pools) Start(o rt.Options) { p.start(o, &pool.StageA) }

func (p *Pools) start(o rt.Options, stage *pool.Stage) {
	dir, ok := p.find(o.Folders)
	if !ok {
		p.missing = textMissing + "; looked in: " + strings.Join(o.Folders, ", ")
		_, _ = rt.Stderr.Write([]byte(o.Program + ": " + p.missing + "\n"))
		return
	}
	c := pool.Config{
		Stage:      stage,
		Program:    o.Program,
		Dir:        dir,
		Manifest:   filepath.Join(dir, p.Manifest),
		InlineSize: p.InlineSize,
		TmpDir:     p.TmpDir,

		Replicas:     o.Replicas,
		MaxQueue:     o.MaxQueue,
		StartTimeout: o.StartTimeout,
		ShmLimit:     o.ShmLimit,

		Stderr: rt.Stderr,
	}
	for _, x := range p.Table {
		c.Pools = append(c.Pools, pool.Spec{Lang: x.Lang, Exec: x.Exec, Socket: x.Socket, Hash: x.Hash})
	}
	p.own = pool.New(c)
	p.set = p.own
	p.limit = o.CallTimeout
}

// Warm implements [rt.Backend].
func (p *Pools) Warm() {
	if p.own != nil {
		p.own.Start()
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

// Ready implements [rt.Backend].
func (p *Pools) Ready() bool { return p.own != nil && p.own.Ready() }

// Stop implements [rt.Backend].
func (p *Pools) Stop() {
	if p.own != nil {
		p.own.Stop(stopGrace)
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
	// Timeout is how long the call may wait, and then take; 0 is as long as any.
	Timeout time.Duration
	// Mime is the media type of the result, or "".
	Mime string
}

// table is [Pools] as a job knows them, of whatever stage they are.
type table Pools

// A Job is one call of a manifold, from its packet to its reply. It is used again.
type Job struct {
	// Packet takes the arguments, in the order of the manifold.
	Packet packet.Call

	pools    *table
	call     *mcp.Call
	result   *Result
	exchange pool.Exchange
	reply    mcp.Reply
	value    []byte
	large    bool // it is kept with a large buffer; that of the reply is as large as value
}

// Call begins a call of a manifold of a pool for c.
func (p *Pools) Call(c *mcp.Call, pool int, mid uint32) *Job {
	j := (*table)(p).job()
	j.call = c
	j.exchange.Pool = pool
	j.Packet.Reset(mid)
	return j
}

func (p *table) job() *Job {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		j := &Job{pools: p}
		j.reply.Canceler = j
		return j
	}
	j := p.free[n-1]
	if p.free = p.free[:n-1]; j.large {
		p.large--
	}
	return j
}

// Finished jobs are kept for their buffers: so many of them, few of which have large ones, and
// none one that a very large call has grown.
const (
	keepJobs    = 64
	keepLarge   = 4
	largeBuffer = 64 << 10 // bytes
	keepBuffer  = 1 << 20
)

func (j *Job) release() {
	value, call := cap(j.value), cap(j.Packet.Bytes())
	if value > keepBuffer {
		j.value, value = nil, 0
	}
	if call > keepBuffer {
		j.Packet, call = packet.Call{}, 0
	}
	j.large = max(value, call) > largeBuffer
	j.exchange.Call = nil
	p := j.pools
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == keepJobs || j.large && p.large == keepLarge {
		return
	}
	if p.free = append(p.free, j); j.large {
		p.large++
	}
}

// Send gives the packet to its pool. The call is answered when its turn has come, by the
// pools' goroutine.
func (j *Job) Send(r *Result) error {
	p := j.pools
	if p.set == nil {
		defer j.release()
		if j.call.IsDistant() {
			return failure(textMissing)
		}
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
	j.exchange.Limit = smaller(p.limit, r.Timeout)
	j.call.Detach(&j.reply)
	j.call = nil
	j.exchange.Client = j.reply.Client()
	j.exchange.Helped = p.own != nil && j.reply.Lends(p.own)
	j.tell()
	p.set.Do(&j.exchange)
	return nil
}

// smaller returns the smaller of two limits, of which 0 is none.
func smaller(a, b time.Duration) time.Duration {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// Cancel implements [mcp.Canceler]: a call that waits is finished now, one that runs when it
// has been stopped, or is over.
func (j *Job) Cancel() {
	if j.pools.set.Cancel(&j.exchange) {
		go j.Finish(nil, errCanceled) // not here, under the lock of what it reports to
	}
}

// Finish implements [pool.Finisher].
func (j *Job) Finish(r *voidstar.Reader, err error) {
	j.answer(r, err)
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
	if j.reply.Canceled() {
		err = errCanceled
	}
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
		j.reply.Fail(errorText(err, j.reply.IsDistant()))
	case j.result.Mime != "":
		j.reply.Media(j.result.Mime, j.value)
	case j.result.Record:
		j.reply.Record(j.value)
	default:
		j.reply.Value(j.value)
	}
}

// textMissing is all that distant callers are told when there are no program files.
const textMissing = "program files not found"

// errorText returns what the caller is told of an error: not paths and lines of output if it
// is a distant one. Those are on stderr.
func errorText(err error, distant bool) string {
	if distant {
		return pool.Brief(err)
	}
	return err.Error()
}

// A failure is the text of a call that failed.
type failure string

// Error implements error.
func (f failure) Error() string { return string(f) }

const errCanceled = failure("cancelled")

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
func (p *table) refuseNUL(pool int, call []byte) error {
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
