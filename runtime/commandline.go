package runtime

import (
	"bytes"
	"errors"
	"os"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// A CommandLine is a [Backend] that runs a command-line program.
type CommandLine interface {
	Backend
	// Words returns the program and its leading arguments; [Options.Command] comes in their
	// place.
	Words() []string
}

// cliVariable is the environment variable that names a command-line program: as the flag --cli
// does, or if there are several programs, in a JSON object by their names.
const cliVariable = "MCPGEN_CLI"

const cliHelp = `  --cli COMMAND           run COMMAND in place of "%s": a path, or a
                          JSON array of a path and arguments
`

const clisHelp = `  --cli NAME=COMMAND      run COMMAND, a path or a JSON array of a path and arguments,
                          in place of that of the program NAME; may be repeated
`

// isCommandLine reports whether p runs a command-line program.
func (p *Program) isCommandLine() bool {
	_, ok := p.Backend.(CommandLine)
	return ok
}

// commandLines returns the names of the units that run command-line programs.
func (p *Program) commandLines() []string {
	var names []string
	for _, u := range p.units() {
		if u.isCommandLine() {
			names = append(names, u.Name)
		}
	}
	return names
}

// cliUsage returns what --help says of the flag --cli; nothing if there is no such flag.
func (p *Program) cliUsage() string {
	switch {
	case len(p.commandLines()) == 0:
		return ""
	case p.joined != nil:
		return clisHelp
	}
	words := p.Backend.(CommandLine).Words()
	return strings.Replace(cliHelp, "%s", strings.Join(words, " "), 1)
}

// commands are the command lines that a server is told of, by unit; nil is none.
type commands [][]string

// setCommands reads what the environment says, before the flags.
func (c *commands) setCommands(p *Program) error {
	*c = make(commands, len(p.units()))
	text := os.Getenv(cliVariable)
	if text == "" || len(p.commandLines()) == 0 {
		return nil
	}
	var err error
	if p.joined == nil {
		err = c.put(p, text)
	} else {
		err = c.putObject(p, text)
	}
	if err != nil {
		return errors.New(cliVariable + ": " + err.Error())
	}
	return nil
}

// put puts a command where it belongs: it is the program's, or NAME=COMMAND if there are
// several.
func (c commands) put(p *Program, text string) (err error) {
	if p.joined == nil {
		c[0], err = parseCommand(text)
		return err
	}
	name, command, found := strings.Cut(text, "=")
	i := p.commandLine(name)
	if !found || i < 0 {
		return errors.New("want NAME=COMMAND, with one of the names " + strings.Join(p.commandLines(), ", "))
	}
	c[i], err = parseCommand(command)
	return err
}

// commandLine returns the unit of that name that runs a command-line program, -1 if there is
// none.
func (p *Program) commandLine(name string) int {
	for i, u := range p.units() {
		if u.Name == name && u.isCommandLine() {
			return i
		}
	}
	return -1
}

var errCommand = errors.New("want a path, or a JSON array of strings")

// parseCommand reads a path, or a JSON array of a path and arguments.
func parseCommand(text string) ([]string, error) {
	l := jsonx.Lexer{Src: []byte(text)}
	if l.Space(); l.Peek() != '[' {
		if text == "" {
			return nil, errCommand
		}
		return []string{text}, nil
	}
	var words []string
	more, err := l.Open(']', 1)
	for more && err == nil {
		var word string
		if word, err = stringAt(&l); err == nil {
			words = append(words, word)
			more, err = l.Next(']')
		}
	}
	if l.Space(); err != nil || l.Pos < len(l.Src) || len(words) == 0 || words[0] == "" {
		return nil, errCommand
	}
	return words, nil
}

// stringAt moves past a JSON string and returns it, decoded: a word that a program can be given.
func stringAt(l *jsonx.Lexer) (string, error) {
	if l.Peek() != '"' {
		return "", jsonx.ErrSyntax
	}
	raw, err := l.Str()
	if l.Escaped {
		raw = jsonx.AppendUnescaped(nil, raw)
	}
	if bytes.IndexByte(raw, 0) >= 0 {
		return "", jsonx.ErrSyntax
	}
	return string(raw), err
}

// putObject puts the members of a JSON object where they belong.
func (c commands) putObject(p *Program, text string) error {
	l := jsonx.Lexer{Src: []byte(text)}
	if l.Space(); l.Peek() != '{' {
		return errCommands(p)
	}
	more, err := l.Open('}', 1)
	for more && err == nil {
		var name []byte
		if name, err = l.Key(); err != nil {
			break
		}
		i := p.commandLine(string(name))
		if i < 0 {
			return errCommands(p)
		}
		if c[i], err = commandAt(&l); err == nil {
			more, err = l.Next('}')
		}
	}
	if l.Space(); err != nil || l.Pos < len(l.Src) {
		return errCommands(p)
	}
	return nil
}

// commandAt moves past a command in JSON: a path, or an array.
func commandAt(l *jsonx.Lexer) ([]string, error) {
	if l.Peek() == '"' {
		path, err := stringAt(l)
		if path == "" {
			return nil, errCommand
		}
		return []string{path}, err
	}
	start := l.Pos
	if l.Peek() != '[' {
		return nil, errCommand
	}
	if err := l.Value(1); err != nil {
		return nil, err
	}
	return parseCommand(string(l.Src[start:l.Pos]))
}

func errCommands(p *Program) error {
	return errors.New("want a JSON object of paths, or arrays of strings, with the names " +
		strings.Join(p.commandLines(), ", "))
}

// commandText returns the text that [parseCommand] reads as words.
func commandText(words []string) string {
	if len(words) == 1 && !strings.HasPrefix(strings.TrimLeft(words[0], " \t\r\n"), "[") {
		return words[0]
	}
	return string(jsonx.AppendList(nil, words, jsonx.AppendString))
}
