package pool

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/voidstar"
)

// An Exchange is one call of a pool. It and Call belong to the fleet from [Fleet.Do] until
// Finish is called, or [Fleet.Cancel] gives them back, and may be used again then, with the
// same fleet.
type Exchange struct {
	Pool     int    // index in [Config.Pools]
	Call     []byte // the call packet
	Schema   string // type schema of the result, for the pools that answer in msgpack
	Finisher Finisher
	Listener Listener // hears what pools print meanwhile; nil if nobody does

	// Client tells whose call it is. Clients take turns; "" is one as well.
	Client string
	// Limit is how long the exchange may wait for its turn, and how long it may then take;
	// 0 is for ever.
	Limit time.Duration
	// Helped says that the caller of Do calls [Fleet.Help] or [Fleet.HandOver] before it waits
	// for anything, so that no set need be roused for the exchange.
	Helped bool

	progress
}

// A Listener hears what pools print during an exchange.
type Listener interface {
	// Line is called with a line that a pool has printed, and the pool's Lang, on a
	// goroutine of the set's: one call after the other, none before the exchange is under
	// way, none once Finish is called. It does not wait for the set.
	Line(lang, line string)
}

// A Finisher takes the outcome of an exchange.
type Finisher interface {
	// Finish is called exactly once for each exchange that was not given back: on a set's
	// goroutine, or by Help; on another one if the exchange has waited for too long; or by Do,
	// its own or that of another client, if it is refused. The set does nothing else until
	// it returns, so it copies the result and does not wait.
	//
	// Without an error, the result is at r.Root and valid during the call only. It is
	// for the caller to ask r.Bad. If a pool destroys shared memory that is being read,
	// reading panics; Finish recovers, as from any fault of its own.
	//
	// The text of an error is meant for the caller of the tool. A packet.Failure is the
	// pool's own; an [*Error] may hold details that are not for everyone.
	Finish(r *voidstar.Reader, err error)
}
