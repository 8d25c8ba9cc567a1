// Package sessions tests generated servers from outside: it holds no code but tests. Each
// generates the server of a whole program, builds it, runs it as a process of its own and
// talks to it on pipes, as a client does. What must be answered was recorded from the
// upstream runtime (testdata/golden), with our departures noted there.
//
// Language pools are stand-ins: a Python program that was written from the protocol's
// description and shares no code with the runtime (testdata/pypool).
package sessions
