//go:build http

package main

// Linked and never called, as by a server that could serve over HTTP but does not: what its
// packages initialize is then part of the start.
import _ "net/http"
