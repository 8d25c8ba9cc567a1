package runtime

import (
	"os"
	"path/filepath"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// programDir is the absolute folder of the program; `mcpgen build` sets it at link time.
var programDir string

// folders returns where the program's files may be, in the order of design decision 21.
func (p *Program) folders(o *flags) []string {
	var dirs []string
	add := func(dir string) {
		if dir == "" {
			return
		}
		if abs, err := filepath.Abs(dir); err == nil {
			dirs = append(dirs, abs)
		}
	}
	add(o.programDir)
	add(os.Getenv("MCPGEN_PROGRAM_DIR"))
	add(programDir)
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

// passedOn are the variables that pools need and that clients, which start servers with a
// bare environment, would not pass (design decision 22).
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
	text := func(s string) string { return string(jsonx.AppendString(nil, s)) }
	args, env := "", ""
	if p.Backend != nil {
		if dir := o.programDir; dir != "" {
			if dir, err = filepath.Abs(dir); err != nil {
				return "", err
			}
			args = `"--program-dir",` + text(dir)
		} else if dir := os.Getenv("MCPGEN_PROGRAM_DIR"); dir != "" {
			if dir, err = filepath.Abs(dir); err != nil {
				return "", err
			}
			args = `"--program-dir",` + text(dir)
		}
		for _, name := range passedOn {
			if value := os.Getenv(name); value != "" {
				if env != "" {
					env += ","
				}
				env += text(name) + ":" + text(value)
			}
		}
	}
	entry := `{`
	if o.config == DialectVSCode {
		entry += `"type":"stdio",`
	}
	entry += `"command":` + text(exe) + `,"args":[` + args + `],"env":{` + env + `}}`
	return wrapEntry(p.Name, o.config, entry), nil
}

// wrapEntry returns a client's configuration with one server in it.
func wrapEntry(name, dialect, entry string) string {
	servers := "mcpServers"
	if dialect == DialectVSCode {
		servers = "servers"
	}
	all := `{"` + servers + `":{` + string(jsonx.AppendString(nil, name)) + `:` + entry + `}}`
	return string(jsonx.AppendIndented(nil, []byte(all))) + "\n"
}
