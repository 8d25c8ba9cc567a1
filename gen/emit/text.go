package emit

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// comment returns // comments, one for each line of text, wrapped at 90 columns. It takes
// any text: none of it can become code.
func comment(text string) *jen.Statement {
	s := jen.Null()
	for i, line := range wrap(text, 90) {
		if i > 0 {
			s.Line()
		}
		s.Comment("// " + line)
	}
	return s
}

// oneLine makes text fit for a comment of one line.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.IsSpace(r), unicode.In(r, unicode.Zl, unicode.Zp):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r): // Cf turns the direction of text
			return -1
		}
		return r
	}, text)), " ")
}

// wrap splits text into lines of at most width bytes, where spaces allow.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(oneLine(text)) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// literal returns a string literal, in backquotes where that reads better.
func literal(s string) *jen.Statement {
	if strings.ContainsAny(s, `"\`) && raw(s, "") {
		return jen.Op("`" + s + "`")
	}
	return jen.Op(strconv.Quote(s))
}

// raw reports whether s can stand between backquotes as it is: made of visible characters,
// spaces, and others.
func raw(s, others string) bool {
	for _, r := range s {
		if r == '`' || r == utf8.RuneError || !unicode.IsGraphic(r) && !strings.ContainsRune(others, r) {
			return false
		}
	}
	return utf8.ValidString(s)
}

// textLiteral returns a literal of text of several lines, which stand as they are where Go
// allows that.
func textLiteral(s string) *jen.Statement {
	if raw(s, "\n\t") {
		return jen.Op("`" + s + "`")
	}
	all := jen.Null()
	i := 0
	for line := range strings.Lines(s) {
		if i++; i > 1 {
			all.Op("+").Line()
		}
		all.Add(literal(line))
	}
	return all
}

// listing returns the JSON text of a tool as string literals joined over lines: one for
// each property, and new ones for the schemas and what is required.
func listing(json string) *jen.Statement {
	const width = 100
	var parts []string
	start, depth := 0, 0
	inString := false
	cut := func(end int) {
		parts = append(parts, json[start:end])
		start = end
	}
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case c == '\\' && inString:
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{', c == '[':
			depth++
			if depth == 3 && c == '{' && json[i+1] != '}' { // properties
				cut(i + 1)
			}
		case c == '}', c == ']':
			depth--
		case c == ',' && depth == 1 && strings.HasPrefix(json[i+1:], `"description"`):
		case c == ',' && (depth == 1 || depth == 3 || i-start >= width),
			c == ',' && depth == 2 && !strings.HasPrefix(json[i+1:], `"additionalProperties"`):
			cut(i + 1)
		}
	}
	parts = append(parts, json[start:])
	s := jen.Null()
	for i, part := range joinShort(parts, width) {
		if i > 0 {
			s.Op("+").Line()
		}
		s.Add(literal(part))
	}
	return s
}

// joinShort joins neighbours as long as they fit on a line, but for those that begin a
// schema.
func joinShort(parts []string, width int) []string {
	joined := parts[:1]
	for _, part := range parts[1:] {
		last := &joined[len(joined)-1]
		property := strings.HasSuffix(*last, `"properties":{`) || strings.HasPrefix(part, `"required"`)
		begins := strings.HasPrefix(part, `"inputSchema"`) || strings.HasPrefix(part, `"outputSchema"`)
		if begins || property && !strings.HasSuffix(*last, `"properties":{},`) || len(*last)+len(part) > width {
			joined = append(joined, part)
			continue
		}
		*last += part
	}
	return joined
}
