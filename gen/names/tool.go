package names

import "strings"

// Tool returns the name of the tool for a command of a command line, given the words that
// lead to it (cli-schema.md 5.2).
func Tool(path []string) string {
	words := make([]string, len(path))
	for i, key := range path {
		words[i] = Sanitized(key)
	}
	return strings.Join(words, "_")
}

// Sanitized returns text with an underscore for each UTF-16 code unit that is no letter or
// digit of ASCII: two for a character beyond U+FFFF.
func Sanitized(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			b.WriteByte(byte(r))
		case r > 0xFFFF:
			b.WriteString("__")
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}
