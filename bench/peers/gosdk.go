package main

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goSDK returns a handler on the official Go SDK.
func goSDK(stateless bool) http.Handler {
	s := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo", Description: "The argument itself"}, officialEcho[string])
	mcp.AddTool(s, &mcp.Tool{Name: "numbers", Description: "The argument itself"}, officialEcho[[]float64])
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true})
}

func officialEcho[T any](_ context.Context, _ *mcp.CallToolRequest, a argument[T]) (*mcp.CallToolResult, any, error) {
	out, err := text(a.Value)
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out}}}, nil, nil
}
