package names

import "fmt"

// MaxLength is the number of characters that the strictest clients allow in a name.
const MaxLength = 64

// CheckTool returns what clients want the name of a tool to be, if it is something else;
// otherwise "".
func CheckTool(name string) string { return check(name, "") }

// CheckProperty returns what clients want the name of a property to be, if it is something
// else; otherwise "".
func CheckProperty(name string) string { return check(name, ".") }

func check(name, more string) string {
	ok := name != "" && len(name) <= MaxLength
	for _, c := range []byte(name) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		case more == "" || c != more[0]:
			ok = false
		}
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("some clients want 1 to %d of [A-Za-z0-9_%s-]", MaxLength, more)
}
