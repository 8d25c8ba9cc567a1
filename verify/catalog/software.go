package catalog

import (
	"regexp"
	"slices"
)

var runtimes = regexp.MustCompile(`(?i)(^|[^\w-])(node(\.?js)?|npm|npx|uv|uvx|python3?|pip|docker)($|[^\w-])`)

// Unmet returns the software that the host must have and that is no runtime which runners
// have anyway.
func (e *Entry) Unmet() []string {
	return slices.DeleteFunc(slices.Clone(e.Software), runtimes.MatchString)
}
