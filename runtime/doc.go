// Package runtime is what generated servers have in common, and the frame they run in:
// command line, signals, start and end. Generated code imports it as rt.
//
// It imports no transport and nothing of language pools: the generated main function
// passes the transport in, and a program with pools brings a [Backend]. So a server
// links only what its program needs.
//
// The life of a server: flags, standard output moved aside, the backend told to start
// (beside the protocol, never before it), messages until end of input or a signal,
// running calls drained, the backend stopped, exit.
package runtime

// Version1 marks the shape of the interface between generated code and this module. A
// generated package names it, so that one made for another shape does not compile.
const Version1 = true
