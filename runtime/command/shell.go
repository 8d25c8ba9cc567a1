package command

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A login shell has so long to tell its environment, and so many bytes.
const (
	shellLimit = 5 * time.Second
	shellMax   = 1 << 20
)

// loginEnvironment returns the environment of a login shell. If it cannot be had, that is a
// line on stderr, and nothing.
func (r *runner) loginEnvironment() []string {
	shell := r.cli.ShellEnv
	if shell == LoginShell {
		shell = userShell()
	}
	var out outcome
	path, err := r.find(shell, os.Getenv("PATH"))
	if err == nil {
		err = r.shell.run(r.thread, &order{
			path:    path,
			words:   []string{shell, "-l", "-c", "env"},
			env:     os.Environ(),
			timeout: r.shellLimit,
			max:     shellMax,
		}, &out)
	}
	var fault string
	switch {
	case err != nil:
		fault = reason(err)
	case out.cause == causeTimeout:
		fault = "no answer within " + r.shellLimit.String()
	case out.cause == causeOutput:
		fault = "more than " + strconv.Itoa(shellMax) + " bytes"
	case out.cause != causeNone: // nobody needs it any more
		return nil
	case !out.succeeded():
		fault = out.status()
	default:
		return strings.Split(string(out.stdout), "\n")
	}
	r.log("environment of the login shell " + shell + ": " + fault)
	return nil
}

// userShell returns the shell of the user.
func userShell() string {
	if shell := os.Getenv("SHELL"); shell != "" {
		return shell
	}
	if runtime.GOOS == "darwin" {
		return "/bin/zsh"
	}
	return "/bin/bash"
}
