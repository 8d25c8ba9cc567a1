package gen

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// guard runs work(-1), which handles a whole program. If that panics, a fault of mcpgen,
// guard looks for the command it was about: the one for which work(i), which handles that
// command alone, panics with the same words. The error names it, and the line of code.
func guard(commands []string, work func(i int) error) error {
	fault, err := attempt(-1, work)
	if fault == nil {
		return err
	}
	for i, name := range commands {
		if f, _ := attempt(i, work); f != nil && f.text == fault.text {
			return fmt.Errorf("mcpgen: internal: command %q: %s (%s); please report it", name, fault.text, fault.place)
		}
	}
	return fmt.Errorf("mcpgen: internal: %s (%s); please report it", fault.text, fault.place)
}

// A fault is a panic.
type fault struct {
	text  string
	place string // file:line in mcpgen, or "?"
}

func attempt(i int, work func(int) error) (f *fault, err error) {
	defer func() {
		if r := recover(); r != nil {
			f = &fault{text: strings.TrimPrefix(fmt.Sprint(r), "mcpgen: internal: "), place: panicPlace()}
		}
	}()
	return nil, work(i)
}

// panicPlace returns the innermost place of mcpgen on the stack of a panic that is being
// recovered.
func panicPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case panicked && strings.HasPrefix(f.Function, mcpgenModule+"/"):
			dir, file := path.Split(f.File)
			return fmt.Sprintf("%s/%s:%d", path.Base(dir), file, f.Line)
		}
		if !more {
			return "?"
		}
	}
}
