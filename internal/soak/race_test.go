//go:build race

package soak

// raceFlags build the server with the race detector if the test has it.
var raceFlags = []string{"-race"}
