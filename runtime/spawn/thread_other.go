//go:build !linux

package spawn

import "os"

// A Thread starts processes. Only Linux has signals that tell them that it ended.
type Thread struct{}

// NewThread returns a thread.
func NewThread() *Thread { return &Thread{} }

// Start is [os.StartProcess].
func (*Thread) Start(path string, argv []string, attr *os.ProcAttr) (*os.Process, error) {
	return os.StartProcess(path, argv, attr)
}

// Close does nothing: processes go on.
func (*Thread) Close() {}
