package runtime

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// flags are the command line of a generated server.
type flags struct {
	programDir string
	lazy       bool
	tools      bool
	config     string // dialect of the client entry to print; "" to serve
	version    bool
	help       bool
}

// dialects are the values of --mcp-config (design decision 37).
var dialects = []string{"claude", "vscode"}

const flagHelp = `  --program-dir DIR       folder that holds the program's pool files
  --lazy-pools            start language pools with the first call that needs them
  --mcp-tools             print the tools/list payload and exit
  --mcp-config[=DIALECT]  print an entry for a client's configuration and exit;
                          DIALECT is claude (default) or vscode
  --version               print the program's name and version and exit
  --help                  print this help and exit
`

func (p *Program) usage() string {
	return p.Name + " serves the tools of " + p.Name + " over MCP on standard input and output.\n\nflags:\n" + flagHelp
}

func parseFlags(args []string) (*flags, error) {
	o := new(flags)
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&o.programDir, "program-dir", "", "")
	set.BoolVar(&o.lazy, "lazy-pools", false, "")
	set.BoolVar(&o.tools, "mcp-tools", false, "")
	set.BoolVar(&o.version, "version", false, "")
	set.BoolFunc("mcp-config", "", o.setConfig)
	err := set.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		o.help = true
		return o, nil
	case err != nil:
		text := strings.Replace(err.Error(), "flag provided but not defined: -", "unknown flag --", 1)
		return nil, errors.New(text + "; see --help")
	case set.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q; see --help", set.Arg(0))
	}
	return o, nil
}

func (o *flags) setConfig(value string) error {
	if value == "true" { // no value given
		value = dialects[0]
	}
	for _, d := range dialects {
		if value == d {
			o.config = value
			return nil
		}
	}
	return fmt.Errorf("want one of %s", strings.Join(dialects, ", "))
}

// listing returns the tools/list payload in the form of --mcp-tools (tools.md 13).
func (p *Program) listing() string {
	return string(jsonx.AppendIndented(nil, []byte(`{"tools":`+p.Server.Tools+`}`))) + "\n"
}
