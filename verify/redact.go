package verify

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/mcpgen/mcpgen/verify/report"
)

// minSecret is how many bytes a value must have to be redacted: shorter ones would blot
// out ordinary words.
const minSecret = 4

// minLine is how many bytes a line of a secret of many lines must have.
const minLine = 8

// mask stands for a secret.
const mask = "***"

// A redactor takes secrets out of texts, in every form in which a server may echo them.
type redactor struct{ forms []string } // longest first

func newRedactor(secrets []string) *redactor {
	forms := map[string]bool{}
	for _, secret := range secrets {
		for _, form := range formsOf(secret) {
			if len(form) >= minSecret {
				forms[form] = true
			}
		}
	}
	r := &redactor{slices.Collect(maps.Keys(forms))}
	slices.SortFunc(r.forms, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return r
}

// formsOf returns a secret as it is, in JSON, in addresses and in base64, and its lines.
func formsOf(secret string) []string {
	if len(secret) < minSecret {
		return nil
	}
	quoted, _ := json.Marshal(secret) // a string always can be
	var plain strings.Builder
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	_ = e.Encode(secret)
	forms := []string{
		secret,
		strings.Trim(string(quoted), `"`),
		strings.Trim(strings.TrimSpace(plain.String()), `"`),
		url.QueryEscape(secret),
		url.PathEscape(secret),
		base64.StdEncoding.EncodeToString([]byte(secret)),
	}
	if strings.Contains(secret, "\n") {
		for line := range strings.Lines(secret) {
			if line = strings.TrimSpace(line); len(line) >= minLine {
				forms = append(forms, line)
			}
		}
	}
	return forms
}

// text returns a text without secrets.
func (r *redactor) text(s string) string {
	for _, form := range r.forms {
		s = strings.ReplaceAll(s, form, mask)
	}
	return s
}

func (r *redactor) list(texts []string) []string {
	for i, s := range texts {
		texts[i] = r.text(s)
	}
	return texts
}

// raw redacts the strings of JSON text. Text without secrets stays as it is.
func (r *redactor) raw(text json.RawMessage) json.RawMessage {
	if !slices.ContainsFunc(r.forms, func(form string) bool { return strings.Contains(string(text), form) }) {
		return text
	}
	var tree any
	if json.Unmarshal(text, &tree) != nil {
		return nil
	}
	redacted, _ := json.Marshal(r.tree(tree)) // it came from JSON
	return redacted
}

func (r *redactor) tree(node any) any {
	switch node := node.(type) {
	case string:
		return r.text(node)
	case []any:
		for i := range node {
			node[i] = r.tree(node[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(node))
		for key, child := range node {
			clean[r.text(key)] = r.tree(child)
		}
		return clean
	}
	return node
}

// result redacts every text of a result that a server may have had a hand in.
func (r *redactor) result(x *report.Result) {
	for _, s := range []*string{&x.Name, &x.Notes, &x.FirstAttemptNotes, &x.ProbeTool, &x.ProbeDetail, &x.ProtocolVersion, &x.StderrTail, &x.SSEEndpoint} {
		*s = r.text(*s)
	}
	for _, list := range [][]string{x.Tools, x.Missing, x.Extra, x.Eras} {
		r.list(list)
	}
	for i := range x.Findings {
		f := &x.Findings[i]
		f.Tool, f.Message = r.text(f.Tool), r.text(f.Message)
	}
	x.ServerInfo, x.Listing = r.raw(x.ServerInfo), r.raw(x.Listing)
}

// lastBytes returns the end of a text, in whole characters.
func lastBytes(s string, n int) string {
	if len(s) > n {
		s = s[len(s)-n:]
	}
	return strings.ToValidUTF8(s, "")
}

// shorten returns at most n characters of a text.
func shorten(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

// oneLine joins the lines and spaces of a text.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
