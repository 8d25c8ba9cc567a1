package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// A message is what a server sent: exactly one of request, notification and response.
type message struct {
	id     json.RawMessage // nil if there is none, or null
	method string          // "" in a response
	result json.RawMessage
	fault  *Error
	odd    string // what is wrong with it, if it can be used all the same
}

func (m *message) isResponse() bool { return m.method == "" }

// readMessage reads one JSON-RPC message. Member names are matched exactly: two parsers
// that disagree on them are the server's fault, and worth knowing.
func readMessage(text []byte) (*message, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, err
	}
	m := &message{id: members["id"], result: members["result"]}
	if string(m.id) == "null" {
		m.id = nil
	}
	if raw, ok := members["method"]; ok {
		if err := json.Unmarshal(raw, &m.method); err != nil || m.method == "" {
			return nil, fmt.Errorf("method is %s, want a string", cut(string(raw), 40))
		}
	}
	if raw := members["error"]; len(raw) > 0 && string(raw) != "null" {
		m.fault = readError(raw)
	}
	if m.method == "" && m.result == nil && m.fault == nil {
		return nil, fmt.Errorf("a message has neither method, result nor error")
	}
	if v := members["jsonrpc"]; string(v) != `"2.0"` {
		m.odd = `a message has no "jsonrpc":"2.0"`
	}
	return m, nil
}

// An Error is the error that a server answered with.
type Error struct {
	Code    int
	Message string
	Data    json.RawMessage
	Status  int    // of HTTP; 0 on other transports
	Text    string // the error object as it came
}

func (e *Error) Error() string { return cut(e.Text, 160) }

// readError reads an error object. What is no such object is an error with its text.
func readError(raw json.RawMessage) *Error {
	e := &Error{Text: compact(raw)}
	var object struct {
		Code    json.Number     `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
	if json.Unmarshal(raw, &object) == nil {
		code, _ := object.Code.Int64()
		e.Code, e.Message, e.Data = int(code), object.Message, object.Data
	}
	return e
}

// Codes of JSON-RPC, and of 2026-07-28.
const (
	codeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
	CodeMethodNotFound = codeMethodNotFound
	codeModernFirst    = -32022
	codeModernLast     = -32020
)

// isModern reports whether only a server of the modern era answers so.
func (e *Error) isModern() bool { return e.Code >= codeModernFirst && e.Code <= codeModernLast }

// supported returns the versions that an error about versions lists.
func (e *Error) supported() []string {
	var data struct {
		Supported []string `json:"supported"`
	}
	_ = json.Unmarshal(e.Data, &data)
	return data.Supported
}

// request returns the text of a request, or with id 0 of a notification.
func request(id int, method string, params any) ([]byte, error) {
	return json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int    `json:"id,omitempty"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", id, method, params})
}

// answer returns the text of the response to a request of the server.
func answer(id json.RawMessage, result, fault any) ([]byte, error) {
	return json.Marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result,omitempty"`
		Error   any             `json:"error,omitempty"`
	}{"2.0", id, result, fault})
}

// compact returns JSON text on one line.
func compact(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

// cut returns at most n bytes of a text, on one line and in whole characters.
func cut(text string, n int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}
