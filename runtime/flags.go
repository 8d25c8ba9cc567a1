package runtime

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// flags are the command line of a generated server.
type flags struct {
	places
	commands
	limits
	lazy      bool
	pageBytes int
	logging   bool
	service   Service // the one to serve; nil is standard input and output
	tools     bool
	config    string // dialect of the client entry to print; "" to serve
	version   bool
	help      bool
}

// Dialects of --mcp-config (design decision 37).
const (
	DialectClaude = "claude" // of many others too
	DialectVSCode = "vscode"
	DialectCursor = "cursor"
)

var dialects = []string{DialectClaude, DialectVSCode, DialectCursor}

const placeHelp = `  --program-dir DIR       folder that holds the program's pool files
`

const placesHelp = `  --program-dir NAME=DIR  folder that holds the pool files of the program NAME; may
                          be repeated
`

const poolHelp = `  --lazy-pools            start language pools with the first call that needs them
  --logging               forward what pools print to clients that want it
`

const flagHelp = `  --list-page-bytes N     list tools in pages of about N bytes (default: on one page)
  --mcp-tools             print the tools/list payload and exit
  --mcp-config[=DIALECT]  print an entry for a client's configuration and exit;
                          DIALECT is claude (default), vscode or cursor
  --version               print the program's name and version and exit
  --help                  print this help and exit
`

func (p *Program) usage(services []Service) string {
	s := p.Name + " serves the tools of " + p.names() + " over MCP on standard input and output"
	if len(services) > 0 {
		s += ", or over HTTP"
	}
	s += ".\n\nflags:\n" + p.cliUsage() + p.poolUsage() + limitHelp + flagHelp
	for _, x := range services {
		s += "\nflags for HTTP:\n" + x.Flags(flag.NewFlagSet("", flag.ContinueOnError))
	}
	return s
}

// poolUsage returns what --help says of flags that there are for language pools, or that say
// more with them.
func (p *Program) poolUsage() string {
	switch {
	case p.hasNoPools():
		return timeoutHelp
	case p.joined != nil:
		return placesHelp + poolHelp + poolLimitHelp + poolTimeoutHelp
	}
	return placeHelp + poolHelp + poolLimitHelp + poolTimeoutHelp
}

// hasNoPools reports whether all programs are command-line programs.
func (p *Program) hasNoPools() bool { return len(p.commandLines()) == len(p.units()) }

// flagTexts makes the errors of package flag speak as users do: of flags with two dashes.
var flagTexts = strings.NewReplacer(
	"flag provided but not defined: -", "unknown flag --",
	"invalid boolean value", "invalid value",
	" for flag -", " for --",
	" for -", " for --",
)

// flagText returns the text of an error of package flag in those words. The value that was
// given, in quotes, stays as it is.
func flagText(text string) string {
	before, rest, _ := strings.Cut(text, `"`)
	if value, err := strconv.QuotedPrefix(`"` + rest); err == nil {
		return flagTexts.Replace(before) + value + flagTexts.Replace(rest[len(value)-1:])
	}
	return flagTexts.Replace(text)
}

func (p *Program) parseFlags(args []string, services []Service) (*flags, error) {
	o := &flags{limits: defaultLimits()}
	if err := o.setPlaces(p); err != nil {
		return nil, err
	}
	if err := o.setCommands(p); err != nil {
		return nil, err
	}
	set := flag.NewFlagSet("", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, s := range services {
		s.Flags(set)
	}
	o.limits.define(set)
	set.Func("list-page-bytes", "", o.setPageBytes)
	if len(p.commandLines()) > 0 {
		set.Func("cli", "", func(value string) error { return o.put(p, value) })
	}
	if !p.hasNoPools() {
		set.Func("program-dir", "", func(value string) error { return p.putPlace(o.given, value) })
		set.BoolVar(&o.lazy, "lazy-pools", false, "")
		set.BoolVar(&o.logging, "logging", false, "")
		o.limits.defineForPools(set)
	}
	set.BoolVar(&o.tools, "mcp-tools", false, "")
	set.BoolVar(&o.version, "version", false, "")
	set.BoolFunc("mcp-config", "", o.setConfig)
	err := set.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		o.help = true
		return o, nil
	case err != nil:
		return nil, errors.New(flagText(err.Error()) + "; see --help")
	case set.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q; see --help", set.Arg(0))
	}
	for _, s := range services {
		wanted, err := s.Wanted()
		if err != nil {
			return nil, err
		}
		if wanted {
			o.service = s
		}
	}
	return o, nil
}

func (o *flags) setPageBytes(value string) (err error) {
	if o.pageBytes, err = strconv.Atoi(value); err != nil || o.pageBytes < 1 {
		return errors.New("want a number of bytes")
	}
	return nil
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
