package sessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// An exchange is a line that was sent to the library's own server, and how it answered.
type exchange struct {
	Send, Recv json.RawMessage

	program  *commandProgram
	key      string // the recording and the id: tracker 13
	revision string // that was negotiated with ours
	line     string // as it is sent
	id       any
	method   string
	tool     string
	args     map[string]any // of a call
	hasArgs  bool           // the call has arguments
}

// TestUpstream sends what was sent to the library's own servers to ours. Answers may differ
// by what [differences] makes of them only, and each of those must be met.
func TestUpstream(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	for _, recording := range []string{"tracker", "tracker-env", "hello", "kinds", "fleet"} {
		t.Run(recording, func(t *testing.T) { compareUpstream(t, recording, met) })
	}
	for _, d := range differences {
		if !met[d.name] {
			t.Errorf("no difference %q was met", d.name)
		}
	}
	for key := range refusals {
		if !met[key] {
			t.Errorf("no exchange %q was met", key)
		}
	}
}

func compareUpstream(t *testing.T, recording string, met map[string]bool) {
	program, withEnv, _ := strings.Cut(recording, "-")
	var upstream struct{ Exchanges []*exchange }
	if err := readJSON(filepath.Join(commandLines, "upstream", recording+".mcp.json"), &upstream); err != nil {
		t.Fatal(err)
	}
	p, err := loadProgram(commandLines, program)
	if err != nil {
		t.Fatal(err)
	}
	b := newBin(t)
	env := []string{"TRACKER_TOKEN=t", "TRACKER_URL="}
	if withEnv != "" {
		env[1] = "TRACKER_URL=u"
	}
	client := startWith(t, b.env(t, env...), commandServer(t, program).binary, t.TempDir())
	revision := ""
	for _, x := range upstream.Exchanges {
		x.read(t, recording, p, &revision)
		client.send(x.line)
		want := x.expected(t, met)
		if want == nil {
			continue // the end of the session tells if it was answered
		}
		var got map[string]any
		decode(t, client.receive(), &got)
		if diff := gocmp.Diff(readable(want), readable(got)); diff != "" {
			t.Errorf("%s: %s\n%s", x.key, x.line, diff)
		}
	}
	client.end()
}

// read takes the line apart.
func (x *exchange) read(t *testing.T, recording string, p *commandProgram, revision *string) {
	t.Helper()
	x.program = p
	if json.Unmarshal(x.Send, &x.line) == nil { // what is no message is recorded as a string
		x.key, x.revision = recording+" "+x.line, *revision
		return
	}
	var request struct {
		ID     any
		Method string
		Params struct {
			Name, ProtocolVersion string
			Arguments             json.RawMessage
		}
	}
	compact, err := json.Marshal(x.Send)
	if err != nil {
		t.Fatal(err)
	}
	x.line = string(compact)
	decode(t, x.line, &request)
	if request.Params.ProtocolVersion != "" {
		*revision = request.Params.ProtocolVersion
	}
	x.revision, x.id, x.method, x.tool = *revision, request.ID, request.Method, request.Params.Name
	x.key = fmt.Sprint(recording, " ", request.ID)
	x.hasArgs = request.Params.Arguments != nil
	if x.hasArgs && request.Params.Arguments[0] == '{' {
		decode(t, string(request.Params.Arguments), &x.args)
	}
}

// expected returns the answer of ours: the library's, with what differs put in its place.
func (x *exchange) expected(t *testing.T, met map[string]bool) map[string]any {
	t.Helper()
	var want map[string]any
	if string(x.Recv) != "null" {
		decode(t, string(x.Recv), &want)
	}
	for _, d := range differences {
		before, _ := json.Marshal(want)
		d.apply(x, &want)
		if after, _ := json.Marshal(want); string(after) != string(before) {
			met[d.name] = true
		}
	}
	if refusals[x.key] != (refusal{}) {
		met[x.key] = true
	}
	return want
}

// readable returns an answer in which texts that are JSON are read: the order of members is
// not compared, but for the whole of the export.
func readable(answer map[string]any) map[string]any {
	result, _ := answer["result"].(map[string]any)
	content, _ := result["content"].([]any)
	for _, block := range content {
		if block, ok := block.(map[string]any); ok {
			var v map[string]any
			if text, ok := block["text"].(string); ok && json.Unmarshal([]byte(text), &v) == nil {
				block["text"] = v
			}
		}
	}
	return answer
}

