package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// markVariable is set, for each run to another value, in the environment of servers. What
// they start has it too.
const markVariable = "MCPGEN_INTEROP"

// leftovers looks for processes of a run, which should have ended by now, in Linux's /proc.
func leftovers(mark string) (problem string) {
	var left []string
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if left = marked(mark); left == nil {
			return ""
		}
	}
	return fmt.Sprintf("processes are left: %s", strings.Join(left, "; "))
}

// marked returns the command lines of processes with a mark.
func marked(mark string) (lines []string) {
	entry := []byte(markVariable + "=" + mark + "\x00")
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environment, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(environment, entry) {
			continue // others' processes may not be read, and have none
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
		lines = append(lines, string(bytes.TrimSpace(bytes.ReplaceAll(line, []byte{0}, []byte{' '}))))
	}
	return lines
}
