package verify

import (
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/verify/catalog"
)

// defaultImage is for apps that name none.
const defaultImage = "alpine:3.20"

// scratchInside is where a container sees the scratch folder.
const scratchInside = "/qa"

// A box is what the command line of a container is made of.
type box struct {
	name    string
	runID   string
	scratch string // folder to mount; "" is none
	network string // to join; "" is the engine's default
	memory  string
	cpus    string
	keys    []string // of variables; values are passed in the engine's own environment
}

// options returns the options that every container gets.
func (b box) options() []string {
	args := []string{"--name", b.name, "--label", label + "=" + b.runID}
	for _, key := range b.keys {
		args = append(args, "-e", key)
	}
	if b.scratch != "" {
		args = append(args, "-v", b.scratch+":"+scratchInside)
	}
	for _, o := range [][2]string{{"--network", b.network}, {"--memory", b.memory}, {"--cpus", b.cpus}} {
		if o[1] != "" {
			args = append(args, o[0], o[1])
		}
	}
	return args
}

// imageArgs returns the arguments that run an app in its image.
func (b box) imageArgs(e *catalog.Entry, args []string, service []string) []string {
	line := append([]string{"run", "-i", "--rm"}, b.options()...)
	command := service
	if command == nil && e.HasArgs {
		command = append([]string{e.Command}, args...)
	}
	if entry := e.Service.Entrypoint; len(entry) > 0 {
		line = append(line, "--entrypoint", entry[0])
		command = append(slices.Clone(entry[1:]), command...)
	}
	return append(append(line, imageOf(e)), command...)
}

func imageOf(e *catalog.Entry) string {
	if e.Service.Image != "" {
		return e.Service.Image
	}
	return defaultImage
}

// dockerArgs returns the arguments of an entry that is a docker command itself: what
// stands after its run, held open for input, without a terminal, under our name.
func (b box) dockerArgs(args []string) []string {
	if i := slices.Index(args, "run"); i >= 0 {
		args = args[i+1:]
	}
	var kept []string
	interactive, removed := false, false
	options := true
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case !options:
		case arg == "--name" || arg == "-t" || arg == "--tty":
			if arg == "--name" {
				i++
			}
			continue
		case strings.HasPrefix(arg, "--name=") || strings.HasPrefix(arg, "--tty="):
			continue
		case isShort(arg):
			arg = strings.ReplaceAll(arg, "t", "")
			interactive = interactive || strings.Contains(arg, "i")
		case arg == "--interactive" || arg == "--interactive=true":
			interactive = true
		case arg == "--rm" || arg == "--rm=true":
			removed = true
		case !strings.HasPrefix(arg, "-"):
			options = false // the image; what follows is the server's
		case takesValue(arg) && i+1 < len(args):
			kept = append(kept, arg)
			i++
			arg = withoutValue(arg, args[i])
		}
		kept = append(kept, arg)
	}
	line := []string{"run"}
	if !interactive {
		line = append(line, "-i")
	}
	if !removed {
		line = append(line, "--rm")
	}
	return append(append(line, b.options()...), kept...)
}

// isShort reports whether an argument is a cluster of short options without values.
func isShort(arg string) bool {
	return len(arg) > 1 && arg[0] == '-' && strings.Trim(arg[1:], "itdPq") == ""
}

// takesValue reports whether an option of run has its value in the next argument. All have
// but these.
func takesValue(arg string) bool {
	if strings.Contains(arg, "=") || !strings.HasPrefix(arg, "--") && len(arg) > 2 {
		return false
	}
	return !slices.Contains([]string{
		"--detach", "--disable-content-trust", "--init", "--interactive", "--no-healthcheck", "--oom-kill-disable",
		"--privileged", "--publish-all", "--quiet", "--read-only", "--rm", "--sig-proxy", "--tty", "--use-api-socket",
	}, arg)
}

// withoutValue keeps what a variable is set to off the command line: NAME=${NAME} is NAME,
// whose value the engine has in its environment.
func withoutValue(option, value string) string {
	name, text, ok := strings.Cut(value, "=")
	if ok && (option == "-e" || option == "--env") && (text == "${"+name+"}" || text == "${ENV:"+name+"}") {
		return name
	}
	return value
}

// imageIn returns the image among the arguments of run, "" if there is none.
func imageIn(args []string) string {
	for i := 1; i < len(args); i++ {
		switch arg := args[i]; {
		case !strings.HasPrefix(arg, "-"):
			return arg
		case !isShort(arg) && takesValue(arg):
			i++
		}
	}
	return ""
}
