// Command mcpgen writes native MCP servers for compiled Morloc programs and for command-line
// programs, and checks MCP servers, anybody's.
//
//	mcpgen ./calc-build/manifest.json     write the Go package calc-mcp
//	mcpgen build ./calc                   leave a binary
//	mcpgen verify --stdio -- ./calc-mcp   check a server
//	mcpgen help                           all commands
//
// It exits with status 0 when the work is done, 1 when it could not be done, or when check
// or diff found a difference, and 2 when its command line makes no sense.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends mcpgen at once
	status := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run runs mcpgen and returns its exit status. The go command gets env.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) int {
	a := &app{env: env, stdout: stdout, stderr: stderr, terminal: isTerminal(stderr)}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	return a.report(root.ExecuteContext(ctx))
}
