package main

import (
	"context"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// mcpGo returns a handler on mark3labs/mcp-go, with sessions.
func mcpGo() http.Handler {
	s := server.NewMCPServer("bench", "1")
	description := mcp.WithDescription("The argument itself")
	s.AddTool(mcp.NewTool("echo", description, mcp.WithString("_1", mcp.Required())),
		mcp.NewTypedToolHandler(markEcho[string]))
	s.AddTool(mcp.NewTool("numbers", description, mcp.WithArray("_1", mcp.Required(), mcp.WithNumberItems())),
		mcp.NewTypedToolHandler(markEcho[[]float64]))
	return server.NewStreamableHTTPServer(s, server.WithStateful(true))
}

func markEcho[T any](_ context.Context, _ mcp.CallToolRequest, a argument[T]) (*mcp.CallToolResult, error) {
	out, err := text(a.Value)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(out), nil
}
