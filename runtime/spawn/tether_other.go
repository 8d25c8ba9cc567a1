//go:build !linux

package spawn

import "os"

// A Tether would end a group of processes with this one, which no other system than Linux does.
type Tether struct{}

// NewTether returns a tether.
func NewTether() (*Tether, error) { return nil, nil }

// Extend does nothing.
func (*Tether) Extend(*os.ProcAttr) {}

// Tie does nothing.
func (*Tether) Tie(int) {}

// Close does nothing.
func (*Tether) Close() {}
