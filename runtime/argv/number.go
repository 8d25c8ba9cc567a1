package argv

import (
	"math"
	"strconv"
	"strings"
)

// render returns a JSON number as ECMAScript would print it (cli-schema.md 6.6). Integers
// keep all their digits, and so does what no double can hold.
func render(raw []byte) string {
	literal := alias(raw)
	if !strings.ContainsAny(literal, ".eE") {
		if literal == "-0" {
			return "0"
		}
		return literal
	}
	v, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return literal
	}
	return formatDouble(v)
}

// formatDouble is Number::toString of ECMAScript for finite numbers.
func formatDouble(v float64) string {
	abs := math.Abs(v)
	if v == 0 {
		return "0" // of either sign
	}
	if 1e-6 <= abs && abs < 1e21 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	s := strconv.FormatFloat(v, 'e', -1, 64)
	if n := len(s); s[n-4] == 'e' && s[n-2] == '0' { // 1e-07 is 1e-7
		s = s[:n-2] + s[n-1:]
	}
	return s
}

// IsNumber reports whether the program would take s for a number: after trimming, a decimal
// or an unsigned integer in base 16, 8 or 2.
func IsNumber(s string) bool {
	s = Trim(s)
	if len(s) > 2 && s[0] == '0' {
		switch s[1] {
		case 'x', 'X':
			return onlyDigits(s[2:], 16)
		case 'o', 'O':
			return onlyDigits(s[2:], 8)
		case 'b', 'B':
			return onlyDigits(s[2:], 2)
		}
	}
	return isDecimal(s)
}

// onlyDigits reports whether s is made of digits of a base.
func onlyDigits(s string, base int) bool {
	for i := range len(s) {
		if digit(s[i]) >= base {
			return false
		}
	}
	return s != ""
}

// digit returns the value of a digit; one that is too large for anything else.
func digit(c byte) int {
	switch {
	case c-'0' < 10:
		return int(c - '0')
	case c|0x20-'a' < 6:
		return int(c|0x20-'a') + 10
	}
	return math.MaxInt
}

// isDecimal reports whether s is a decimal: 5, -.5, 5., 1e3.
func isDecimal(s string) bool {
	s = skipSign(s)
	whole, rest := cutDigits(s)
	fraction := ""
	if rest != "" && rest[0] == '.' {
		fraction, rest = cutDigits(rest[1:])
	}
	if whole == "" && fraction == "" {
		return false
	}
	if rest != "" && rest[0]|0x20 == 'e' {
		exponent, end := cutDigits(skipSign(rest[1:]))
		return exponent != "" && end == ""
	}
	return rest == ""
}

func skipSign(s string) string {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		return s[1:]
	}
	return s
}

// cutDigits parts the decimal digits at the start of s from the rest.
func cutDigits(s string) (digits, rest string) {
	n := 0
	for n < len(s) && s[n]-'0' < 10 {
		n++
	}
	return s[:n], s[n:]
}
