package argv

import "strings"

// Trim removes what ECMAScript takes for white space from both ends of s. It is not
// [strings.TrimSpace]: U+0085 stays, and U+FEFF goes.
func Trim(s string) string { return strings.TrimFunc(s, isSpace) }

func isSpace(r rune) bool {
	switch {
	case r >= '\t' && r <= '\r', r >= 0x2000 && r <= 0x200A:
		return true
	}
	switch r {
	case ' ', 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
		return true
	}
	return false
}

// isDuration reports whether s is a whole number with or without a unit, as 90 or 20m.
func isDuration(s string) bool {
	number, unit := cutDigits(Trim(s))
	return number != "" && (unit == "" || len(unit) == 1 && strings.Contains("hdmsHDMS", unit))
}

// isDate reports whether s is a day that was or will be, as YYYY-MM-DD.
func isDate(s string) bool {
	if !matches(s, "0000-00-00") {
		return false
	}
	month, day := pair(s[5:]), pair(s[8:])
	return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(pair(s)*100+pair(s[2:]), month)
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// isDateTime reports whether s is an instant of RFC 3339, to the second or more precise.
func isDateTime(s string) bool {
	const day, clock = len("0000-00-00"), len("T00:00:00")
	if len(s) <= day+clock || !isDate(s[:day]) || !matches(s[day:day+clock], "T00:00:00") || !isClock(s[day+1:]) {
		return false
	}
	if pair(s[day+7:]) > 59 { // a leap second, which the program could not read
		return false
	}
	zone := s[day+clock:]
	if zone[0] == '.' {
		fraction, rest := cutDigits(zone[1:])
		if fraction == "" {
			return false
		}
		zone = rest
	}
	return zone == "Z" || (matches(zone, "+00:00") || matches(zone, "-00:00")) && isClock(zone[1:])
}

// isClock reports whether s begins with an hour and a minute, as 23:59.
func isClock(s string) bool { return pair(s) <= 23 && pair(s[3:]) <= 59 }

// matches reports whether s has the form of an example: a digit for each 0 of it, else the
// same bytes.
func matches(s, example string) bool {
	if len(s) != len(example) {
		return false
	}
	for i := range len(s) {
		if example[i] == '0' && s[i]-'0' < 10 || s[i] == example[i] {
			continue
		}
		return false
	}
	return true
}

// pair returns the number of the two digits at the start of s.
func pair(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }
