package manifest

import (
	"math"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// readExec reads how the program is run.
func (c *cliReader) readExec(n *Node, at *place) {
	x := &c.cli.Exec
	var capture, style, dash string
	c.closed(n, at,
		member{"command", false, c.command},
		member{"cwd", false, c.path(&x.Cwd)},
		member{"env", false, c.environment},
		member{"envFile", false, c.path(&x.EnvFile)},
		member{"shellEnv", false, c.shell(c.reader)},
		member{"timeoutMs", false, c.timeout(&x.TimeoutMS)},
		member{"maxOutputBytes", false, c.integer(&x.MaxOutput, 1, math.MaxInt64/2)},
		member{"maxParallel", false, func(n *Node, at *place) {
			v := int64(x.MaxParallel)
			c.integer(&v, 1, math.MaxInt32)(n, at)
			x.MaxParallel = int(v)
		}},
		member{"capture", false, c.oneOf(&capture, "file", "pipe")},
		member{"doubleDash", false, c.oneOf(&dash, "auto", "always", "never")},
		member{"optionStyle", false, c.oneOf(&style, "separate", "equals")},
		member{"autoFlags", false, c.flagNames(&c.cli.AutoFlags)},
		member{"hideFlags", false, c.flagNames(&c.cli.HideFlags)},
	)
	x.Pipe, x.Equals = capture == "pipe", style == "equals"
	switch dash {
	case "always":
		x.Dash = ir.DashAlways
	case "never":
		x.Dash = ir.DashNever
	}
}

// command reads the program and its leading arguments.
func (c *cliReader) command(n *Node, at *place) {
	c.words(&c.cli.Exec.Command)(n, at)
	switch {
	case n.Kind == ArrayNode && len(n.Elements) == 0:
		c.problem(n, at, "it is empty, want the words of a command")
	case n.Kind == ArrayNode && n.Elements[0].Kind == StringNode && n.Elements[0].Str == "":
		c.problem(n.Elements[0], at.element(0), "it is empty, want a program")
	}
}

// path reads a path, which is kept as it is.
func (r *reader) path(dst *string) readFunc {
	return func(n *Node, at *place) {
		r.name(dst)(n, at)
		if n.Kind == StringNode && n.Str == "" {
			r.problem(n, at, "it is empty, want a path")
		}
	}
}

// environment reads variables, in the order of the document.
func (c *cliReader) environment(n *Node, at *place) {
	c.entries(n, at, func(name string, n *Node, at *place) {
		v := ir.Variable{Name: name}
		c.variable(name, n, at)
		c.name(&v.Value)(n, at)
		c.cli.Exec.Env = append(c.cli.Exec.Env, v)
	})
}

// variable checks the name of a variable of the environment.
func (r *reader) variable(name string, n *Node, at *place) {
	if name == "" || strings.ContainsAny(name, "=\x00") {
		r.problem(n, at, "got %q, want the name of a variable", name)
	}
}

// shell reads whether the environment of a login shell is imported, and of which. The
// manifest is read last and wins.
func (c *cliReader) shell(r *reader) readFunc {
	return func(n *Node, at *place) {
		switch {
		case n.Kind == BoolNode && n.Bool:
			c.cli.Exec.ShellEnv = ir.LoginShell
		case n.Kind == BoolNode:
			c.cli.Exec.ShellEnv = ""
		case n.Kind == StringNode && n.Str != "":
			r.name(&c.cli.Exec.ShellEnv)(n, at)
		default:
			r.want(n, at, "a boolean or the path of a shell")
		}
	}
}

func (r *reader) timeout(dst *int64) readFunc {
	return r.integer(dst, 0, math.MaxInt64/int64(time.Millisecond))
}

// flagNames reads names of options. What the manifest says is no nil, even if it is nothing.
func (c *cliReader) flagNames(dst *[]string) readFunc {
	return func(n *Node, at *place) {
		*dst = []string{}
		c.list(func(n *Node, at *place) {
			var name string
			c.text(&name)(n, at)
			if n.Kind == StringNode && c.cli.Root != nil && !c.flags[name] {
				c.warn(at, "there is no option %q of kind \"presence\"", name)
			}
			*dst = append(*dst, name)
		})(n, at)
	}
}

// readServer reads what the server says of itself.
func (c *cliReader) readServer(n *Node, at *place) {
	var collision string
	cli := c.cli
	c.closed(n, at,
		member{"name", false, c.nonEmpty(&cli.Name, "a name")},
		member{"version", false, c.nonEmpty(&cli.Version, "a version")},
		member{"instructions", false, c.text(&cli.Instructions)},
		member{"schemaResourceUri", false, c.nonEmpty(&cli.SchemaURI, "a URI")},
		member{"resources", false, c.list(c.resource)},
		member{"onCollision", false, c.oneOf(&collision, "error", "suffix")},
		member{"notes", false, c.oneOf(&c.notes, "auto", "append", "omit")},
	)
	cli.Suffix = collision == "suffix"
}

// nonEmpty reads a string that has something in it.
func (r *reader) nonEmpty(dst *string, want string) readFunc {
	return func(n *Node, at *place) {
		if n.Kind == StringNode && n.Str == "" {
			r.problem(n, at, "it is empty, want %s", want)
			return
		}
		r.text(dst)(n, at)
	}
}

// resource reads a resource, whose body is exactly one of three things.
func (c *cliReader) resource(n *Node, at *place) {
	if uri := n.Get("uri"); uri != nil {
		at.what = "resource " + quote(uri.Str)
	}
	res := CLIResource{Node: n, At: at.String(), Resource: ir.Resource{MIME: "text/plain"}}
	c.closed(n, at,
		member{"uri", true, c.nonEmpty(&res.URI, "a URI")},
		member{"name", true, c.nonEmpty(&res.Name, "a name")},
		member{"description", false, c.text(&res.Description)},
		member{"mimeType", false, c.nonEmpty(&res.MIME, "a media type")},
		member{"text", false, func(n *Node, at *place) {
			res.Text = new(string)
			c.text(res.Text)(n, at)
		}},
		member{"file", false, c.path(&res.File)},
		member{"args", false, c.words(&res.Args)},
	)
	bodies := 0
	for _, key := range []string{"text", "file", "args"} {
		if n.Get(key) != nil {
			bodies++
		}
	}
	if n.Kind == ObjectNode && bodies != 1 {
		c.problem(n, at, "%d of text, file and args, want one", bodies)
	}
	c.cli.Resources = append(c.cli.Resources, res)
}

// words reads arguments of a program; none is no nil.
func (r *reader) words(dst *[]string) readFunc {
	return func(n *Node, at *place) {
		*dst = []string{}
		r.list(func(n *Node, at *place) {
			var word string
			r.name(&word)(n, at)
			*dst = append(*dst, word)
		})(n, at)
	}
}
