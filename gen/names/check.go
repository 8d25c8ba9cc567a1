package names

import (
	"fmt"
	"strings"
)

// MaxLength is the number of characters that the strictest clients allow in a name.
const MaxLength = 64

// MaxToolLength is the number of characters that the protocol allows in the name of a tool.
const MaxToolLength = 128

// CheckTool returns what clients want the name of a tool to be, if it is something else;
// otherwise "".
func CheckTool(name string) string { return check(name, "") }

// CheckProperty returns what clients want the name of a property to be, if it is something
// else; otherwise "".
func CheckProperty(name string) string { return check(name, ".") }

// CheckExplicit returns what the protocol wants the name of a tool to be, if a name that an
// author chose is something else; otherwise "".
func CheckExplicit(name string) string {
	if isName(name, "_.-", MaxToolLength) {
		return ""
	}
	return fmt.Sprintf("want 1 to %d of [A-Za-z0-9_.-]", MaxToolLength)
}

func check(name, more string) string {
	if isName(name, "_-"+more, MaxLength) {
		return ""
	}
	return fmt.Sprintf("some clients want 1 to %d of [A-Za-z0-9_%s-]", MaxLength, more)
}

// isName reports whether a name is made of 1 to limit letters and digits of ASCII and some
// more characters.
func isName(name, more string, limit int) bool {
	isOther := func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune(more, c))
	}
	return name != "" && len(name) <= limit && !strings.ContainsFunc(name, isOther)
}
