// Package soak loads a generated server for a while, over stdio and over HTTP, with clients
// that cancel, stall and vanish, while its pools are killed; and accounts for every request.
// It is a test alone:
//
//	go test ./internal/soak                              a few seconds, part of make test
//	go test -count=1 -v ./internal/soak -args -soak=3m   make soak
//
// The program has a pure echo, and pools of internal/testpool that echo in every form and
// misbehave in every way. Texts are unique, so that an answer to the wrong request shows.
//
// The seed is printed; with -seed it gives the same sequence of requests to each client.
// What the processes make of them in which order differs from run to run.
//
// What is held: a request is answered exactly once, with its own text or a fault that a
// crash, a deadline or a full queue explains, unless it was cancelled, and then at most
// once; and when the load is over, the server has the files open, the processes and the
// goroutines that it had before, and leaves none behind when it ends.
package soak
