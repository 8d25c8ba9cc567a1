//go:build unix

package verify

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// A call is a message that a server of the fleet gets.
type call struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// A player is a server of the fleet: what it does for each method. What has no entry is
// answered with -32601, if it is a request.
type player map[string]func(c call)

func say(format string, args ...any) { fmt.Printf(format+"\n", args...) }

func warn(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (c call) result(text string) { say(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.ID, text) }

func (c call) fault(code int, rest string) {
	say(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"%s}}`, c.ID, code, rest)
}

// run serves until the input ends.
func (p player) run() {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var c call
		if json.Unmarshal([]byte(line), &c) != nil {
			continue
		}
		switch f, ok := p[c.Method]; {
		case ok:
			f(c)
		case c.ID != nil && c.Method != "":
			c.fault(-32601, "")
		}
	}
}

const initialized = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fleet","version":"1"}}`

// tools returns a result of tools/list with tools of these names.
func tools(names ...string) string {
	var list []string
	for _, n := range names {
		list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, n))
	}
	return `{"tools":[` + strings.Join(list, ",") + `]}`
}

// good returns a sound server with tools of these names.
func good(names ...string) player {
	return player{
		"initialize": func(c call) { c.result(initialized) },
		"tools/list": func(c call) { c.result(tools(names...)) },
		"tools/call": func(c call) { c.result(`{"content":[{"type":"text","text":"done"}]}`) },
	}
}

// with returns a server that does something else for one method.
func (p player) with(method string, f func(c call)) player {
	p[method] = f
	return p
}

func result(text string) func(call) { return func(c call) { c.result(text) } }

func fault(code int, rest string) func(call) { return func(c call) { c.fault(code, rest) } }

func silence(call) {}

func exit(code int) func(call) { return func(call) { syscall.Exit(code) } }

// modern returns a server of 2026-07-28 that answers initialize in its own way.
func modern(initialize func(call)) player {
	const meta = `"resultType":"complete","ttlMs":1000,"cacheScope":"public"`
	return player{
		"initialize":      initialize,
		"server/discover": result(`{` + meta + `,"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`),
		"tools/list":      result(strings.Replace(tools("a", "b"), "{", "{"+meta+",", 1)),
	}
}

func die(code int, words string) {
	warn("%s", words)
	syscall.Exit(code)
}

// initResult returns an initialize result of one version.
func initResult(version string) string { return strings.Replace(initialized, "2025-11-25", version, 1) }

// beServer plays a server. The names are the numbers of the cases of spec/qa.md 12, and
// words for what else goes wrong with servers.
func beServer(name string) {
	if f, ok := fleet[name]; ok {
		f()
		return
	}
	good("a", "b").run()
}

