// Package pattern says regular expressions of ECMAScript in Go's syntax. Authors of schemas
// write the former; a server has only the latter.
//
// The invariant to know: an expression that [Translate] returns matches the same texts. What
// cannot be said in Go (groups that look around, references to groups), and what authors and
// engines read in different ways, is an error. A text is a sequence of characters here; an
// engine of ECMAScript without the flag u counts a character beyond U+FFFF as two.
package pattern

import (
	"errors"
	"fmt"
	"regexp"
)

// Translate returns the expression in Go's syntax that finds a match in the same texts as es
// does in ECMAScript without flags. The error says why there is none.
func Translate(es string) (string, error) {
	t := translator{rest: []rune(es)}
	t.alternatives(0)
	if t.err != nil {
		return "", t.err
	}
	if len(t.rest) > 0 {
		return "", errors.New("unmatched ')'")
	}
	re := string(t.out)
	if _, err := regexp.Compile(re); err != nil {
		return "", fmt.Errorf("beyond the limits of Go's regexp: %w", err)
	}
	return re, nil
}

// maxDepth is how deep groups may nest; Go's limit is the same.
const maxDepth = 1000
