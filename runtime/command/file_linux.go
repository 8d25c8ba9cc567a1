package command

import (
	"errors"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// newFile returns an empty file of which nothing is left after [dropFile]: in memory, or if
// the kernel has no such files, on the disk. What is written to it goes to its end, also
// behind what a program has written that opened /dev/stdout for itself.
func newFile() (*os.File, error) {
	f, err := memoryFile()
	if errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EPERM) {
		f, err = tempFile()
	}
	if err != nil {
		return nil, err
	}
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), syscall.F_SETFL, syscall.O_APPEND)
	return f, nil
}

// memoryFile returns a file that is in no file system.
func memoryFile() (*os.File, error) {
	number := memfdCreate()
	if number == 0 {
		return nil, syscall.ENOSYS
	}
	const name, cloexec, allowSealing = "mcpgen\x00", 1, 2
	fd, _, errno := syscall.Syscall(number, uintptr(unsafe.Pointer(unsafe.StringData(name))), cloexec|allowSealing, 0)
	if errno != 0 {
		return nil, os.NewSyscallError("memfd_create", errno)
	}
	return os.NewFile(fd, "memory"), nil
}

// retire makes a file empty, which others may hold, and if it is in memory, keeps it so: who
// writes to it gets an error, as from a pipe that nobody reads.
func retire(f *os.File) {
	const addSeals, sealGrow = 1033, 4
	_ = f.Truncate(0)
	_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, f.Fd(), addSeals, sealGrow)
}

// memfdCreate returns the number of the system call, which package syscall does not have; 0
// if it is not known.
func memfdCreate() uintptr {
	switch runtime.GOARCH {
	case "amd64":
		return 319
	case "386":
		return 356
	case "arm":
		return 385
	case "arm64", "loong64", "riscv64":
		return 279
	case "ppc64", "ppc64le":
		return 360
	case "s390x":
		return 350
	}
	return 0
}
