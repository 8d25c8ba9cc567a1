//go:build !unix

package runtime

// checkFiles says that the process may not open enough files, if that is so. Where there is
// no such limit, it is not.
func checkFiles() error { return nil }
