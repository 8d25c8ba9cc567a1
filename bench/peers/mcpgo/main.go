// Command mcpgo serves the benchmark's tools with mark3labs/mcp-go, written as its
// documentation shows: typed handlers, and sessions over HTTP.
package main

import (
	"context"
	"log"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcpgen/mcpgen/bench/peers/kit"
)

func main() {
	o := kit.Parse("mcpgo")
	s := server.NewMCPServer("bench", "1")
	description := mcp.WithDescription(kit.Description)
	list := mcp.WithArray("_1", mcp.Required(), mcp.WithNumberItems())
	for _, t := range o.Served() {
		switch t.Kind {
		case kit.Echo:
			s.AddTool(mcp.NewTool(t.Name, description, mcp.WithString("_1", mcp.Required())), handler(kit.Same[string]))
		case kit.Numbers:
			s.AddTool(mcp.NewTool(t.Name, description, list), handler(kit.Same[[]float64]))
		case kit.Add:
			s.AddTool(mcp.NewTool(t.Name, description, mcp.WithInteger("_1", mcp.Required()),
				mcp.WithInteger("_2", mcp.Required())), handler(kit.Plus))
		case kit.Sum:
			s.AddTool(mcp.NewTool(t.Name, description, list), handler(kit.Total))
		}
	}
	if o.HTTP {
		kit.Listen(server.NewStreamableHTTPServer(s, server.WithStateful(!o.Stateless)))
	}
	if err := server.ServeStdio(s); err != nil {
		log.Fatal(err)
	}
}

// handler makes a tool of a function.
func handler[T any](f func(T) any) server.ToolHandlerFunc {
	return mcp.NewTypedToolHandler(func(_ context.Context, _ mcp.CallToolRequest, a T) (*mcp.CallToolResult, error) {
		out, err := kit.Text(f(a))
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultText(out), nil
	})
}
