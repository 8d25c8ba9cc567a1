package main

import "github.com/mcpgen/mcpgen/internal/testpool"

func init() { commands[testpool.Name] = testpool.Main }

// beTestPool runs the test pool and exits if this process was started as one.
func beTestPool() { testpool.Main() }