var fleet = map[string]func(){
	"1": func() { good("a", "b", "c").run() },
	"3": func() { good("a").run() },
	"4": func() { good("a", "B").run() },
	"5": func() { good().run() },
	"7": func() { good("x").run() },
	"8": func() {
		good().with("tools/list", func(c call) {
			if strings.Contains(string(c.Params), `"cursor":"2"`) {
				c.result(tools("b"))
				return
			}
			c.result(strings.Replace(tools("a"), "{", `{"nextCursor":"2",`, 1))
		}).run()
	},
	"9": func() {
		good().with("tools/list", result(strings.Replace(tools("a"), "{", `{"nextCursor":"x",`, 1))).run()
	},
	"10": func() {
		names := []string{"a"}
		good().with("initialize", func(c call) {
			if strings.Contains(string(c.Params), `"sampling"`) {
				names = append(names, "b")
			}
			c.result(initialized)
		}).with("tools/list", func(c call) { c.result(tools(names...)) }).run()
	},
	"11": func() {
		first := true
		good().with("tools/list", func(c call) {
			if !first {
				c.result(tools("a", "b"))
				return
			}
			first = false
			c.result(tools("a"))
			time.AfterFunc(100*time.Millisecond, func() { say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`) })
		}).run()
	},
	"12": func() { player{"initialize": fault(-32603, "")}.run() },
	"13": func() { modern(fault(-32601, "")).run() },
	"14": func() { modern(fault(-32022, `,"data":{"supported":["2026-07-28"]}`)).run() },
	"15": func() { good("a", "b").with("initialize", result(`{}`)).run() },
	"16": func() {
		good("a", "b").with("initialize", result(`{"protocolVersion":"2025-11-25","capabilities":{}}`)).run()
	},
	"17": func() { good("a", "b").with("initialize", result(initResult("2024-11-05"))).run() },
	"18": func() { good("a", "b").with("initialize", result(initResult("9999-01-01"))).run() },
	"19": func() { say("Server ready"); good("a", "b").run() },
	"20": func() { warn("Welcome to the server"); good("a", "b").run() },
	"21": func() {
		good("a", "b").with("initialize", func(c call) {
			say(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
			c.result(initialized)
		}).run()
	},
	"22": func() { player{"initialize": silence}.run() },
	"23": func() { good().with("tools/list", silence).run() },
	"24": func() {
		good().with("initialize", func(c call) { c.result(initialized); syscall.Exit(0) }).run()
	},
	"25": func() { die(7, "boom") },
	"26": func() { die(1, "ACME_API_KEY is not set") },
	"27": func() { die(1, "SyntaxError: Unexpected token }") },
	"28": func() { warn("waiting for a token"); player{"initialize": silence}.run() },
	"30": func() { die(1, "Error: connect ECONNREFUSED 127.0.0.1:5432") },
	"31": func() {
		if os.Getenv("POSTGRES_URL") != "postgres://qa:qa@db:5432/qa" {
			die(1, "Error: connect ECONNREFUSED 127.0.0.1:5432")
		}
		good("a", "b").run()
	},
	"35":  func() { die(1, "npm error code E404\nnpm error 404 '@acme/none@1' is not in this registry") },
	"35b": func() { die(1, "npm error code ETARGET\nnpm error notarget No matching version found for x@9") },
	"36":  func() { die(1, "npm error code ENOTFOUND\nnpm error network request to the registry failed") },
	"42":  func() { good("a", "b").with("tools/call", fault(-32601, "")).run() },
	"43":  func() { good("a", "b").with("tools/call", fault(-32602, "")).run() },
	"44":  func() { good("a", "b").with("tools/call", toolError("MCP error -32602: Tool a not found")).run() },
	"45":  func() { good("a", "b").with("tools/call", toolError("401 Unauthorized")).run() },
	"46":  func() { good("a", "b").with("tools/call", silence).run() },
	"47":  func() { good("a", "b").with("tools/call", exit(3)).run() },
	"48": func() {
		good().with("tools/list", result(`{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"q":{}},"required":["q"]}},{"name":"b","inputSchema":{"type":"object"}}]}`)).run()
	},
	"49": func() {
		good().with("tools/list", result(`{"tools":[{"name":"a","inputSchema":{"type":"string"}},{"name":"b","inputSchema":{"type":"object"}}]}`)).run()
	},
	"50": func() { good("a", "a", "b").run() },
	"51": func() { good("a").with("tools/call", fault(-32603, "")).run() },
	"52": func() {
		signal.Ignore(syscall.SIGTERM)
		good("a", "b").run()
		time.Sleep(time.Hour) // without cgo, select {} would be a deadlock
	},
	"env": func() {
		warn("%s", os.Getenv("REDIRECT_URL"))
		good("a", "b").run()
	},

	// What is worse than being wrong.
	"flood-stdout":  func() { floodForever(os.Stdout) },
	"flood-stderr":  func() { go floodForever(os.Stderr); good("a", "b").run() },
	"no-newline":    func() { endless(); good("a", "b").run() },
	"children":      func() { leaveChildren(); good("a", "b").run() },
	"closes-output": func() { os.Stdout.Close(); time.Sleep(time.Hour) },
	"answers-twice": func() {
		good("a", "b").with("initialize", func(c call) { c.result(initialized); c.result(initialized) }).run()
	},
	"other-id": func() {
		player{"initialize": func(c call) { say(`{"jsonrpc":"2.0","id":77,"result":%s}`, initialized) }}.run()
	},
	"string-id": func() {
		player{"initialize": func(c call) { say(`{"jsonrpc":"2.0","id":"1","result":%s}`, initialized) }}.run()
	},
	"never-reads": func() { pings(); time.Sleep(time.Hour) },
	"late-words": func() {
		say(`{"jsonrpc":"2.0","id":1,"result":%s}`, initialized)
		say(`{"jsonrpc":"2.0","id":2,"result":%s}`, tools("a", "b"))
	},
	"echo-secret":    echoSecret,
	"deep":           func() { say(strings.Repeat(`{"a":`, 100_000)); good("a", "b").run() },
	"bad-result":     func() { good("a", "b").with("tools/call", result(`{"content":"text"}`)).run() },
	"bad-structured": badStructured,
	"harmless":       harmless,
}

func toolError(text string) func(call) {
	return result(fmt.Sprintf(`{"isError":true,"content":[{"type":"text","text":%q}]}`, text))
}

func floodForever(w io.Writer) {
	line := []byte(strings.Repeat("all work and no play ", 50) + "\n")
	for {
		if _, err := w.Write(line); err != nil {
			return
		}
	}
}

// endless writes a gigabyte that is one line.
func endless() {
	chunk := []byte(strings.Repeat("x", 1<<20))
	for range 1 << 10 {
		os.Stdout.Write(chunk)
	}
	os.Stdout.Write([]byte("\n"))
}

// leaveChildren starts children that outlive their parent: one in its group, one that
// leaves it, both with all of its files.
func leaveChildren() {
	for _, setsid := range []bool{false, true} {
		cmd := exec.Command(os.Args[0], "fleet", "never-reads")
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: setsid}
		if err := cmd.Start(); err != nil {
			die(1, err.Error())
		}
	}
}

func pings() {
	for i := range 10_000 {
		say(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i)
	}
}

// echoSecret says its secret wherever a server can say something.
func echoSecret() {
	secret := os.Getenv("ACME_API_KEY")
	quoted, _ := json.Marshal(secret)
	inner := strings.Trim(string(quoted), `"`)
	warn("starting with %s", secret)
	say("ready with %s", secret)
	player{
		"initialize": result(fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s %s"}}`, inner)),
		"tools/list": result(fmt.Sprintf(`{"tools":[{"name":"a","description":"%s","inputSchema":{"type":"%s"}},{"name":"%s"}]}`, inner, inner, inner)),
		"tools/call": fault(-32603, fmt.Sprintf(`,"data":{"key":"%s"}`, inner)),
	}.run()
}

func badStructured() {
	good().with("tools/list", result(`{"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}},{"name":"b","inputSchema":{"type":"object"}}]}`)).
		with("tools/call", result(`{"content":[],"structuredContent":{"n":"three"}}`)).run()
}

func harmless() {
	good().with("tools/list", result(`{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true,"openWorldHint":false}}]}`)).run()
}
