// Command gosdk serves the benchmark's tools with the official Go SDK, written as its
// documentation shows: typed handlers, and JSON replies over HTTP.
package main

import (
	"context"
	"log"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcpgen/mcpgen/bench/peers/kit"
)

func main() {
	o := kit.Parse("gosdk")
	s := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	for _, t := range o.Served() {
		tool := &mcp.Tool{Name: t.Name, Description: kit.Description}
		switch t.Kind {
		case kit.Echo:
			mcp.AddTool(s, tool, handler(kit.Same[string]))
		case kit.Numbers:
			mcp.AddTool(s, tool, handler(kit.Same[[]float64]))
		case kit.Add:
			mcp.AddTool(s, tool, handler(kit.Plus))
		case kit.Sum:
			mcp.AddTool(s, tool, handler(kit.Total))
		}
	}
	if o.HTTP {
		kit.Listen(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
			&mcp.StreamableHTTPOptions{Stateless: o.Stateless, JSONResponse: true}))
	}
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}

// handler makes a tool of a function.
func handler[T any](f func(T) any) mcp.ToolHandlerFor[T, any] {
	return func(_ context.Context, _ *mcp.CallToolRequest, a T) (*mcp.CallToolResult, any, error) {
		out, err := kit.Text(f(a))
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out}}}, nil, nil
	}
}
