package remote

import (
	rt "github.com/mcpgen/mcpgen/runtime"
	"github.com/mcpgen/mcpgen/runtime/mcp"
	"github.com/mcpgen/mcpgen/runtime/pool"
)

// Newer are [Pools] of a program of a later compiler: S says of which releases. It is a type
// of its own so that a binary has the code of one stage only.
type Newer[S Releases] Pools

// Releases are the stages of compilers whose pools are not driven as those of [Pools].
type Releases interface{ stage() *pool.Stage }

type (
	// StageA1 is 0.99.1.
	StageA1 struct{}
	// StageB is 0.100 to 0.108.
	StageB struct{}
	// StageD is from 0.109 on.
	StageD struct{}
)

// Newer does all that Pools do.
var _ rt.Backend = (*Newer[StageD])(nil)

func (StageA1) stage() *pool.Stage { return &pool.StageA1 }
func (StageB) stage() *pool.Stage  { return &pool.StageB }
func (StageD) stage() *pool.Stage  { return &pool.StageD }

// Start implements [rt.Backend].
func (p *Newer[S]) Start(o rt.Options) {
	var releases S
	(*Pools)(p).start(o, releases.stage())
}

// Warm implements [rt.Backend].
func (p *Newer[S]) Warm() { (*Pools)(p).Warm() }

// Ready implements [rt.Backend].
func (p *Newer[S]) Ready() bool { return (*Pools)(p).Ready() }

// Stop implements [rt.Backend].
func (p *Newer[S]) Stop() { (*Pools)(p).Stop() }

// Call begins a call, as [Pools.Call] does.
func (p *Newer[S]) Call(c *mcp.Call, pool int, mid uint32) *Job {
	return (*Pools)(p).Call(c, pool, mid)
}
