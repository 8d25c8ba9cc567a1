package check

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/verify/client"
)

// maxFindings bounds what is said of one server.
const maxFindings = 100

// Tools checks a list of tools by the rules of a revision. overHTTP adds the rules of
// that transport.
func Tools(tools []client.Tool, revision string, overHTTP bool) []Finding {
	c := &checker{revision: revision, overHTTP: overHTTP}
	seen := map[string]bool{}
	for i, t := range tools {
		c.tool = t.Name
		if t.Name == "" {
			c.tool = "tools[" + strconv.Itoa(i) + "]"
			c.find("name-missing", "the name is missing or no text")
		} else if seen[t.Name] {
			c.find("name-dup", "the name is listed more than once")
		}
		seen[t.Name] = true
		c.checkTool(t)
		if len(c.findings) >= maxFindings {
			return c.findings[:maxFindings]
		}
	}
	return c.findings
}

type checker struct {
	revision string
	overHTTP bool
	tool     string
	findings []Finding
}

func (c *checker) find(rule, format string, args ...any) {
	c.findings = append(c.findings, Finding{Rule: rule, Tool: c.tool, Message: fmt.Sprintf(format, args...)})
}

func (c *checker) note(rule, format string, args ...any) {
	c.findings = append(c.findings, Finding{Rule: rule, Tool: c.tool, Message: fmt.Sprintf(format, args...), Note: true})
}

// before reports whether the negotiated revision is older than another. Of versions that
// are none, nothing is older.
func (c *checker) before(revision string) bool {
	i := slices.Index(client.Revisions, c.revision)
	return i >= 0 && i < slices.Index(client.Revisions, revision)
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// newMembers are the members of a tool that not all revisions have.
var newMembers = []struct{ name, since string }{
	{"title", "2025-06-18"},
	{"annotations", "2025-03-26"},
	{"outputSchema", "2025-06-18"},
	{"icons", "2025-11-25"},
	{"execution", "2025-11-25"},
	{"_meta", "2025-06-18"},
}

func (c *checker) checkTool(t client.Tool) {
	if t.Name != "" && !nameForm.MatchString(t.Name) {
		say := c.find
		if c.before("2025-11-25") {
			say = c.note
		}
		say("name-form", "the name is not 1-128 of [A-Za-z0-9_.-]")
	}
	for _, m := range newMembers {
		if t.Members[m.name] != nil && c.before(m.since) {
			c.note("late-field", "%s came with %s, this is %s", m.name, m.since, c.revision)
		}
	}
	c.checkInput(t.Members["inputSchema"])
	if raw := t.Members["outputSchema"]; raw != nil {
		c.checkOutput(raw)
	}
	if raw := t.Members["annotations"]; raw != nil {
		c.checkAnnotations(raw)
	}
}

func (c *checker) checkInput(raw json.RawMessage) {
	var schema map[string]any
	if json.Unmarshal(raw, &schema) != nil || schema == nil {
		c.find("input-missing", "inputSchema is missing or no object")
		return
	}
	if schema["type"] != "object" {
		c.find("input-missing", `inputSchema has no "type":"object"`)
	}
	c.checkSchema("inputSchema", raw, schema)
	if c.overHTTP && c.revision == client.Modern {
		c.checkHeaders(schema)
	}
}

func (c *checker) checkOutput(raw json.RawMessage) {
	var schema map[string]any
	if json.Unmarshal(raw, &schema) != nil || schema == nil {
		var free bool
		if c.revision != client.Modern || json.Unmarshal(raw, &free) != nil {
			c.find("schema-invalid", "outputSchema is no object")
		}
		return
	}
	if c.revision != client.Modern && !c.before("2025-06-18") && schema["type"] != "object" {
		c.find("output-type", `outputSchema has no "type":"object", which %s wants`, c.revision)
	}
	c.checkSchema("outputSchema", raw, schema)
}

// checkSchema applies the rules that hold for both schemas of a tool.
func (c *checker) checkSchema(where string, raw json.RawMessage, schema map[string]any) {
	for _, ref := range externalRefs(schema) {
		c.find("ref-external", "%s: $ref %q lies outside of the schema", where, ref)
	}
	dialects, known := c.dialects(schema)
	if !known {
		c.note("schema-invalid", "%s: $schema %v is a dialect that is not checked", where, schema["$schema"])
		return
	}
	var err error
	for _, d := range dialects {
		if err = d.check(raw, schema); err == nil {
			break
		}
	}
	if isLimit(err) {
		c.note("schema-invalid", "%s: %v", where, err)
	} else if err != nil {
		c.find("schema-invalid", "%s: %v", where, err)
	}
	if err := checkRequired(schema); err != nil {
		c.find("required-undeclared", "%s: %v", where, err)
	}
}

// dialects returns those of which a schema must satisfy one: before 2025-11-25 nothing
// says which it is when the schema does not.
func (c *checker) dialects(schema map[string]any) (list []*dialect, known bool) {
	id, present := schema["$schema"]
	if !present {
		if c.before("2025-11-25") {
			return []*dialect{&draft2020, &draft07}, true
		}
		return []*dialect{&draft2020}, true
	}
	text, _ := id.(string)
	for _, d := range []*dialect{&draft2020, &draft07} {
		if slices.Contains(d.names, strings.TrimSuffix(text, "#")) {
			return []*dialect{d}, true
		}
	}
	return nil, false
}

// checkRequired holds required against what a closed object may have.
func checkRequired(schema map[string]any) error {
	required, _ := schema["required"].([]any)
	properties, _ := schema["properties"].(map[string]any)
	patterns, _ := schema["patternProperties"].(map[string]any)
	seen := map[string]bool{}
	for _, r := range required {
		name, ok := r.(string)
		if !ok {
			continue // told as an invalid schema
		}
		if seen[name] {
			return fmt.Errorf("required names %q twice", name)
		}
		seen[name] = true
		if _, declared := properties[name]; declared || schema["additionalProperties"] != false || matchesAny(patterns, name) {
			continue
		}
		return fmt.Errorf("required names %q, which is no property", name)
	}
	return nil
}

func matchesAny(patterns map[string]any, name string) bool {
	for p := range patterns {
		if re, err := regexp.Compile(p); err != nil || re.MatchString(name) {
			return true
		}
	}
	return false
}

func (c *checker) checkAnnotations(raw json.RawMessage) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		c.find("annotation-type", "annotations is no object")
		return
	}
	for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
		var b *bool
		if value := members[hint]; value != nil && (json.Unmarshal(value, &b) != nil || b == nil) {
			c.find("annotation-type", "annotations.%s is no boolean", hint)
		}
	}
}
