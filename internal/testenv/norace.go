//go:build !race

package testenv

// RaceFlags make the go command build with the race detector if the tests have it.
var RaceFlags []string
