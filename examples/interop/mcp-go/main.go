// Command mcp-go drives a server as ../main.go says (../README.md, "Clients") with
// mark3labs/mcp-go.
package main

import (
	"context"
	"errors"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mcpgen/mcpgen/examples/interop/goclient"
)

func main() { goclient.Main(connect) }

// A session implements [goclient.Session].
type session struct{ *client.Client }

func connect(ctx context.Context, j *goclient.Job, notices *goclient.Notices, r *goclient.Report) (goclient.Session, error) {
	var t transport.Interface
	if j.URL == "" {
		t = transport.NewStdio(j.Command[0], nil, j.Command[1:]...)
	} else {
		var err error
		if t, err = transport.NewStreamableHTTP(j.URL); err != nil {
			return nil, err
		}
	}
	c := client.NewClient(t, client.WithProtocolVersion(j.Revision(mcp.LATEST_LEGACY_PROTOCOL_VERSION)))
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if done, ok := n.Params.AdditionalFields["progress"].(float64); ok && n.Method == "notifications/progress" {
			notices.Add(done)
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
	r.Server, r.Revision = hello.ServerInfo, c.ProtocolVersion()
	return session{c}, nil
}

func (s session) Tools(ctx context.Context) (names []string, err error) {
	listed, err := s.ListTools(ctx, mcp.ListToolsRequest{}) // all pages
	if err != nil {
		return nil, err
	}
	for _, tool := range listed.Tools {
		names = append(names, tool.Name)
	}
	return names, nil
}

func (s session) Call(ctx context.Context, c *goclient.Call, token any) goclient.Answer {
	params := mcp.CallToolParams{Name: c.Tool}
	if c.Arguments != nil {
		params.Arguments = c.Arguments
	}
	if token != nil {
		params.Meta = &mcp.Meta{ProgressToken: token}
	}
	result, err := s.CallTool(ctx, mcp.CallToolRequest{Params: params})
	switch {
	case errors.Is(err, mcp.ErrInvalidParams): // the library drops the code and prefixes the text
		_, text, _ := strings.Cut(err.Error(), ": ")
		return goclient.Answer{Code: mcp.INVALID_PARAMS, Message: text}
	case err != nil:
		return goclient.Answer{Thrown: err.Error()}
	}
	return goclient.Answer{Content: result.Content, Structured: result.RawStructuredContent, IsError: result.IsError}
}
