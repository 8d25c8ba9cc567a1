// Command empty is the least a server's first reply can take: a Go program that reads a
// line and writes one.
package main

import (
	"bufio"
	"os"
)

func main() {
	if _, err := bufio.NewReader(os.Stdin).ReadSlice('\n'); err == nil {
		_, _ = os.Stdout.WriteString("{}\n")
	}
}
