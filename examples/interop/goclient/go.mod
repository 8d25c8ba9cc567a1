module github.com/mcpgen/mcpgen/examples/interop/goclient

go 1.26
