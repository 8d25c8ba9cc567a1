//go:build !linux && !darwin

package output

import "os"

// lockFolder opens dir. Folders cannot be locked here: that no other mcpgen writes to it
// is left to the caller.
func lockFolder(dir string) (*os.File, error) { return os.Open(dir) }

// unlock closes what lockFolder opened.
func unlock(f *os.File) { f.Close() }
