package sessions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A commandRules is a second implementation of cli-schema.md 6.2 to 6.6, for one leaf of a
// program: plainly written, of the description that the author gave.
type commandRules struct {
	chain      []*commandLine // from the root to the leaf
	doubleDash string
	equals     bool
	newer      bool // dialect 7: json and yes are always given, and not published; nor is verbose
}

func (r *commandRules) leaf() *commandLine { return r.chain[len(r.chain)-1] }

func (r *commandRules) hidden(o *option) bool {
	return r.newer && o.Kind == "presence" && slices.Contains([]string{"json", "yes", "verbose"}, o.Name)
}

// published returns the names of the properties.
func (r *commandRules) published() []string {
	var names []string
	for _, n := range r.chain {
		if strings.HasPrefix(n.Key, ":") {
			names = append(names, n.Key[1:])
		}
	}
	for _, n := range r.chain {
		for i := range n.Options {
			if !r.hidden(&n.Options[i]) {
				names = append(names, n.Options[i].Name)
			}
		}
	}
	for _, p := range r.leaf().Positionals {
		names = append(names, p.Name)
	}
	return names
}

// A valueRead is an argument as it came.
type valueRead struct {
	raw    string // "" if it did not come, or is null
	broken bool   // it has been told already
}

// check returns what is told of arguments, a line each, and their values.
func (r *commandRules) check(arguments string) (lines []string, values map[string]*valueRead) {
	published := r.published()
	values = map[string]*valueRead{}
	for _, name := range published {
		values[name] = &valueRead{}
	}
	seen := map[string]bool{}
	d := json.NewDecoder(strings.NewReader(arguments))
	_, _ = d.Token()
	for d.More() {
		key, _ := d.Token()
		name := key.(string)
		var raw json.RawMessage
		_ = d.Decode(&raw)
		switch v := values[name]; {
		case v == nil && !seen[name]:
			lines = append(lines, "Unknown argument: "+name)
		case v == nil:
		case seen[name] && !v.broken:
			lines = append(lines, "duplicate argument '"+name+"'")
			v.broken = true
		case !seen[name] && string(raw) != "null":
			v.raw = string(raw)
		}
		seen[name] = true
	}
	tell := func(name, text string) {
		if v := values[name]; text != "" && !v.broken {
			lines = append(lines, text)
			v.broken = true
		}
	}
	for i, n := range r.chain {
		if strings.HasPrefix(n.Key, ":") {
			tell(n.Key[1:], paramProblem(n.Key[1:], values[n.Key[1:]].raw, r.chain[i-1]))
		}
	}
	for _, n := range r.chain {
		for i := range n.Options {
			if o := &n.Options[i]; !r.hidden(o) {
				tell(o.Name, optionProblem(o, values[o.Name].raw))
			}
		}
	}
	slots := r.leaf().Positionals
	for i := range slots {
		tell(slots[i].Name, slotProblem(slots, i, values))
	}
	return lines, values
}

// stringLike returns the text of a string or a number.
func stringLike(raw string) (text string, ok bool) {
	var v any
	d := json.NewDecoder(strings.NewReader(raw))
	d.UseNumber()
	_ = d.Decode(&v)
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return ecmaNumber(v.String()), true
	}
	return "", false
}

// ecmaNumber prints a number as ECMAScript does; integers keep their digits.
func ecmaNumber(literal string) string {
	if regexp.MustCompile(`^-?\d+$`).MatchString(literal) && literal != "-0" {
		return literal
	}
	v, err := strconv.ParseFloat(literal, 64)
	switch {
	case err != nil:
		return literal
	case v == 0:
		return "0"
	}
	text, _ := json.Marshal(v) // which has the form of ECMAScript, but for -0
	return string(text)
}

func nul(name, text string) string {
	if strings.ContainsRune(text, 0) {
		return "Argument " + name + " contains a NUL byte"
	}
	return ""
}

