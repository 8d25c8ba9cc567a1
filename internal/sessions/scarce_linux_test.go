package sessions

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// scarceInput asks for a call of a pool, and for one of none.
var scarceInput = strings.Join([]string{initialize, initialized, call(1, "mw", freeArgs), call(2, "answer", "{}"), ""}, "\n")

// scarceScript runs a server, and tells its process id and its exit status.
const scarceScript = `exec 3<&0; "$@" <&3 3<&- & wait $!; echo "$! $?" >&2; ` +
	`for f in /tmp/morloc.$!-* /dev/shm/morloc-$!-*; do test -e "$f" && echo "left: $f" >&2; done; true`

// TestScarce has servers start where something is scarce: they say what, all that can be
// answered is, and nothing is left.
func TestScarce(t *testing.T) {
	t.Parallel()
	needPools(t)
	for _, tt := range []struct {
		name, prepare string
		want          string
	}{
		{"nothing", ":", `16.043`},
		{"shared_memory", "mount -t tmpfs -o size=32k none /dev/shm",
			`pools could not be started: shared memory: /dev/shm is full: 65703 bytes do not fit"`},
		{"shared_memory_read-only", "mount -t tmpfs -o ro none /dev/shm", `: read-only file system"`},
		{"tmp_read-only", "mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp",
			`pools could not be started: no run directory: mkdir /tmp/morloc.`},
		{"tmp_full", "mount --bind /tmp /mnt && mount -t tmpfs -o nr_inodes=1 none /tmp", `: no space left on device"`},
	} {
		for _, replicas := range []int{1, 2} {
			t.Run(tt.name+"/replicas="+strconv.Itoa(replicas), func(t *testing.T) {
				t.Parallel()
				shell := mountingShell(t)
				move := func(path string) string { return path }
				if strings.Contains(tt.prepare, "/mnt") {
					move = func(path string) string {
						if rest, ok := strings.CutPrefix(path, "/tmp/"); ok {
							return "/mnt/" + rest
						}
						return path
					}
				}
				answer := runScarce(t, append(shell, "-c", tt.prepare+"; "+scarceScript, "sh"), move, "--replicas", strconv.Itoa(replicas))
				if !strings.Contains(answer, tt.want) {
					t.Errorf("the call was answered %s, want %s", answer, tt.want)
				}
			})
		}
	}
}

// mountingShell returns a shell that may mount what its processes alone see.
func mountingShell(t *testing.T) []string {
	t.Helper()
	shell := []string{"unshare", "-rm", "sh"}
	if out, err := exec.Command(shell[0], "-rm", "mount", "-t", "tmpfs", "none", "/mnt").CombinedOutput(); err != nil {
		t.Skipf("no namespace to mount in: %v %s", err, out)
	}
	return shell
}

// runScarce gives a server that a shell starts scarceInput, checks how it ends and what it
// leaves, and returns its answer to the pool's call.
func runScarce(t *testing.T, shell []string, move func(path string) string, args ...string) (answer string) {
	t.Helper()
	k := heldKitchen(t, newGate(t))
	ctx, cancel := context.WithTimeout(context.Background(), sessionLimit)
	defer cancel()
	argv := append(append(shell, move(serverOf(t, "kitchen").binary), "--program-dir", move(k.dir)), args...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	cmd.Stdin = strings.NewReader(scarceInput)
	var out, stderr log
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	pid, status, _ := strings.Cut(lines[len(lines)-1], " ")
	if _, err := strconv.Atoi(pid); err != nil || status != "0" || len(processesOf(pid)) > 0 {
		t.Errorf("the server ended badly, or something is left: %v\n%s", processesOf(pid), stderr.String())
	}
	rest := out.String()
	if !strings.Contains(rest, result(2, `{"content":[{"type":"text","text":"42"}],"isError":false}`)) {
		t.Errorf("the pure call was not answered: %s", rest)
	}
	_, answer, _ = strings.Cut(rest, `"id":1,`)
	answer, _, _ = strings.Cut(answer, "\n")
	return answer
}

// TestScarceFiles has servers start that may open few files. How many one needs is not told
// here: with too few of them it says so, with enough the call works, and there is nothing else.
func TestScarceFiles(t *testing.T) {
	t.Parallel()
	needPools(t)
	const (
		refused = `: too many open files`
		made    = `"result":{"content":[{"type":"text","text":"16.043"}],"isError":false}}`
	)
	for _, replicas := range []int{1, 2} {
		for files := 16; files <= 32; files++ {
			t.Run(strconv.Itoa(files)+"/replicas="+strconv.Itoa(replicas), func(t *testing.T) {
				t.Parallel()
				answer := runScarce(t, []string{"sh", "-c", "ulimit -n " + strconv.Itoa(files) + "; " + scarceScript, "sh"},
					func(path string) string { return path }, "--replicas", strconv.Itoa(replicas))
				isRefused, isMade := strings.Contains(answer, refused), strings.Contains(answer, made)
				if !isRefused && !isMade || isMade && files == 16 || isRefused && files == 32 {
					t.Errorf("the call was answered %s", answer)
				}
			})
		}
	}
}

// TestFewFiles is about servers that may open next to nothing: they say so, and end.
func TestFewFiles(t *testing.T) {
	t.Parallel()
	for _, files := range []string{"6", "9", "15"} {
		cmd := exec.Command("sh", "-c", `ulimit -n "$0"; exec "$@"`, files, serverOf(t, "pure").binary)
		cmd.Stdin = strings.NewReader(scarceInput)
		text, err := cmd.CombinedOutput()
		want := "pure: limit of " + files + " open files: want 16 or more\n"
		if e := (*exec.ExitError)(nil); !errors.As(err, &e) || e.ExitCode() != 1 || string(text) != want {
			t.Errorf("with %s files: %v, %s", files, err, text)
		}
	}
}
