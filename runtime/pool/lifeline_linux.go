package pool

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// A lifeline is a pipe that nobody writes to. Pools have its one end, and this process alone
// the other: when it ends, however it does, they read the end of the file and end too
// (pool-protocol-next.md 1.2).
type lifeline struct {
	theirs, ours *os.File
	token        string // MORLOC_LIFELINE
}

// lifelineFD is the number of the pipe in a pool: the first behind the standard ones.
const lifelineFD = 3

func newLifeline() (*lifeline, error) {
	start, err := startTime(os.Getpid())
	if err != nil {
		return nil, err
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	l := &lifeline{theirs: theirs, ours: ours}
	var stat syscall.Stat_t
	if err := syscall.Fstat(int(theirs.Fd()), &stat); err != nil {
		l.close()
		return nil, err
	}
	group, _ := syscall.Getpgid(0)
	l.token = strings.Join([]string{
		strconv.Itoa(lifelineFD), strconv.FormatUint(uint64(stat.Dev), 10), strconv.FormatUint(stat.Ino, 10),
		strconv.Itoa(os.Getpid()), start, strconv.Itoa(group),
	}, ":")
	return l, nil
}

// extend hands the pipe to a process that is to be started. A nil lifeline does nothing.
func (l *lifeline) extend(attr *os.ProcAttr) {
	if l == nil {
		return
	}
	attr.Files = append(attr.Files[:lifelineFD:lifelineFD], l.theirs)
	attr.Env = append(attr.Env, "MORLOC_LIFELINE="+l.token)
}

// close ends it. A nil lifeline does nothing.
func (l *lifeline) close() {
	if l != nil {
		_ = l.theirs.Close()
		_ = l.ours.Close()
	}
}

// startTime returns when a process started, as /proc has it: with its id, that is a name
// which is never used again.
func startTime(pid int) (string, error) {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", err
	}
	const field = 22 // the third comes first behind the name, which may hold anything
	fields := strings.Fields(string(line[strings.LastIndexByte(string(line), ')')+1:]))
	if len(fields) <= field-3 {
		return "", errors.New("/proc has no start time")
	}
	return fields[field-3], nil
}
