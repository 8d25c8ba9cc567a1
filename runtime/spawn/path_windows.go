package spawn

import "os/exec"

// isProgram returns the path of a program that is called file, if there is one: with one of
// the extensions of programs.
func isProgram(file string) (path string, ok bool) {
	path, err := exec.LookPath(file)
	return path, err == nil
}