// A difference is one of the list in cli-schema.md 14: it makes our answer of the library's.
type difference struct {
	name  string
	apply func(x *exchange, want *map[string]any)
}

// differences are applied in this order.
var differences = []difference{
	{"revision", diffRevision},
	{"envelope", diffEnvelope},
	{"call-errors", diffCallErrors},
	{"list", diffList},
	{"properties", diffProperties},
	{"strict", diffRefusal("strict")},
	{"texts", diffRefusal("texts")},
	{"dash", diffDash},
	{"multi-word", diffMultiWord},
	{"executed", diffExecuted},
	{"returned", diffReturned},
	{"structured", diffStructured},
	{"failure", diffFailure},
	{"resources", diffResources},
	{"envelope", diffBadArguments},
}

func diffRevision(x *exchange, want *map[string]any) {
	if x.method == "initialize" {
		result := (*want)["result"].(map[string]any)
		result["protocolVersion"] = x.revision
		result["capabilities"].(map[string]any)["tools"] = map[string]any{"listChanged": false}
	}
}

// diffEnvelope has what mcp-protocol.md says of messages and of methods that are not known.
func diffEnvelope(x *exchange, want *map[string]any) {
	set := func(code, text string) {
		e := map[string]any{"code": json.Number(code), "message": text}
		*want = map[string]any{"jsonrpc": "2.0", "id": nil, "error": e}
	}
	switch {
	case x.line == "not json":
		set("-32700", "invalid JSON")
	case strings.HasPrefix(x.line, "["):
		set("-32600", "message must be a JSON object")
	case strings.Contains(x.line, `"id":null`):
		set("-32600", "id must be a string or a number")
	case x.errorText(*want) == "Invalid Request" && strings.Contains(x.line, `"jsonrpc"`):
		x.setError(*want, `jsonrpc must be "2.0"`)
	case x.errorText(*want) == "Invalid Request":
		delete(*want, "error")
		(*want)["result"] = map[string]any{}
	case x.errorText(*want) == "Method not found" && x.method != "resources/templates/list":
		x.setError(*want, "unknown method '"+x.method+"'")
	}
}

func (x *exchange) errorText(answer map[string]any) string {
	e, _ := answer["error"].(map[string]any)
	text, _ := e["message"].(string)
	return text
}

func (x *exchange) setError(answer map[string]any, text string) {
	answer["error"].(map[string]any)["message"] = text
}

// diffCallErrors has the texts of tools.md 7.
func diffCallErrors(x *exchange, want *map[string]any) {
	switch text := x.errorText(*want); {
	case strings.HasPrefix(text, "Unknown tool: "):
		x.setError(*want, "unknown tool '"+x.tool+"'")
	case text == "Invalid params: name required":
		x.setError(*want, "missing tool 'name'")
	case text == "Invalid params: arguments must be an object" && strings.Contains(x.line, `"arguments":null`):
		x.run(want)
	case text == "Invalid params: arguments must be an object":
		x.setError(*want, "'arguments' must be an object")
	}
}

// diffResources has what is not declared in the manifest, other URIs, and the errors of
// cli-schema.md 9.
func diffResources(x *exchange, want *map[string]any) {
	declared := []string{"argsbarg://schema", "tracker://motd"}
	switch x.method {
	case "resources/templates/list":
		delete(*want, "error")
		(*want)["result"] = map[string]any{"resourceTemplates": []any{}}
	case "resources/list":
		result := (*want)["result"].(map[string]any)
		var all []any
		for _, entry := range result["resources"].([]any) {
			r := entry.(map[string]any)
			if r["name"] == "cli-schema" {
				delete(r, "description")
			}
			if r["uri"] == "fleet_ctl://schema" {
				r["uri"] = "fleet.ctl://schema"
			} else if !slices.Contains(declared, r["uri"].(string)) {
				continue
			}
			all = append(all, r)
		}
		result["resources"] = all
	case "resources/read":
		var request struct{ Params struct{ URI string } }
		_ = json.Unmarshal([]byte(x.line), &request)
		if uri := request.Params.URI; uri != "" && !slices.Contains(declared, uri) {
			delete(*want, "result")
			(*want)["error"] = map[string]any{
				"code": json.Number("-32002"), "message": "Unknown resource: " + uri, "data": map[string]any{"uri": uri},
			}
		}
	}
}

