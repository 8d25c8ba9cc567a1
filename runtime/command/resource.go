package command

import (
	"errors"
	"os"
	"strconv"

	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// Output returns a [mcp.Resource.Load] whose body is what the program prints when it is run
// with words.
func (c *CLI) Output(words ...string) func(*mcp.Call) error {
	return func(call *mcp.Call) error {
		j := c.begin(call, c.Timeout)
		for _, word := range words {
			j.Argv.Word(word)
		}
		j.submit()
		return nil
	}
}

// File returns a [mcp.Resource.Load] whose body is that of a file, as it is when it is asked
// for.
func (c *CLI) File(name string) func(*mcp.Call) error {
	return func(call *mcp.Call) error {
		path := c.runner.path(name)
		r := new(mcp.Reply)
		call.Detach(r)
		go func() {
			body, err := readFile(path)
			if err != nil {
				r.Unreadable(reason(err))
				return
			}
			r.Contents(body)
		}()
		return nil
	}
}

// maxFile is the size of the largest file that is read for a resource.
const maxFile = 64 << 20

var (
	errIrregular = errors.New("not a regular file")
	errLargeFile = errors.New("larger than " + strconv.Itoa(maxFile) + " bytes")
)

// readFile reads a file that does not make the reader wait.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errIrregular
	case info.Size() > maxFile:
		return nil, errLargeFile
	}
	return os.ReadFile(path)
}
