package sessions

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A refusal is a call that the library ran, or refused in other words, and that we refuse.
type refusal struct{ name, text string }

// refusals are the calls that cli-schema.md 6.2 refuses in other words than the library, or
// that the library takes.
var refusals = map[string]refusal{
	"tracker 13":    {"strict", "Argument trace must be a boolean"},
	"tracker 14":    {"strict", "Unknown argument: unknown"},
	"tracker-env 4": {"texts", "Argument labels needs at least 1 value(s), got 0"},
	"tracker-env 7": {"texts", "Argument labels must be an array of strings"},
	"hello 15":      {"strict", "Argument name must be a string"},
	"hello 16":      {"strict", "Argument name must be a string"},
	"kinds 14":      {"texts", "Invalid number for option --ratio: "},
	"kinds 17":      {"strict", "Argument title must be a string"},
	"kinds 18":      {"strict", "Argument title must be a string"},
	"kinds 19":      {"strict", "Missing required option: --title"},
	"kinds 30":      {"strict", "Argument items must be an array of strings"},
	"kinds 33":      {"texts", "Argument items needs at least 1 value(s), got 0"},
	"kinds 36":      {"texts", "Argument words must be an array of strings"},
	"kinds 39":      {"texts", "Argument xy must be an array of strings"},
	"kinds 67":      {"strict", "Invalid number for option --size: big"},
	"fleet 16":      {"strict", "Unknown argument: json"},
	"fleet 21":      {"strict", "Missing argument: id"},
	"fleet 23":      {"texts", "Argument spec: is required"},
	"fleet 24":      {"texts", "Argument zz: is not allowed"},
	"fleet 26":      {"strict", "Missing required option: --doc"},
	"fleet 40":      {"texts", "Argument items must be an array of strings"},
}

// diffRefusal has the refusals of a name, and for texts a command that was refused and runs.
func diffRefusal(name string) func(x *exchange, want *map[string]any) {
	return func(x *exchange, want *map[string]any) {
		if r := refusals[x.key]; r.name == name {
			x.setResult(*want, true, nil, r.text)
		}
		if name == "texts" && x.resultText(*want) == "Missing argument: items" && x.tool == "rest0" {
			x.run(want) // any number of words may be none
		}
	}
}

// diffBadArguments makes errors of results, as design decision 4 has it in older revisions.
func diffBadArguments(x *exchange, want *map[string]any) {
	text := x.resultText(*want)
	refused := refusals[x.key].text == text
	for _, start := range []string{"Missing required option: --", "Missing argument: ", "Invalid number for option --", "Option --"} {
		refused = refused || strings.HasPrefix(text, start)
	}
	if refused && text != "" && x.isError(*want) && x.revision <= "2025-06-18" {
		delete(*want, "result")
		(*want)["error"] = map[string]any{"code": json.Number("-32602"), "message": text}
	}
}

// resultText returns the text of a result that has one block.
func (x *exchange) resultText(answer map[string]any) string {
	result, _ := answer["result"].(map[string]any)
	content, _ := result["content"].([]any)
	if len(content) != 1 {
		return ""
	}
	text, _ := content[0].(map[string]any)["text"].(string)
	return text
}

func (x *exchange) isError(answer map[string]any) bool {
	result, _ := answer["result"].(map[string]any)
	return result["isError"] == true
}

// view returns what the handler of a command has printed of what it saw.
func (x *exchange) view(answer map[string]any) map[string]any {
	result, _ := answer["result"].(map[string]any)
	view, _ := result["structuredContent"].(map[string]any)
	if _, ok := view["opts"].(map[string]any); !ok {
		return nil
	}
	return view
}

// setResult puts a result of text blocks in the place of an answer. Structured is nil, or
// what is sent as such.
func (x *exchange) setResult(answer map[string]any, failed bool, structured map[string]any, texts ...string) {
	var content []any
	for _, text := range texts {
		content = append(content, map[string]any{"type": "text", "text": text})
	}
	result := map[string]any{"content": content, "isError": failed}
	if structured != nil {
		result["structuredContent"] = structured
	}
	delete(answer, "error")
	answer["result"] = result
}

// setEffect puts the result of what a program did in the place of an answer (cli-schema.md 8).
func (x *exchange) setEffect(answer map[string]any, e effect) {
	stderr := strings.TrimSpace(e.Stderr)
	if e.Exit != 0 {
		texts := []string{stderr}
		if stderr == "" {
			texts[0] = fmt.Sprint("Exit code ", e.Exit)
		}
		if strings.TrimSpace(e.Stdout) != "" {
			texts = append(texts, e.Stdout)
		}
		x.setResult(answer, true, nil, texts...)
		return
	}
	texts := []string{e.Stdout}
	if stderr != "" {
		texts = append(texts, stderr)
	}
	var structured map[string]any
	if d := json.NewDecoder(strings.NewReader(e.Stdout)); json.Valid([]byte(e.Stdout)) {
		d.UseNumber()
		_ = d.Decode(&structured)
	}
	x.setResult(answer, false, structured, texts...)
}

