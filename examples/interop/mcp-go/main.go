// Command mcp-go drives a server as ../main.go says (../README.md, "Clients") with
// mark3labs/mcp-go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type job struct {
	Era, Modern, URL        string
	Command                 []string
	Calls                   []call
	Progress, Cancel, After *call
	CancelAfter             float64 // seconds
}

type call struct {
	Tool      string
	Arguments json.RawMessage
}

type report struct {
	Server   any       `json:"server"`
	Revision string    `json:"revision"`
	Tools    []string  `json:"tools"`
	Calls    []answer  `json:"calls"`
	Progress *answer   `json:"progress,omitempty"`
	Notices  []float64 `json:"notices,omitempty"`
	Canceled bool      `json:"canceled"`
	After    *answer   `json:"after,omitempty"`
}

// An answer is what came of a call: a result, an error of the protocol, or another one.
type answer struct {
	Content    []mcp.Content   `json:"content,omitempty"`
	Structured json.RawMessage `json:"structured,omitempty"`
	IsError    bool            `json:"isError"`
	Code       int             `json:"code,omitempty"`
	Message    string          `json:"message,omitempty"`
	Thrown     string          `json:"thrown,omitempty"`
}

func main() {
	log.SetFlags(0)
	var j job
	if err := json.NewDecoder(os.Stdin).Decode(&j); err != nil {
		log.Fatal(err)
	}
	r, err := drive(context.Background(), &j)
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		log.Fatal(err)
	}
}

func drive(ctx context.Context, j *job) (*report, error) {
	var t transport.Interface
	if j.URL == "" {
		t = transport.NewStdio(j.Command[0], nil, j.Command[1:]...)
	} else {
		var err error
		if t, err = transport.NewStreamableHTTP(j.URL); err != nil {
			return nil, err
		}
	}
	version := j.Modern
	if j.Era == "legacy" {
		version = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	}
	c := client.NewClient(t, client.WithProtocolVersion(version))
	var mu sync.Mutex
	var notices []float64
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if done, ok := n.Params.AdditionalFields["progress"].(float64); ok && n.Method == "notifications/progress" {
			mu.Lock()
			defer mu.Unlock()
			notices = append(notices, done)
		}
	})
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	hello, err := c.Initialize(ctx, mcp.InitializeRequest{
		Params: mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: "interop", Version: "1"}},
	})
	if err != nil {
		return nil, err
	}
	r := &report{Server: hello.ServerInfo, Revision: c.ProtocolVersion()}
	listed, err := c.ListTools(ctx, mcp.ListToolsRequest{}) // all pages
	if err != nil {
		return nil, err
	}
	for _, tool := range listed.Tools {
		r.Tools = append(r.Tools, tool.Name)
	}
	for _, one := range j.Calls {
		r.Calls = append(r.Calls, request(ctx, c, &one, nil))
	}
	if j.Progress != nil {
		a := request(ctx, c, j.Progress, "interop")
		r.Progress = &a
		mu.Lock()
		r.Notices = notices
		mu.Unlock()
	}
	if j.Cancel != nil {
		limited, cancel := context.WithTimeout(ctx, time.Duration(j.CancelAfter*float64(time.Second)))
		defer cancel()
		r.Canceled = request(limited, c, j.Cancel, nil).Thrown != ""
		a := request(ctx, c, j.After, nil)
		r.After = &a
	}
	return r, c.Close()
}

// request makes a call, with a token for progress unless that is nil.
func request(ctx context.Context, c *client.Client, one *call, token any) answer {
	params := mcp.CallToolParams{Name: one.Tool}
	if one.Arguments != nil {
		params.Arguments = one.Arguments
	}
	if token != nil {
		params.Meta = &mcp.Meta{ProgressToken: token}
	}
	result, err := c.CallTool(ctx, mcp.CallToolRequest{Params: params})
	switch {
	case errors.Is(err, mcp.ErrInvalidParams): // the library drops the code and prefixes the text
		_, text, _ := strings.Cut(err.Error(), ": ")
		return answer{Code: mcp.INVALID_PARAMS, Message: text}
	case err != nil:
		return answer{Thrown: err.Error()}
	}
	return answer{Content: result.Content, Structured: result.RawStructuredContent, IsError: result.IsError}
}
