package command

import (
	"errors"
	"os"
	"runtime"
)

// tempFile returns an empty file that is in no folder, or if the system does not do that, in
// one until [dropFile].
func tempFile() (*os.File, error) {
	f, err := os.CreateTemp("", "mcpgen-")
	if err != nil {
		return nil, errors.New("temporary file: " + reason(err))
	}
	_ = os.Remove(f.Name())
	return f, nil
}

// dropFile closes a file of which nothing shall be left.
func dropFile(f *os.File) {
	_ = f.Close()
	if runtime.GOOS == "windows" && f.Name() != os.DevNull { // it does not remove open files
		_ = os.Remove(f.Name())
	}
}
