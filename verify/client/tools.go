package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// A Tool is an element of a list of tools, as it came. Members are looked up exactly.
type Tool struct {
	Name    string // "" if it has none
	Members map[string]json.RawMessage
}

// Tools lists all tools, page after page. Errors are those of [Session.Handshake].
func (s *Session) Tools(ctx context.Context) ([]Tool, error) {
	select { // what changed before is in the list to come
	case <-s.changes:
	default:
	}
	var tools []Tool
	seen := map[string]bool{}
	params := map[string]any{}
	for range maxPages {
		page, next, err := s.page(ctx, params)
		if err != nil {
			return nil, err
		}
		tools = append(tools, page...)
		if next == nil {
			return tools, nil
		}
		if seen[*next] {
			return nil, &Malformed{"tools/list", fmt.Sprintf("nextCursor %q comes again: the list has no end", s.cut(*next, 40))}
		}
		if len(tools) > maxTools {
			return nil, &Malformed{"tools/list", fmt.Sprintf("more than %d tools", maxTools)}
		}
		seen[*next] = true
		params = map[string]any{"cursor": *next}
	}
	return nil, &Malformed{"tools/list", fmt.Sprintf("more than %d pages", maxPages)}
}

// page gets one page and the cursor of the next, if there is one.
func (s *Session) page(ctx context.Context, params map[string]any) ([]Tool, *string, error) {
	result, err := s.call(ctx, "tools/list", "", params)
	if fault, ok := errors.AsType[*Error](err); ok && fault.Code == codeMethodNotFound && s.Declared["tools"] == nil {
		return nil, nil, nil // spec: a server that does not advertise tools has none
	}
	if err != nil {
		return nil, nil, err
	}
	var members map[string]json.RawMessage
	var raw []json.RawMessage
	if json.Unmarshal(result, &members) != nil || json.Unmarshal(members["tools"], &raw) != nil || raw == nil {
		return nil, nil, &Malformed{"tools/list", "it has no array tools"}
	}
	if s.IsModern {
		s.checkComplete("tools/list", members)
	}
	tools := make([]Tool, len(raw))
	for i, text := range raw {
		_ = json.Unmarshal(text, &tools[i].Members)
		_ = json.Unmarshal(tools[i].Members["name"], &tools[i].Name)
	}
	next, ok := members["nextCursor"]
	if !ok || string(next) == "null" {
		return tools, nil, nil
	}
	var cursor string
	if json.Unmarshal(next, &cursor) != nil {
		s.find("cursor", "nextCursor is %s, want a string", s.cut(string(next), 40))
		return tools, nil, nil
	}
	return tools, &cursor, nil
}

// Call calls a tool and returns its result as it came.
func (s *Session) Call(ctx context.Context, tool string, arguments json.RawMessage) (json.RawMessage, error) {
	return s.call(ctx, "tools/call", tool, map[string]any{"name": tool, "arguments": arguments})
}