// run puts what the command does with the arguments as they are in the place of an answer,
// one word for each.
func (x *exchange) run(want *map[string]any) {
	v, err := x.invocation()
	e := effect{Exit: 1, Stderr: "Unexpected extra arguments\n\n(help screen elided)\n"}
	if err == nil {
		e = x.program.handle(v, "")
	}
	x.setEffect(*want, e)
}

// invocation returns what the handler sees, of the arguments and not of a command line. An
// optional word that begins with "-" never reaches it.
func (x *exchange) invocation() (*invocation, error) {
	n, v := &x.program.root, &invocation{}
	var options []option
	for {
		options = append(options, n.Options...)
		if n.isLeaf() {
			break
		}
		n = n.below(strings.TrimPrefix(x.tool, sanitized(v.path)))
		v.path = append(v.path, n.Key)
	}
	for _, o := range options {
		switch value := x.args[o.Name].(type) {
		case nil, bool:
			if value == true || x.program.name == "fleet" && (o.Name == "json" || o.Name == "yes") {
				v.opts = append(v.opts, pair{o.Name, "1"})
			}
		default:
			v.opts = append(v.opts, pair{o.Name, fmt.Sprint(value)})
		}
	}
	for _, p := range n.Positionals {
		words, _ := x.args[p.Name].([]any)
		if least, most := p.bounds(); most == 1 && x.args[p.Name] != nil {
			words = []any{x.args[p.Name]}
			if least == 0 && strings.HasPrefix(fmt.Sprint(words[0]), "-") {
				return nil, fmt.Errorf("%s does not take %v", p.Name, words[0])
			}
		}
		for _, word := range words {
			v.args = append(v.args, fmt.Sprint(word))
		}
	}
	return v, nil
}

func sanitized(path []string) string {
	name := ""
	for _, key := range path {
		name += strings.NewReplacer("-", "_", ":", "_").Replace(key) + "_"
	}
	return name
}

// below returns the command that a part of a tool's name begins with.
func (n *commandLine) below(name string) *commandLine {
	i := slices.IndexFunc(n.Commands, func(c commandLine) bool {
		key := strings.TrimSuffix(sanitized([]string{c.Key}), "_")
		return name == key || strings.HasPrefix(name, key+"_")
	})
	return &n.Commands[i]
}

// words returns the values of positionals.
func (x *exchange) words() []string {
	v, err := x.invocation()
	if err != nil {
		return []string{"-"}
	}
	return v.args
}

// diffDash has words that begin with "-", which the library takes for options, and words that
// are empty, which newer versions of it drop.
func diffDash(x *exchange, want *map[string]any) {
	if x.args == nil || refusals[x.key].text != "" || x.tool == "" || x.errorText(*want) != "" || strings.HasPrefix(x.resultText(*want), "Missing required env") {
		return
	}
	dash := slices.ContainsFunc(x.words(), func(s string) bool { return strings.HasPrefix(s, "-") })
	if dash || x.program.name == "fleet" && slices.Contains(x.words(), "") {
		x.run(want)
	}
}

// diffMultiWord has arrays that the library joins to one word.
func diffMultiWord(x *exchange, want *map[string]any) {
	if (x.tool == "upto3" || x.tool == "pair") && refusals[x.key].text == "" && len(x.words()) > 1 {
		x.run(want)
	}
}

// diffExecuted has what a handler sees that is run by a command line.
func diffExecuted(x *exchange, want *map[string]any) {
	if view := x.view(*want); view["inv"] == "mcp" {
		view["inv"] = "cli"
		if x.tool == "node_list" {
			view["opts"].(map[string]any)["json"] = "1"
		}
	}
}

// diffReturned has what is printed for what a handler returns.
func diffReturned(x *exchange, want *map[string]any) {
	result, _ := (*want)["result"].(map[string]any)
	structured, isStructured := result["structuredContent"]
	wrapped, _ := structured.(map[string]any)
	switch {
	case x.resultText(*want) == "Handler did not call ctx.respond() or return a value":
		x.setResult(*want, false, nil, "logged\n")
	case !isStructured || x.resultText(*want) != "" || x.program.name != "fleet":
	case wrapped["encoding"] == "base64":
		x.setResult(*want, false, nil, "\x01\x02\x03")
	case wrapped["contentType"] != nil:
		x.setResult(*want, false, nil, wrapped["content"].(string)+"\n")
	default:
		text, _ := json.Marshal(structured)
		result["content"].([]any)[0].(map[string]any)["text"] = indented(string(text))
	}
}

// diffStructured has what is sent as structuredContent only later.
func diffStructured(x *exchange, want *map[string]any) {
	if result, ok := (*want)["result"].(map[string]any); ok {
		if _, isObject := result["structuredContent"].(map[string]any); !isObject {
			delete(result, "structuredContent")
		}
	}
}

// diffFailure has what programs print that fail: all of it.
func diffFailure(x *exchange, want *map[string]any) {
	switch x.key {
	case "fleet 33":
		x.setEffect(*want, effect{Exit: 1, Stderr: "first line\nsecond line\n"})
	case "fleet 34":
		x.setEffect(*want, effect{Exit: 4, Stderr: "dying\n"})
	case "kinds 55", "kinds 56", "kinds 57", "kinds 58", "kinds 59":
		x.run(want)
	}
}
