package files

import (
	"errors"
	"strconv"
	"strings"
	"syscall"

	"github.com/mcpgen/mcpgen/runtime/pure"
)

// ioError is the error of a system call in the words of the runtime that is replaced: no
// path, the number of the error.
func ioError(err error) error {
	number, ok := errors.AsType[syscall.Errno](err)
	if !ok {
		return pure.Throw("IO error: " + err.Error())
	}
	text := number.Error()
	return pure.Throw("IO error: " + strings.ToUpper(text[:1]) + text[1:] + " (os error " + strconv.Itoa(int(number)) + ")")
}
