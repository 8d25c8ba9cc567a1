//go:build !linux

package main

// beTestPool does nothing: pools run on Linux only.
func beTestPool() {}
