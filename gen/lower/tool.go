package lower

import (
	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
	"github.com/mcpgen/mcpgen/gen/names"
)

// tool lowers a command that is served.
func (l *lowering) tool(c *manifest.Command) *ir.Tool {
	t := &ir.Tool{Name: c.Name, Index: c.Index, Doc: c.Desc, Raw: l.target(c)}
	b := toolBuilder{l: l, c: c, tool: t, keys: keys(c)}
	for i, a := range c.Args {
		b.arg(i, a)
	}
	for _, action := range c.Actions {
		l.action(t, action)
	}
	l.warnAbout(t)
	return t
}

// target lowers what a command runs.
func (l *lowering) target(c *manifest.Command) *ir.Target {
	t := &ir.Target{
		Command: c.Name, Index: c.Index,
		Return: c.Return.Type, ReturnText: typeText(c.Return.TypeText), Mime: c.Return.Mime,
	}
	if c.Pure {
		t.Func = l.function(c).fn
	} else {
		t.Remote = &ir.Remote{Pool: c.Pool, MID: c.MID}
	}
	return t
}

// action adds an output action to a tool, if it can be served: upstream lists all of them
// and fails when they are used (tools.md 14, D10).
func (l *lowering) action(t *ir.Tool, action *manifest.Terminal) {
	if action.Entry == nil { // it renders what the command line has saved
		return
	}
	reason := l.function(action.Entry).reason
	switch {
	case action.Long == "raw":
		reason = "its name stands for the plain result"
	case !action.Entry.Return.Type.IsServable():
		reason = reasonReturn
	case action.Entry.Streams:
		reason = reasonStreams
	}
	if reason != "" {
		l.warn("tool %q: output action %q is left out (%s)", t.Name, action.Long, reason)
		return
	}
	t.Renders = append(t.Renders, ir.Render{Name: action.Long, Target: l.target(action.Entry)})
}

// warnAbout notes what clients or operators may stumble over.
func (l *lowering) warnAbout(t *ir.Tool) {
	if want := names.CheckTool(t.Name); want != "" {
		l.warn("tool name %q: %s", t.Name, want)
	}
	for _, p := range t.Params {
		if want := names.CheckProperty(p.Key); want != "" {
			l.warn("tool %q: property name %q: %s", t.Name, p.Key, want)
		}
		l.warnAboutFlag(t, p)
		for _, f := range p.Fields {
			l.warnAboutFlag(t, f)
		}
	}
	files := usesFiles(t.Raw)
	for _, r := range t.Renders {
		files = files || usesFiles(r.Target)
	}
	if files {
		l.warn("tool %q reads or writes files that its caller may name; over HTTP it is served with --allow-file-io only", t.Name)
	}
}

// warnAboutFlag speaks up about flags that are on by default (decision 25): the command
// line names them after the switch that turns them off.
func (l *lowering) warnAboutFlag(t *ir.Tool, p *ir.Param) {
	if p.Flag && p.DefaultText == "true" {
		l.warn("tool %q: flag %q is true by default, so its name may be that of the switch that turns it off; false turns it off", t.Name, p.Key)
	}
}

func usesFiles(t *ir.Target) bool { return t.Func != nil && t.Func.Files }