func paramProblem(name, raw string, router *commandLine) string {
	if raw == "" {
		return "Missing argument: " + name
	}
	text, ok := stringLike(raw)
	if !ok {
		return "Argument " + name + " must be a string"
	}
	if text == "" || text[0] == '-' || slices.ContainsFunc(router.Commands, func(c commandLine) bool { return c.Key == text && c.Key[0] != ':' }) {
		return "Invalid value for argument " + name + ": " + text
	}
	return nul(name, text)
}

var (
	ecmaSpace  = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
	durations  = regexp.MustCompile(`(?i)^\d+[hdms]?$`)
	numbers    = regexp.MustCompile(`^([+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+)$`)
	zonedTimes = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
)

func optionProblem(o *option, raw string) string {
	switch {
	case raw == "" && o.Required:
		return "Missing required option: --" + o.Name
	case raw == "":
		return ""
	case o.Kind == "presence":
		if raw != "true" && raw != "false" {
			return "Argument " + o.Name + " must be a boolean"
		}
		return ""
	case o.Kind == "json":
		return ""
	case o.Format == "comma-list":
		return listProblem(o.Name, raw)
	}
	text, ok := stringLike(raw)
	if o.Kind == "number" {
		switch {
		case !ok:
			return "Argument " + o.Name + " must be a number"
		case raw[0] == '"' && !numbers.MatchString(strings.Trim(text, ecmaSpace)):
			return "Invalid number for option --" + o.Name + ": " + text
		}
		return nul(o.Name, text)
	}
	if !ok {
		return "Argument " + o.Name + " must be a string"
	}
	if reason := textProblem(o, text); reason != "" {
		return reason
	}
	return nul(o.Name, text)
}

func textProblem(o *option, text string) string {
	invalid := "Invalid value for option --" + o.Name + ": "
	_, noDay := time.Parse(time.DateOnly, text)
	switch {
	case o.Kind == "enum" && !slices.Contains(o.Choices, text):
		return "Option --" + o.Name + ": '" + text + "' is not one of: " + strings.Join(o.Choices, ", ")
	case o.Format == "duration" && !durations.MatchString(strings.Trim(text, ecmaSpace)):
		return invalid + "Invalid duration: " + text + " (use e.g. 30s, 20m, 1h, 2d)"
	case o.Format == "date" && noDay != nil:
		return invalid + "Invalid date: " + text + " (use YYYY-MM-DD)"
	case o.Format == "date-time":
		_, err := time.Parse(time.RFC3339, text)
		if err != nil || !zonedTimes.MatchString(text) {
			return invalid + "Invalid date-time: " + text + " (use RFC 3339, e.g. 2026-06-22T15:00:00Z)"
		}
	case o.Pattern != "" && !regexp.MustCompile(o.Pattern).MatchString(text):
		return invalid + "Value does not match required pattern: " + o.Pattern
	}
	return ""
}

func listProblem(name, raw string) string {
	text, ok := commaList(raw)
	if !ok {
		return "Option --" + name + " must be a string or array of strings"
	}
	if raw[0] == '[' && text == "" {
		return "Option --" + name + " requires at least one value"
	}
	return nul(name, text)
}

func commaList(raw string) (text string, ok bool) {
	if json.Unmarshal([]byte(raw), &text) == nil {
		return text, true
	}
	var words []*string
	if json.Unmarshal([]byte(raw), &words) != nil || slices.Contains(words, nil) {
		return "", false
	}
	var kept []string
	for _, w := range words {
		if *w != "" {
			kept = append(kept, *w)
		}
	}
	return strings.Join(kept, ","), true
}

// slotWords returns the words of a positional.
func slotWords(p *positional, raw string) (words []string, ok bool) {
	if raw == "" {
		return nil, true
	}
	if _, most := p.bounds(); most == 1 {
		text, ok := stringLike(raw)
		return []string{text}, ok
	}
	var all []json.RawMessage
	if json.Unmarshal([]byte(raw), &all) != nil {
		return nil, false
	}
	for _, one := range all {
		text, ok := stringLike(string(one))
		if !ok {
			return nil, false
		}
		words = append(words, text)
	}
	return words, true
}

