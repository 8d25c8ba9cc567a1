// Command cli is a command-line program whose only command prints its argument.
//
//	cli echo TEXT
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 || os.Args[1] != "echo" {
		fmt.Fprintln(os.Stderr, "usage: cli echo TEXT")
		os.Exit(2)
	}
	fmt.Println(os.Args[2])
}
