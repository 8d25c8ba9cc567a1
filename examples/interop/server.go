package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/examples/internal/launch"
)

// endLimit is how long a server may take to end when its client is done.
const endLimit = 10 * time.Second

// start starts the server of a run, or has the client do so. The returned function is to be
// called when the client is done; it ends the server and returns what was wrong with that.
func (x *run) start(ctx context.Context, j *job) (end func() (problem string), err error) {
	mark := markVariable + "=" + x.mark
	if x.transport == http {
		s, err := launch.Serve(ctx, x.program.server, mark)
		if err != nil {
			return nil, err
		}
		j.URL = s.URL
		return func() string { return text(s.End()) }, nil
	}
	// Clients do not tell how their server has ended, so a script does.
	script, status := filepath.Join(x.dir, "server"), filepath.Join(x.dir, "status")
	j.Command = []string{script}
	lines := fmt.Sprintf("#!/bin/sh\n%s '%s'\necho $? >'%s'\n", mark, x.program.server, status)
	return func() string { return ended(status) }, os.WriteFile(script, []byte(lines), 0o777)
}

// text returns the text of an error, "" if there is none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// ended waits until the client's server has left its status in a file.
func ended(file string) (problem string) {
	for deadline := time.Now().Add(endLimit); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		switch status, err := os.ReadFile(file); {
		case err != nil || len(status) == 0:
		case string(status) == "0\n":
			return ""
		default:
			return "server: ended with status " + strings.TrimSpace(string(status))
		}
	}
	return "server: did not end by itself when the client was done"
}