func slotProblem(slots []positional, i int, values map[string]*valueRead) string {
	p := &slots[i]
	least, most := p.bounds()
	raw := values[p.Name].raw
	words, ok := slotWords(p, raw)
	switch {
	case raw == "" && least > 0:
		return "Missing argument: " + p.Name
	case raw == "":
		return ""
	case !ok && most == 1:
		return "Argument " + p.Name + " must be a string"
	case !ok:
		return "Argument " + p.Name + " must be an array of strings"
	case len(words) < least:
		return fmt.Sprintf("Argument %s needs at least %d value(s), got %d", p.Name, least, len(words))
	case most > 0 && len(words) > most:
		return fmt.Sprintf("Argument %s takes at most %d value(s), got %d", p.Name, most, len(words))
	}
	for k := range slots[:i] {
		before := &slots[k]
		if least, _ := before.bounds(); least == 0 && values[before.Name].raw == "" && !values[before.Name].broken {
			return "Argument " + p.Name + " requires argument " + before.Name
		}
	}
	for k := range slots[:i] {
		before := &slots[k]
		has, _ := slotWords(before, values[before.Name].raw)
		if _, most := before.bounds(); len(has) < most && !values[before.Name].broken {
			return fmt.Sprintf("Argument %s requires %d value(s) of argument %s, got %d", p.Name, most, before.Name, len(has))
		}
	}
	if least == 0 && most == 1 && i < len(slots)-1 && strings.HasPrefix(words[0], "-") {
		return "Invalid value for argument " + p.Name + ": " + words[0]
	}
	return nul(p.Name, strings.Join(words, ""))
}

// argv returns the command line for values with which nothing is wrong, and what a handler
// sees of it.
func (r *commandRules) argv(values map[string]*valueRead) ([]string, *invocation) {
	var words []string
	v := &invocation{}
	for i, n := range r.chain {
		if strings.HasPrefix(n.Key, ":") {
			text, _ := stringLike(values[n.Key[1:]].raw)
			words = append(words, text)
		} else if i > 0 {
			words = append(words, n.Key)
		}
		if i > 0 {
			v.path = append(v.path, n.Key)
		}
		for k := range n.Options {
			o := &n.Options[k]
			value, given := r.optionWord(o, values[o.Name])
			switch {
			case !given:
			case o.Kind == "presence":
				words = append(words, "--"+o.Name)
			case r.equals:
				words = append(words, "--"+o.Name+"="+value)
			default:
				words = append(words, "--"+o.Name, value)
			}
			if given {
				v.opts = append(v.opts, pair{o.Name, value})
			}
		}
	}
	for i := range r.leaf().Positionals {
		p := &r.leaf().Positionals[i]
		more, _ := slotWords(p, values[p.Name].raw)
		v.args = append(v.args, more...)
	}
	dash := slices.ContainsFunc(v.args, func(s string) bool { return strings.HasPrefix(s, "-") }) ||
		len(words) == 0 && len(v.args) > 0 && slices.Contains(builtins, v.args[0])
	if len(v.args) > 0 && r.doubleDash != "never" && (dash || r.doubleDash == "always") {
		words = append(words, "--")
	}
	return append(words, v.args...), v
}

func (r *commandRules) optionWord(o *option, v *valueRead) (text string, given bool) {
	switch {
	case r.hidden(o):
		return "1", o.Name != "verbose"
	case v.raw == "":
		return "", false
	case o.Kind == "presence":
		return "1", v.raw == "true"
	case o.Kind == "json":
		var b bytes.Buffer
		_ = json.Compact(&b, []byte(v.raw))
		return b.String(), true
	case o.Format == "comma-list":
		text, _ = commaList(v.raw)
		return text, true
	}
	return stringLike(v.raw)
}
