// Command go-sdk drives a server as ../main.go says (../README.md, "Clients") with the
// official Go SDK.
package main

import (
	"context"
	"errors"
	"os/exec"

	"github.com/mcpgen/mcpgen/examples/interop/goclient"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() { goclient.Main(connect) }

// A session implements [goclient.Session].
type session struct{ *mcp.ClientSession }

func connect(ctx context.Context, j *goclient.Job, notices *goclient.Notices, r *goclient.Report) (goclient.Session, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			notices.Add(r.Params.Progress)
		},
	})
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: j.URL}
	if j.URL == "" {
		transport = &mcp.CommandTransport{Command: exec.Command(j.Command[0], j.Command[1:]...)}
	}
	s, err := client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: j.Revision("2025-11-25")})
	if err != nil {
		return nil, err
	}
	hello := s.InitializeResult()
	r.Server, r.Revision = hello.ServerInfo, hello.ProtocolVersion
	return session{s}, nil
}

func (s session) Tools(ctx context.Context) (names []string, err error) {
	for tool, err := range s.ClientSession.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		names = append(names, tool.Name)
	}
	return names, nil
}

func (s session) Call(ctx context.Context, c *goclient.Call, token any) goclient.Answer {
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
			return goclient.Answer{Code: wire.Code, Message: wire.Message}
		}
		return goclient.Answer{Thrown: err.Error()}
	}
	return goclient.Answer{Content: result.Content, Structured: result.StructuredContent, IsError: result.IsError}
}
