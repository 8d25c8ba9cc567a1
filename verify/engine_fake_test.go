//go:build unix

package verify

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// beEngine is a container engine. It appends its arguments to the log in $FAKE_ENGINE and
// behaves as the file mode there says; images named fleet/N play servers of the fleet.
func beEngine(args []string) int {
	dir := os.Getenv("FAKE_ENGINE")
	line, _ := json.Marshal(args)
	f, err := os.OpenFile(filepath.Join(dir, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return 1
	}
	fmt.Fprintf(f, "%s\n", line)
	f.Close()
	mode, _ := os.ReadFile(filepath.Join(dir, "mode"))
	if string(mode) == "down" {
		warn("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?")
		return 1
	}
	switch args[0] {
	case "image":
		return inspectImage(args[2])
	case "pull":
		return pullImage(args[1])
	case "ps":
		fmt.Print(os.Getenv("FAKE_PS"))
	case "run":
		return runImage(args)
	}
	return 0
}

func inspectImage(image string) int {
	switch {
	case strings.HasPrefix(image, "wedged"):
		time.Sleep(time.Hour)
	case strings.HasPrefix(image, "fleet/"):
		return 0
	}
	warn("Error response from daemon: No such image: %s", image)
	return 1
}

func pullImage(image string) int {
	switch {
	case strings.HasPrefix(image, "denied"):
		warn("Error response from daemon: pull access denied for %s, repository does not exist or may require 'docker login'", image)
		return 1
	case strings.HasPrefix(image, "unknown"):
		warn("Error response from daemon: manifest for %s not found: manifest unknown: manifest unknown", image)
		return 1
	}
	return 0
}

var fleetImage = regexp.MustCompile(`^fleet/(.*)$`)

func runImage(args []string) int {
	i := slices.IndexFunc(args, fleetImage.MatchString)
	if i < 0 || slices.Contains(args, "-d") {
		return 0
	}
	switch name := fleetImage.FindStringSubmatch(args[i])[1]; name {
	case "125":
		warn("docker: Error response from daemon: Duplicate mount point: /qa.")
		return 125
	case "127":
		warn(`docker: Error response from daemon: exec: "nope": executable file not found in $PATH`)
		return 127
	default:
		beServer(name)
	}
	return 0
}

// beNpx is npx with four packages, whose servers answer as they did when they were recorded.
func beNpx(args []string) int {
	pkg := regexp.MustCompile(`server-([a-z-]+)@`)
	for _, arg := range args {
		if m := pkg.FindStringSubmatch(arg); m != nil {
			replay(os.Getenv("HOME"), m[1])
			return 0
		}
	}
	return 1
}

// replay plays a recorded server from the folder of recordings.
func replay(dir, name string) {
	read := func(file string) (r struct {
		ServerInfo, Capabilities, Tools json.RawMessage
	}) {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || json.Unmarshal(text, &r) != nil {
			die(1, "no recording "+file)
		}
		return r
	}
	recorded := read(name + ".tools.json")
	warn("Starting default (STDIO) server...")
	player{
		"initialize": func(c call) {
			if name == "everything" && strings.Contains(string(c.Params), `"sampling"`) {
				recorded = read(name + ".fullcaps.tools.json")
			}
			c.result(compactJSON(fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":%s,"serverInfo":%s}`, recorded.Capabilities, recorded.ServerInfo)))
		},
		"notifications/initialized": func(call) { say(`{"method":"notifications/tools/list_changed","jsonrpc":"2.0"}`) },
		"tools/list":                func(c call) { c.result(compactJSON(fmt.Sprintf(`{"tools":%s}`, recorded.Tools))) },
		"tools/call":                func(c call) { c.result(recordedCall(dir, name, c)) },
	}.run()
}

// recordedCall returns what a server answered to a call of the same tool.
func recordedCall(dir, name string, c call) string {
	var params struct{ Name string }
	_ = json.Unmarshal(c.Params, &params)
	files, _ := filepath.Glob(filepath.Join(dir, name+".*.transcript.json"))
	for _, file := range files {
		var transcript struct {
			Exchanges []struct {
				Send struct {
					Method string
					Params struct{ Name string }
				}
				Recv struct{ Result json.RawMessage }
			}
		}
		text, _ := os.ReadFile(file)
		_ = json.Unmarshal(text, &transcript)
		for _, e := range transcript.Exchanges {
			if e.Send.Method == "tools/call" && e.Send.Params.Name == params.Name && e.Recv.Result != nil && !strings.Contains(string(e.Recv.Result), `"isError"`) {
				return compactJSON(string(e.Recv.Result))
			}
		}
	}
	return `{"isError":true,"content":[{"type":"text","text":"not recorded"}]}`
}

func compactJSON(text string) string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return "null"
	}
	out, _ := json.Marshal(v)
	return string(out)
}