// tools returns the tools of a list.
func (x *exchange) tools(answer map[string]any) []any {
	result, _ := answer["result"].(map[string]any)
	tools, _ := result["tools"].([]any)
	return tools
}

// toolOrder is the order of fleet's tools as its author wrote them.
var toolOrder = strings.Fields("node_list node_drain node__id_show apply patch text bin arr num log boom die many")

// diffList has which tools there are, their order, and options of outer commands.
func diffList(x *exchange, want *map[string]any) {
	absent := map[string][]string{"kinds": {"dup"}, "fleet": {"quiet"}}[x.program.name]
	if slices.Contains(absent, x.tool) {
		delete(*want, "result")
		(*want)["error"] = map[string]any{"code": json.Number("-32602"), "message": "unknown tool '" + x.tool + "'"}
		return
	}
	if view := x.view(*want); view != nil && x.args["profile"] != nil && x.program.name == "fleet" {
		view["opts"].(map[string]any)["profile"] = x.args["profile"]
	}
	if x.method != "tools/list" {
		return
	}
	var tools []any
	twice := 0
	for _, tool := range x.tools(*want) {
		tool := tool.(map[string]any)
		switch name := tool["name"].(string); {
		case slices.Contains(absent, name):
			continue
		case name == "a_b":
			if twice++; twice > 1 {
				tool["name"] = fmt.Sprintf("a_b_%d", twice)
			}
		case x.program.name == "fleet" && name != "apply":
			properties(tool)["profile"] = map[string]any{"type": "string", "description": "Profile."}
		}
		tools = append(tools, tool)
	}
	if x.program.name == "fleet" {
		place := func(tool any) int { return slices.Index(toolOrder, tool.(map[string]any)["name"].(string)) }
		slices.SortStableFunc(tools, func(a, b any) int { return cmp.Compare(place(a), place(b)) })
	}
	(*want)["result"].(map[string]any)["tools"] = tools
}

func schemaOf(tool map[string]any) map[string]any { return tool["inputSchema"].(map[string]any) }
func properties(tool map[string]any) map[string]any {
	return schemaOf(tool)["properties"].(map[string]any)
}

// diffProperties has what is published of properties.
func diffProperties(x *exchange, want *map[string]any) {
	if x.method != "tools/list" {
		return
	}
	for _, tool := range x.tools(*want) {
		tool := tool.(map[string]any)
		properties := properties(tool)
		bound := func(name string, bounds map[string]any) {
			property := properties[name].(map[string]any)
			maps.Copy(property, map[string]any{"type": "array", "items": map[string]any{"type": "string"}})
			maps.Copy(property, bounds)
			required, _ := schemaOf(tool)["required"].([]any)
			schemaOf(tool)["required"] = append(required, name)
		}
		one, two, three := json.Number("1"), json.Number("2"), json.Number("3")
		switch x.program.name + " " + tool["name"].(string) {
		case "tracker issue_label_set":
			bound("labels", map[string]any{"minItems": one})
		case "kinds rest1":
			bound("items", map[string]any{"minItems": one})
		case "kinds upto3":
			bound("words", map[string]any{"minItems": one, "maxItems": three})
		case "kinds pair":
			bound("xy", map[string]any{"minItems": two, "maxItems": two})
		case "fleet node__id_show":
			properties["id"] = map[string]any{"type": "string", "description": "Path parameter id.", "minLength": one}
			schemaOf(tool)["required"] = []any{"id"}
		case "fleet node_list":
			properties["max"].(map[string]any)["default"] = json.Number("5")
			tags := properties["tags"].(map[string]any)
			for _, branch := range tags["oneOf"].([]any) {
				tags["description"] = branch.(map[string]any)["description"]
				delete(branch.(map[string]any), "description")
			}
		}
	}
}
