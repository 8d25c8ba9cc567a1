package check

import (
	"encoding/json"
	"fmt"

	"github.com/mcpgen/mcpgen/verify/client"
)

// Result returns what is wrong with the result of a call: content that is no array of
// typed blocks, or structured content that the tool's schema does not allow. Results that
// tell of an error are held to the first alone.
func Result(t client.Tool, result json.RawMessage, revision string) error {
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) != nil || members == nil {
		return fmt.Errorf("the result is no object")
	}
	if err := checkContent(members["content"]); err != nil {
		return err
	}
	var isError bool
	_ = json.Unmarshal(members["isError"], &isError)
	schema := t.Members["outputSchema"]
	c := checker{revision: revision}
	if isError || schema == nil || c.before("2025-06-18") {
		return nil
	}
	structured, ok := members["structuredContent"]
	if !ok {
		return fmt.Errorf("the tool has an outputSchema and its result no structuredContent")
	}
	return checkStructured(schema, structured, revision)
}

func checkContent(raw json.RawMessage) error {
	var blocks []map[string]json.RawMessage
	if json.Unmarshal(raw, &blocks) != nil || blocks == nil {
		return fmt.Errorf("content is no array of blocks")
	}
	for i, b := range blocks {
		var kind string
		if json.Unmarshal(b["type"], &kind) != nil || kind == "" {
			return fmt.Errorf("content[%d] has no type", i)
		}
	}
	return nil
}

func checkStructured(schema, structured json.RawMessage, revision string) (err error) {
	var value any
	if json.Unmarshal(structured, &value) != nil {
		return nil // a number beyond what is checked here
	}
	if _, isObject := value.(map[string]any); !isObject && revision != client.Modern {
		return fmt.Errorf("structuredContent is no object")
	}
	var tree any
	if json.Unmarshal(schema, &tree) != nil || checkLimits(schema, tree) != nil || depth(value) > 10*maxSchemaDepth {
		return nil
	}
	validator, err := compile(schema, tree)
	if err != nil {
		return nil // told of as a fault of the schema
	}
	defer func() {
		if r := recover(); r != nil {
			err = nil // the library's, not the server's
		}
	}()
	if root, ok := tree.(map[string]any); ok {
		if _, known := (&checker{revision: revision}).dialects(root); !known {
			return nil
		}
	}
	if err := validator.Validate(value); err != nil {
		return fmt.Errorf("structuredContent: %s", lastStep(err))
	}
	return nil
}
