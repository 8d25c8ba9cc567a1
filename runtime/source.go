package runtime

import "embed"

// Source holds the files of this module's runtime packages: mcpgen copies those that a
// generated server needs next to it, so that it builds without a network. The copies leave
// this file and the tests out.
//
//go:embed *.go */*.go
var Source embed.FS
