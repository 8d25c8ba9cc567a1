//go:build linux

package testpool

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// internalFault is the exit status of pools that end for a fault of their own runtime.
const internalFault = 70

// checkVolume refuses to start without the first volume, which the client makes.
func (p *pool) checkVolume() error {
	if !strings.HasPrefix(p.basename, "/mlc-") {
		return fmt.Errorf("basename %q", p.basename)
	}
	path := "/dev/shm" + p.basename + "-0001"
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(file) != 65_743 || le.Uint32(file) != 0xfeca0df0 || file[168] != 0x92 {
		return fmt.Errorf("SHM volume '%s' is not initialised", path)
	}
	for _, name := range []string{".owner", p.basename[1:] + "-0001.shm"} {
		if _, err := os.Stat(filepath.Join(p.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// lifelineFault says what is wrong with the lifeline.
var lifelineFault = "none"

// watchLifeline ends the group of this process when the client has ended.
func watchLifeline() {
	fd, fault := checkLifeline(os.Getenv("MORLOC_LIFELINE"))
	if lifelineFault = fault; fault != "good" {
		return
	}
	syscall.CloseOnExec(fd)
	go func() {
		for {
			n, err := syscall.Read(fd, make([]byte, 1))
			if err == syscall.EINTR {
				continue
			}
			if n == 0 {
				_ = syscall.Kill(0, syscall.SIGTERM)
				time.Sleep(200 * time.Millisecond)
				_ = syscall.Kill(0, syscall.SIGKILL)
			}
			return
		}
	}()
}

// checkLifeline holds the token against the pipe and the process that it names.
func checkLifeline(token string) (fd int, fault string) {
	fields := strings.Split(token, ":")
	if len(fields) != 6 {
		return 0, fmt.Sprintf("%d fields", len(fields))
	}
	var n [6]uint64
	for i, f := range fields {
		var err error
		if n[i], err = strconv.ParseUint(f, 10, 64); err != nil {
			return 0, "field " + f
		}
	}
	var stat syscall.Stat_t
	if err := syscall.Fstat(int(n[0]), &stat); err != nil || stat.Mode&syscall.S_IFMT != syscall.S_IFIFO {
		return 0, "no pipe"
	}
	if uint64(stat.Dev) != n[1] || stat.Ino != n[2] {
		return 0, "another pipe"
	}
	if int(n[3]) != os.Getppid() {
		return 0, "another process"
	}
	line, _ := os.ReadFile("/proc/" + fields[3] + "/stat")
	rest := strings.Fields(string(line[strings.LastIndex(string(line), ")")+1:]))
	if len(rest) < 20 || rest[19] != fields[4] {
		return 0, "another start"
	}
	if group, _ := syscall.Getpgid(int(n[3])); group != int(n[5]) {
		return 0, "another group"
	}
	return int(n[0]), "good"
}

// Layout of the volume for results: its header is not that of the first volume.
const (
	givenVolume = 2
	givenHeader = 224
	givenSize   = 1 << 20
)

func (p *pool) givenPath() string {
	return fmt.Sprintf("/dev/shm%s-%04x", p.basename, givenVolume)
}

// give answers with a string in shared memory, of which the client gets a share. The block
// stays as it is until that is given back.
func (p *pool) give(arg []byte) []byte {
	const root = givenVolume<<48 | blockHeader
	value := Text(string(arg))
	le.PutUint64(value[8:], root+16)
	v := make([]byte, givenHeader+givenSize)
	copy(v, "\xf0\x0d\xca\xfe")
	le.PutUint64(v[136:], givenSize)
	copy(v[givenHeader:], "\xf0\x0d\xb1\x0c\x01\x00\x00\x00")
	le.PutUint64(v[givenHeader+8:], uint64(len(value)+15)&^15)
	copy(v[givenHeader+blockHeader:], value)
	if err := os.WriteFile(p.givenPath(), v, 0o600); err != nil {
		return Fail(err.Error())
	}
	mark := filepath.Join(p.dir, filepath.Base(p.givenPath())+".shm")
	if err := os.WriteFile(mark, nil, 0o600); err != nil {
		return Fail(err.Error())
	}
	return Data(sourceRelptr, formatVoidstar, le.AppendUint64(nil, root))
}

// shares describes the block of the last result that was given.
func (p *pool) shares() string {
	v, err := os.ReadFile(p.givenPath())
	if err != nil {
		return err.Error()
	}
	size := le.Uint64(v[givenHeader+8:])
	zeroed := true
	for _, b := range v[givenHeader+blockHeader:][:size] {
		zeroed = zeroed && b == 0
	}
	return fmt.Sprintf("%d %t", le.Uint32(v[givenHeader+4:]), zeroed)
}
