//go:build !linux

package runtime

import "os"

// takeStdout returns standard output for the protocol alone. Without language pools, which
// need Linux, nobody else prints there; that our own code does not is a matter of care.
func takeStdout() (*os.File, error) {
	out := os.Stdout
	os.Stdout = os.Stderr
	return out, nil
}

// cutStdout does nothing: writes cannot be ended here.
func cutStdout(*os.File) {}
