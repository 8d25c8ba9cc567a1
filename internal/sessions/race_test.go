//go:build race

package sessions

// raceFlags build servers with the race detector if the tests have it.
var raceFlags = []string{"-race"}
