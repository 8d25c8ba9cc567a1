package remote

import "github.com/mcpgen/mcpgen/runtime/mcp"

// tell arranges for the caller to be told of its call before the answer comes: of what it
// has asked for, if anything.
func (j *Job) tell() {
	j.exchange.Listener = nil
	if j.reply.WantsLog(mcp.LevelInfo) {
		j.exchange.Listener = j
	}
	j.reply.Beat(j)
}

// Line implements [pool.Listener]: the caller is told what its call prints.
func (j *Job) Line(lang, line string) { j.reply.Log(mcp.LevelInfo, lang, line) }

// Ahead implements [mcp.Place].
func (j *Job) Ahead() (n int, waits bool) { return j.pools.set.Ahead(&j.exchange) }
