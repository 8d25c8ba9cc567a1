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
	if strings.ContainsAny(s, `"\`) && raw(s) {
		return jen.Op("`" + s + "`")
	}
	return jen.Op(strconv.Quote(s))
}

// raw reports whether s can stand between backquotes, on one line, as it is.
func raw(s string) bool {
	for _, r := range s {
		if r == '`' || r == utf8.RuneError || !unicode.IsGraphic(r) {
			return false
		}
	}
	return utf8.ValidString(s)
}

// lines returns JSON text as string literals joined over lines of about width bytes. It is
// cut behind commas and opening braces that are not inside of strings.
func lines(json string, width int) *jen.Statement {
	var parts []string
	start, cut := 0, 0
	inString := false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case c == '\\' && inString:
			i++
		case c == '"':
			inString = !inString
		case !inString && (c == ',' || c == '{' || c == '['):
			if i+1-start > width && cut > start {
				parts = append(parts, json[start:cut])
				start = cut
			}
			cut = i + 1
		}
	}
	if len(json)-start > width && cut > start {
		parts = append(parts, json[start:cut])
		start = cut
	}
	parts = append(parts, json[start:])
	s := jen.Null()
	for i, part := range parts {
		if i > 0 {
			s.Op("+").Line()
		}
		s.Add(literal(part))
	}
	return s
}
