package lower

import (
	"fmt"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

// Reasons for leaving a command out (tools.md 6), as upstream words them.
const (
	reasonStdin     = "reads from @stdin"
	reasonArgument  = "argument has an Arrow Table or stream-handle type"
	reasonReturn    = "return has an Arrow Table or stream-handle type"
	reasonCollision = "property name collision on '%s'"
	reasonStreams   = "streams to @stdout"
)

// renderKey is the property that chooses an output action.
const renderKey = "_render"

// excluded returns why a command is left out, "" if it is served. The first reason in this
// order counts.
func (l *lowering) excluded(c *manifest.Command) string {
	for _, a := range c.Args {
		if a.Stdin {
			return reasonStdin
		}
		if !a.Type.IsServable() {
			return reasonArgument
		}
	}
	if !c.Return.Type.IsServable() {
		return reasonReturn
	}
	if key := collision(c); key != "" {
		return fmt.Sprintf(reasonCollision, key)
	}
	if c.Streams {
		return reasonStreams
	}
	return l.function(c).reason
}

// collision returns a property name that is taken twice, "" if there is none. The name of
// the property that chooses an output action is never free.
func collision(c *manifest.Command) string {
	taken := map[string]bool{}
	for _, key := range keys(c) {
		if taken[key] {
			return key
		}
		taken[key] = true
	}
	if taken[renderKey] {
		return renderKey
	}
	return ""
}
