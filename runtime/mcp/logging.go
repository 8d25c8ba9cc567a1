package mcp

import (
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// A Level is how much a log message matters. The zero Level is none.
type Level uint8

// Levels of RFC 5424, in the order of what they matter.
const (
	LevelDebug Level = iota + 1
	LevelInfo
	LevelNotice
	LevelWarning
	LevelError
	LevelCritical
	LevelAlert
	LevelEmergency
)

// String returns the name that the protocol has for the level.
func (l Level) String() string {
	return [...]string{"", "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}[l]
}

// parseLevel returns the level of that name, 0 if there is none.
func parseLevel(name []byte) Level {
	for l := LevelDebug; l <= LevelEmergency; l++ {
		if string(name) == l.String() {
			return l
		}
	}
	return 0
}

// setLevel answers logging/setLevel: the client wants no messages that matter less.
func (c *Conn) setLevel(id []byte) {
	name, _ := c.msg.Text(rpc.ParamLevel)
	level := parseLevel(name)
	if level == 0 {
		c.fail(id, rpc.CodeInvalidParams, textLevel)
		return
	}
	c.session.Level = level
	c.reply(id)
}

// level returns the least level that the caller wants messages of; 0 if it wants none. A
// modern request says so itself.
func (c *Conn) level() Level {
	switch {
	case !c.endpoint.options.Logging || c.notices == nil:
		return 0
	case c.revision == Revision20260728:
		name, _ := c.msg.Text(rpc.MetaLogLevel)
		return parseLevel(name)
	}
	return max(c.session.Level, LevelDebug)
}

// WantsLog reports whether the caller wants log messages of that level.
func (r *Reply) WantsLog(level Level) bool { return r.level != 0 && level >= r.level }

// Log sends the caller a log message, if it wants those of that level. Logger names where it
// comes from; "" is nowhere in particular. It is called as [Reply.Progress] is.
func (r *Reply) Log(level Level, logger, text string) {
	r.telling.Lock()
	defer r.telling.Unlock()
	if !r.WantsLog(level) || r.canceled.Load() {
		return
	}
	out := append(r.out[:0], `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"`...)
	out = append(append(out, level.String()...), `",`...)
	if logger != "" {
		out = append(jsonx.AppendString(append(out, `"logger":`...), logger), ',')
	}
	out = jsonx.AppendString(append(out, `"data":`...), text)
	r.out = append(out, "}}\n"...)
	r.conn.notices.Notify(r.out)
}
