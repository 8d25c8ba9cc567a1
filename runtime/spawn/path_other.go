//go:build !windows

package spawn

import "os"

// isProgram returns the path of a program that is called file, if there is one.
func isProgram(file string) (path string, ok bool) {
	info, err := os.Stat(file)
	return file, err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
