package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcpgen/mcpgen/internal/testenv"
)

// childVariable makes the test binary a child instead, which its value names.
const childVariable = "MCPGEN_TEST_CHILD"

// children are what the test binary can be.
var children = map[string]func(args []string) int{
	"tool":   tool,
	"shell":  shell,
	"server": server,
}

func TestMain(m *testing.M) {
	if name := os.Getenv(childVariable); name != "" {
		os.Exit(children[name](os.Args[1:]))
	}
	testenv.Clear()
	os.Exit(m.Run())
}

// tool is the program of most tests: each word tells it what to do next.
func tool(words []string) int {
	for i, word := range words {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "out":
			fmt.Print(value)
		case "err":
			fmt.Fprint(os.Stderr, value)
		case "fill":
			writeAll(os.Stdout, n)
		case "fillerr":
			writeAll(os.Stderr, n)
		case "flood":
			for {
				writeAll(os.Stdout, 1<<16)
			}
		case "stdin":
			_, _ = io.Copy(os.Stdout, os.Stdin)
		case "env":
			fmt.Println(os.Getenv(value))
		case "args":
			b, _ := json.Marshal(words[i+1:])
			_, _ = os.Stdout.Write(b)
			return 0
		case "cwd":
			dir, _ := os.Getwd()
			fmt.Print(dir)
		case "group":
			group, _ := syscall.Getpgid(0)
			_, err := os.Open("/dev/tty")
			fmt.Print(group == os.Getpid(), err != nil)
		case "spawn": // somebody who holds the output and does not end
			spawnOther(value, "stubborn", "forever")
		case "daemon": // somebody who has left the group and has other words
			spawnOther("away", strings.Split(value, "\n")...)
		case "try": // to write, and tell a named pipe whether that failed
			if _, err := fmt.Print("x"); err != nil {
				n = 1
			}
			_ = os.WriteFile(value, []byte(strconv.Itoa(n)+"\n"), 0)
		case "tell": // our process id, to a named pipe
			tell(value)
		case "await": // until the named pipe is opened
			f, _ := os.Open(value)
			_ = f.Close()
		case "stubborn":
			signal.Ignore(syscall.SIGTERM)
		case "forever":
			forever()
		case "die":
			_ = syscall.Kill(os.Getpid(), syscall.Signal(n))
			forever()
		case "exit":
			return n
		}
	}
	return 0
}

// forever does not return, nor end as a program in which nothing can go on.
func forever() {
	for {
		time.Sleep(time.Hour)
	}
}

func writeAll(f *os.File, n int) {
	if _, err := f.Write([]byte(strings.Repeat("x", n))); err != nil {
		os.Exit(9)
	}
}

// spawnOther starts another tool; how says in which way.
func spawnOther(how string, words ...string) {
	cmd := exec.Command(os.Args[0], words...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if how == "away" {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	if err := cmd.Start(); err != nil {
		os.Exit(8)
	}
	if how != "" {
		fmt.Print(cmd.Process.Pid)
	}
}

func tell(pipe string) {
	f, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	if err != nil {
		os.Exit(7)
	}
	fmt.Fprintln(f, os.Getpid())
	_ = f.Close()
}

// shell is a login shell.
func shell(words []string) int {
	if strings.Join(words, " ") != "-l -c env" {
		return 6
	}
	switch os.Getenv("MCPGEN_TEST_SHELL") {
	case "fails":
		fmt.Println("FROM_SHELL=no")
		return 3
	case "hangs":
		forever()
	case "waits":
		tell(os.Getenv("MCPGEN_TEST_PIPE"))
	}
	fmt.Println("PATH=/from/shell:" + os.Getenv("PATH"))
	fmt.Println("FROM_SHELL=a=b")
	fmt.Println("TAKEN=shell")
	fmt.Println("=nothing\nno variable\n\tINDENTED=1\n" + tokenVariable + "=secret")
	return 0
}
