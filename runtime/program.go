package runtime

import (
	"errors"
	"io"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// A Program is one generated server. It is not changed once [Main] was called.
type Program struct {
	Name     string // module of the program; prefix of lines on stderr
	Version  string // of the compiler that built the program
	Server   *mcp.Server
	Excluded []string // notes about commands that are not served, a line each
	Folder   string   // the manifest's folder, relative to the generated package
	Backend  Backend  // nil if no tool needs one
}

// A Transport reads messages from r and gives them to c until r ends, and returns an error
// of r or of c. Calls may still be running then.
type Transport func(c *mcp.Conn, r io.Reader) error

// A Backend is what remote tools run in.
type Backend interface {
	// Start begins to start, or with o.Lazy only prepares to; it does not wait and
	// reports nothing: calls that need what cannot be started fail and say why.
	Start(o Options)
	// Stop ends everything and returns when nothing is left. Calls that are running fail.
	Stop()
}

// Options are what a [Backend] is started with.
type Options struct {
	Program string   // for lines on stderr
	Folders []string // where the program's files may be, in the order of preference
	Lazy    bool     // start with the first call
}

// Prepare starts what remote tools run in, for tests: the program's files are looked for
// in MCPGEN_PROGRAM_DIR and in dir. The returned function stops it.
func (p *Program) Prepare(dir string) (stop func()) {
	if p.Backend == nil {
		return func() {}
	}
	p.Backend.Start(Options{Program: p.Name, Folders: p.folders(&flags{programDir: dir}), Lazy: true})
	return p.Backend.Stop
}

// Serve serves the program on a pair of streams until r ends and every call is answered;
// for tests, after [Program.Prepare].
func (p *Program) Serve(serve Transport, r io.Reader, w io.Writer) error {
	c := mcp.NewConn(p.Server, mcp.NewWriter(w))
	if err := serve(c, r); err != nil {
		return err
	}
	if !c.Drain(drainAtEnd) {
		return errStillRunning
	}
	return nil
}

var errStillRunning = errors.New("calls are still running")
