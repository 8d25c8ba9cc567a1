package runtime

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// programDir is the absolute folder of the program, or a list of those of several in the
// form of MCPGEN_PROGRAM_DIR; `mcpgen build` sets it at link time.
var programDir string

// dirVariable is the environment variable that names the folder of the program, or a list,
// separated as PATH is, of NAME=DIR if there are several.
const dirVariable = "MCPGEN_PROGRAM_DIR"

// places are the folders that a server is told of, by unit; "" is none.
type places struct {
	given  []string // by the flag
	named  []string // by the environment
	linked []string // by mcpgen build
}

// setPlaces reads what is known before the flags.
func (s *places) setPlaces(p *Program) error {
	n := len(p.units())
	s.given, s.named, s.linked = make([]string, n), make([]string, n), make([]string, n)
	if p.hasNoPools() {
		return nil // the variable is another server's
	}
	if err := p.putPlaces(s.named, os.Getenv(dirVariable)); err != nil {
		return errors.New(dirVariable + ": " + err.Error())
	}
	return p.putPlaces(s.linked, programDir)
}

// putPlaces puts the folders of a list where they belong.
func (p *Program) putPlaces(dirs []string, list string) error {
	if p.joined == nil {
		return p.putPlace(dirs, list)
	}
	for _, entry := range filepath.SplitList(list) {
		if err := p.putPlace(dirs, entry); err != nil {
			return err
		}
	}
	return nil
}

// putPlace puts a folder where it belongs: it is the program's, or NAME=DIR if there are
// several.
func (p *Program) putPlace(dirs []string, entry string) error {
	if p.joined == nil {
		dirs[0] = entry
		return nil
	}
	for i, u := range p.joined {
		if dir, ok := strings.CutPrefix(entry, u.Name+"="); ok {
			dirs[i] = dir
			return nil
		}
	}
	return errors.New("want NAME=DIR, with one of the names " + p.names())
}

// folders returns where the files of a program may be, which is unit i of the server, in
// the order of design decision 21.
func (p *Program) folders(o *flags, i int) []string {
	var dirs []string
	add := func(dir string) {
		if dir == "" {
			return
		}
		if abs, err := filepath.Abs(dir); err == nil {
			dirs = append(dirs, abs)
		}
	}
	add(o.given[i])
	add(o.named[i])
	add(o.linked[i])
	if exe, err := executable(); err == nil {
		if p.Folder != "" {
			add(filepath.Join(filepath.Dir(exe), filepath.FromSlash(p.Folder)))
		}
		add(filepath.Dir(exe))
	}
	return dirs
}

// executable returns the path of this program with links followed.
func executable() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(exe)
}

// place returns the folder of unit i that was given or named, "" if none was.
func (s *places) place(i int) (string, error) {
	dir := s.given[i]
	if dir == "" {
		dir = s.named[i]
	}
	if dir == "" {
		return "", nil
	}
	return filepath.Abs(dir)
}

// passedOn are the variables that pools need and that clients, which start servers with a
// bare environment, would not pass (design decision 22). Command-line programs need the
// first one, to be found.
var passedOn = []string{"PATH", "MORLOC_HOME", "LD_LIBRARY_PATH", "PYTHONPATH", "R_LIBS"}

// clientEntry returns the JSON text that makes a client start this server.
func (p *Program) clientEntry(o *flags) (string, error) {
	if o.service != nil {
		entry, err := o.service.Entry(o.config)
		if err != nil {
			return "", err
		}
		return wrapEntry(p.Name, o.config, entry), nil
	}
	exe, err := executable()
	if err != nil {
		return "", err
	}
	args, env, err := p.clientNeeds(o)
	if err != nil {
		return "", err
	}
	entry := `{`
	if o.config == DialectVSCode {
		entry += `"type":"stdio",`
	}
	entry += `"command":` + quote(exe) + `,"args":[` + strings.Join(args, ",") + `],"env":{` + strings.Join(env, ",") + `}}`
	return wrapEntry(p.Name, o.config, entry), nil
}

// clientNeeds returns the arguments and the variables that a server needs which is started
// elsewhere: elements of a JSON array, members of an object.
func (p *Program) clientNeeds(o *flags) (args, env []string, err error) {
	var variables []string
	for i, u := range p.units() {
		var name, value string
		switch {
		case u.Backend == nil:
		case u.isCommandLine():
			if variables == nil {
				variables = passedOn[:1]
			}
			if o.commands[i] != nil {
				name, value = "--cli", commandText(o.commands[i])
			}
		default:
			variables = passedOn
			name = "--program-dir"
			if value, err = o.place(i); err != nil {
				return nil, nil, err
			}
		}
		if value == "" {
			continue
		}
		if p.joined != nil {
			value = u.Name + "=" + value
		}
		args = append(args, quote(name), quote(value))
	}
	for _, name := range variables {
		if value := os.Getenv(name); value != "" {
			env = append(env, quote(name)+":"+quote(value))
		}
	}
	return args, env, nil
}

func quote(s string) string { return string(jsonx.AppendString(nil, s)) }

// wrapEntry returns a client's configuration with one server in it.
func wrapEntry(name, dialect, entry string) string {
	servers := "mcpServers"
	if dialect == DialectVSCode {
		servers = "servers"
	}
	all := `{"` + servers + `":{` + quote(name) + `:` + entry + `}}`
	return string(jsonx.AppendIndented(nil, []byte(all))) + "\n"
}
