package soak

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// How requests are mixed.
const (
	smallText   = 1 << 10 // bytes of most arguments, at most
	largeText   = 4 << 20 // of some
	oneLargeIn  = 150
	oneCancelIn = 40
	oneTellIn   = 10 // is told of its progress
	oneCrashIn  = 50 // of the calls to tools that crash or hang, in a short soak
	oneStuckIn  = 8  // of the calls that hang is not cancelled

	patience = 200 * time.Millisecond // of clients that cancel, at most
)

// A mix is the sequence of requests of a client.
type mix struct {
	random *rand.Rand
	ledger *ledger
	pipe   string // for calls to hang
}

func newMix(seed uint64, client int, l *ledger, pipe string) *mix {
	return &mix{random: rand.New(rand.NewPCG(seed, uint64(client))), ledger: l, pipe: pipe}
}

// A call is a request about to be sent.
type call struct {
	id        int
	kind      *kind
	arguments string        // JSON
	told      bool          // it has a progress token: its id
	cancel    time.Duration // when it is cancelled; 0: never
}

// next returns the next request, which is in the ledger.
func (m *mix) next() call {
	k := m.kind()
	c := call{kind: k}
	text := m.text(k)
	c.told = m.random.IntN(oneTellIn) == 0
	if k.hangs && m.random.IntN(oneStuckIn) > 0 || m.random.IntN(oneCancelIn) == 0 {
		c.cancel = 1 + upTo(m.random, patience)
	}
	c.id = m.ledger.open(k, text)
	c.arguments = `{"_1":"` + text + `"}`
	return c
}

// kind returns what to call: mostly tools that work.
func (m *mix) kind() *kind {
	for {
		k := &kinds[m.random.IntN(len(kinds))]
		if !k.crashes && !k.hangs || m.random.IntN(oneCrashIn*rarer(16)) == 0 {
			return k
		}
	}
}

// text returns an argument that no other call has, unless it hangs.
func (m *mix) text(k *kind) string {
	if k.hangs {
		return m.pipe
	}
	most := smallText
	if m.random.IntN(oneLargeIn) == 0 && !k.small {
		most = largeText
	}
	size := int(math.Exp(m.random.Float64() * math.Log(float64(most))))
	unique := strconv.FormatUint(m.random.Uint64(), 36) + "."
	return (strings.Repeat(unique, size/len(unique)+1))[:max(size, len(unique))]
}

// request returns the message that makes a call; meta is members of its _meta, or "".
func (c call) request(meta string) string {
	id := strconv.Itoa(c.id)
	if c.told {
		if meta != "" {
			meta += ","
		}
		meta += `"progressToken":` + id
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + c.kind.tool +
		`","arguments":` + c.arguments + `,"_meta":{` + meta + `}}}`
}

// cancellation returns the message that cancels a call.
func (c call) cancellation() string {
	return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + strconv.Itoa(c.id) + `}}`
}

// upTo returns a random duration below most.
func upTo(random *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(random.Int64N(int64(most)))
}
