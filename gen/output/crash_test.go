package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var errDisk = errors.New("the disk says no")

// A faultyDisk fails step number fail (from 1), or, when it is killed, that step and all
// that follow: as if the process had been killed before it. A torn write leaves half of
// the file.
type faultyDisk struct {
	disk
	fail   int
	killed bool

	mu    sync.Mutex
	steps int
}

func (d *faultyDisk) step() error {
	_, err := d.next()
	return err
}

func (d *faultyDisk) next() (n int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.steps++
	if d.steps == d.fail || d.killed && d.steps > d.fail {
		return d.steps, errDisk
	}
	return d.steps, nil
}

func (d *faultyDisk) MkdirAll(name string, mode fs.FileMode) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.disk.MkdirAll(name, mode)
}

func (d *faultyDisk) Rename(from, to string) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.disk.Rename(from, to)
}

func (d *faultyDisk) Remove(name string) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.disk.Remove(name)
}

func (d *faultyDisk) RemoveAll(name string) error {
	if err := d.step(); err != nil {
		return err
	}
	return d.disk.RemoveAll(name)
}

func (d *faultyDisk) Write(name string, data []byte) error {
	if n, err := d.next(); err != nil {
		if d.killed && n == d.fail {
			d.disk.Write(name, data[:len(data)/2])
		}
		return err
	}
	return d.disk.Write(name, data)
}

var (
	oldFiles = files("changed.go", marked+"old", "gone/gone.go", marked, "same.go", marked)
	newFiles = files("changed.go", marked+"new", "added/deep/added.go", marked, "same.go", marked)
)

// faultyRun writes newFiles over oldFiles on a disk with a fault.
func faultyRun(t *testing.T, fault *faultyDisk) (dir string, err error) {
	t.Helper()
	dir = t.TempDir()
	mustWrite(t, dir, oldFiles)
	put(t, dir, "mine.txt", "mine")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	fault.disk = rootDisk{root}
	all, err := sorted(newFiles)
	if err != nil {
		t.Fatal(err)
	}
	_, err = write(t.Context(), fault, all)
	return dir, err
}

func wholeTrees(t *testing.T) (before, after map[string]string) {
	before = withRecord(t, contents(oldFiles), oldFiles)
	after = withRecord(t, contents(newFiles), newFiles)
	before["mine.txt"], after["mine.txt"] = "mine", "mine"
	return before, after
}

// TestKilled kills a run before each of its steps: the next run finds, or makes, the old
// package or the new one.
func TestKilled(t *testing.T) {
	t.Parallel()
	before, after := wholeTrees(t)
	outcomes := map[string]int{}
	for n := 1; ; n++ {
		fault := &faultyDisk{fail: n, killed: true}
		dir, _ := faultyRun(t, fault)
		if fault.steps < n {
			break // the run is shorter than that
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := recoverStage(rootDisk{root}); err != nil {
			t.Errorf("killed at step %d: %v", n, err)
		}
		root.Close()
		switch got := tree(t, dir); {
		case cmp.Equal(got, before):
			outcomes["old"]++
		case cmp.Equal(got, after):
			outcomes["new"]++
		default:
			t.Errorf("killed at step %d: neither old nor new:\n%s", n, cmp.Diff(before, got))
		}
		mustWrite(t, dir, newFiles)
		if diff := cmp.Diff(after, tree(t, dir)); diff != "" {
			t.Errorf("killed at step %d, run again (-want +got):\n%s", n, diff)
		}
	}
	if outcomes["old"] == 0 || outcomes["new"] == 0 {
		t.Errorf("outcomes %v, want both", outcomes)
	}
}

// TestFailing fails each step once: the run reports it and leaves the old package, or
// gets by without the step.
func TestFailing(t *testing.T) {
	t.Parallel()
	before, after := wholeTrees(t)
	failed := 0
	for n := 1; ; n++ {
		fault := &faultyDisk{fail: n}
		dir, err := faultyRun(t, fault)
		if fault.steps < n {
			break
		}
		want := after
		if err != nil {
			failed++
			want = before
		}
		got := tree(t, dir)
		for name := range got {
			if strings.HasPrefix(name, stageName) {
				delete(got, name) // the next run removes what could not be removed now
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("step %d fails, Write = %v (-want +got):\n%s", n, err, diff)
		}
		mustWrite(t, dir, newFiles)
		if diff := cmp.Diff(after, tree(t, dir)); diff != "" {
			t.Errorf("step %d fails, run again (-want +got):\n%s", n, diff)
		}
	}
	if failed < 8 {
		t.Errorf("%d steps were reported, want most of them", failed)
	}
}

// killedChild is set in the process that TestKilledProcess kills.
const killedChild = "MCPGEN_OUTPUT_TEST_DIR"

// TestKilledProcess kills a real process while it writes two packages in turn, over and
// over.
func TestKilledProcess(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(killedChild); dir != "" {
		for {
			mustWrite(t, dir, newFiles)
			fmt.Print(".")
			mustWrite(t, dir, oldFiles)
			fmt.Print(".")
		}
	}
	before, after := wholeTrees(t)
	dir := t.TempDir()
	mustWrite(t, dir, oldFiles)
	put(t, dir, "mine.txt", "mine")
	for n := range 10 {
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledProcess$")
		cmd.Env = append(os.Environ(), killedChild+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 1+n)); err != nil {
			t.Fatal(err)
		}
		cmd.Process.Kill()
		cmd.Wait()
		target, err := openTarget(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := recoverStage(target.disk); err != nil {
			t.Error(err)
		}
		target.close()
		if got := tree(t, dir); !cmp.Equal(got, before) && !cmp.Equal(got, after) {
			t.Fatalf("neither old nor new:\n%s", cmp.Diff(before, got))
		}
	}
}
