package spawn

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

const (
	roleVariable = "MCPGEN_TEST_TETHER"
	// loose is a leader that has let go of all files but the standard ones, and what it has
	// started.
	loose = "exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-; sleep 3600 & echo started; wait"
	// tight is a leader that has not.
	tight = "sleep 3600 & echo started; wait"
)

func TestMain(m *testing.M) {
	if script := os.Getenv(roleVariable); script != "" {
		tether, err := start(script)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		_ = syscall.Pause() // until we are killed
		tether.Close()
	}
	os.Exit(m.Run())
}

// start starts a group that ends with this process, and that has standard output.
func start(script string) (*Tether, error) {
	tether, err := NewTether()
	if err != nil {
		return nil, err
	}
	attr := &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	tether.Extend(attr)
	leader, err := NewThread().Start("/bin/sh", []string{"sh", "-c", script}, attr)
	if err != nil {
		return nil, err
	}
	tether.Tie(leader.Pid)
	fmt.Println("tied")
	return tether, nil
}

// TestTether kills a process that has started a group, and waits until nothing of the group has
// the pipe any more that all of them write to.
func TestTether(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"tight": tight, "loose": loose} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), roleVariable+"="+script)
			stdout, theirs, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer stdout.Close()
			cmd.Stdout = theirs
			err = cmd.Start()
			_ = theirs.Close()
			if err != nil {
				t.Fatal(err)
			}
			_ = stdout.SetReadDeadline(time.Now().Add(time.Minute))
			lines := bufio.NewReader(stdout)
			for range 2 {
				line, err := lines.ReadString('\n')
				if line != "tied\n" && line != "started\n" {
					t.Errorf("the process says %q, %v", line, err)
				}
			}
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			if rest, err := io.ReadAll(lines); len(rest) > 0 || err != nil {
				t.Errorf("not all of the group has ended: %q, %v", rest, err)
			}
		})
	}
}
