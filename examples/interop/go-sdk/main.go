// Command go-sdk drives a server as ../main.go says (../README.md, "Clients") with the
// official Go SDK.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
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
	Content    []mcp.Content `json:"content,omitempty"`
	Structured any           `json:"structured,omitempty"`
	IsError    bool          `json:"isError"`
	Code       int64         `json:"code,omitempty"`
	Message    string        `json:"message,omitempty"`
	Thrown     string        `json:"thrown,omitempty"`
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
	var mu sync.Mutex
	var notices []float64
	client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			mu.Lock()
			defer mu.Unlock()
			notices = append(notices, r.Params.Progress)
		},
	})
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: j.URL}
	if j.URL == "" {
		transport = &mcp.CommandTransport{Command: exec.Command(j.Command[0], j.Command[1:]...)}
	}
	options := &mcp.ClientSessionOptions{ProtocolVersion: j.Modern}
	if j.Era == "legacy" {
		options.ProtocolVersion = "2025-11-25"
	}
	s, err := client.Connect(ctx, transport, options)
	if err != nil {
		return nil, err
	}
	hello := s.InitializeResult()
	r := &report{Server: hello.ServerInfo, Revision: hello.ProtocolVersion}
	for tool, err := range s.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		r.Tools = append(r.Tools, tool.Name)
	}
	for _, c := range j.Calls {
		r.Calls = append(r.Calls, request(ctx, s, &c, nil))
	}
	if j.Progress != nil {
		a := request(ctx, s, j.Progress, "interop")
		r.Progress = &a
		mu.Lock()
		r.Notices = notices
		mu.Unlock()
	}
	if j.Cancel != nil {
		limited, cancel := context.WithTimeout(ctx, time.Duration(j.CancelAfter*float64(time.Second)))
		defer cancel()
		r.Canceled = request(limited, s, j.Cancel, nil).Thrown != ""
		a := request(ctx, s, j.After, nil)
		r.After = &a
	}
	return r, s.Close()
}

// request makes a call, with a token for progress unless that is nil.
func request(ctx context.Context, s *mcp.ClientSession, c *call, token any) answer {
	params := &mcp.CallToolParams{Name: c.Tool}
	if c.Arguments != nil {
		params.Arguments = c.Arguments
	}
	if token != nil {
		params.SetProgressToken(token)
	}
	result, err := s.CallTool(ctx, params)
	if err != nil {
		if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
			return answer{Code: wire.Code, Message: wire.Message}
		}
		return answer{Thrown: err.Error()}
	}
	return answer{Content: result.Content, Structured: result.StructuredContent, IsError: result.IsError}
}
