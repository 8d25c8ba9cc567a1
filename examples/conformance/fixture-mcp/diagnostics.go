//go:build conformance

package main

import (
	"strings"
	"time"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// The conformance suite calls tools that no program can have: a manifest has no words for a
// list of several content blocks, for a schema of the author's own, for calls that tell of their
// progress or log as they please, or for what a client must be able to do. They are added here,
// to the server that mcpgen has written.

func init() {
	list := make([]string, len(diagnostics))
	for i := range diagnostics {
		d := &diagnostics[i]
		list[i] = `{"name":"` + d.name + `","description":"` + d.description + `","inputSchema":` + d.schema() + `}`
	}
	server.Tools = strings.TrimSuffix(toolList, "]") + "," + strings.Join(list, ",") + "]"
	server.New = func() mcp.Tools { return new(extended) }
}

// A diagnostic is a tool of the suite's.
type diagnostic struct {
	name, description string
	input             string                  // schema; "" if there are no arguments
	result            string                  // what it answers, if there is no run
	run               func(c *mcp.Call) error // as [mcp.Tools] has it
}

const (
	noArguments = `{"type":"object","additionalProperties":false}`
	okResult    = `{"content":[{"type":"text","text":"ok"}],"isError":false}`

	// Every keyword of this one has to be listed as it is.
	schema202012 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
		`"$defs":{"address":{"$anchor":"addressDef","type":"object",` +
		`"properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
		`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},` +
		`"contactMethod":{"type":"string","enum":["phone","email"]},` +
		`"phone":{"type":"string"},"email":{"type":"string"}},` +
		`"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
		`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},` +
		`"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`

	severalKinds = `{"content":[{"type":"text","text":"Several kinds:"},` +
		`{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AA` +
		`AAMBAQDJ/pLvAAAAAElFTkSuQmCC"},` +
		`{"type":"resource","resource":{"uri":"test://mixed","mimeType":"application/json","text":"{\"test\":\"data\"}"}}],` +
		`"isError":false}`
)

var diagnostics = []diagnostic{
	{name: "test_multiple_content_types", description: "Three kinds of content", result: severalKinds},
	{name: "json_schema_2020_12_tool", description: "Keywords of JSON Schema 2020-12", input: schema202012, result: okResult},
	{name: "test_tool_with_progress", description: "Tells how far it has come", run: progress},
	{name: "test_tool_with_logging", description: "Logs what it does", run: logging},
	{name: "test_missing_capability", description: "Needs a client that has models sampled", run: sampling},
	{name: "test_streaming_elicitation", description: "Asks for nothing", result: okResult},
	{name: "test_logging_tool", description: "Logs, if it is asked to", run: logging},
	{name: "test_x_mcp_header", description: "Has an argument that a header mirrors", input: regionSchema, run: region},
}

func (d *diagnostic) schema() string {
	if d.input == "" {
		return noArguments
	}
	return d.input
}

// extended is the program's tools and those of the suite.
type extended struct{ tools }

// Call implements [mcp.Tools].
func (x *extended) Call(c *mcp.Call, name []byte) error {
	for i := range diagnostics {
		switch d := &diagnostics[i]; {
		case d.name != string(name):
		case d.run != nil:
			return d.run(c)
		default:
			return c.ReplyResult(d.result)
		}
	}
	return x.tools.Call(c, name)
}

// pause is what tools wait between two things that they tell.
const pause = 50 * time.Millisecond

// progress tells three times how far it has come.
func progress(c *mcp.Call) error {
	return detach(c, func(r *mcp.Reply) {
		for done := 0; done <= 100; done += 50 {
			r.Progress(float64(done), 100, "")
			time.Sleep(pause)
		}
	})
}

// logging logs three messages.
func logging(c *mcp.Call) error {
	return detach(c, func(r *mcp.Reply) {
		for _, text := range []string{"started", "working", "done"} {
			r.Log(mcp.LevelInfo, "", text)
			time.Sleep(pause)
		}
	})
}

// detach runs work beside other calls and answers that it is done.
func detach(c *mcp.Call, work func(r *mcp.Reply)) error {
	r := new(mcp.Reply)
	c.Detach(r)
	go func() {
		work(r)
		r.Value([]byte(`"done"`))
	}()
	return nil
}

// sampling refuses clients that cannot be asked to have a model sampled. It does not ask.
func sampling(c *mcp.Call) error {
	if err := c.Needs("sampling"); err != nil {
		return err
	}
	return c.ReplyResult(okResult)
}

const regionSchema = `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`

var regionKeys = jsonx.Keys{Names: []string{"region"}}

// region has an argument that a header has to repeat.
func region(c *mcp.Call) error {
	var region []byte
	d := &c.Arguments
	o := d.Object(&regionKeys)
	for d.Member(&o) {
		if d.First(&o, 0) {
			region = []byte(d.Text())
		}
	}
	d.EndObject(&o)
	if err := d.Err(); err != nil {
		return err
	}
	if err := c.Mirrored("Region", region); err != nil {
		return err
	}
	return c.ReplyResult(okResult)
}
