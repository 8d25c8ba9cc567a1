package catalog

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Placeholder is the value of a required variable that nobody gave one.
const Placeholder = "ci-qa-placeholder"

// Sources are where values of variables come from, in the order of the fields.
type Sources struct {
	Secrets map[string]string
	Process func(key string) string // environment of this process
	Rewrite map[string]string       // of a backing service that is up
	Scratch string                  // the scratch folder as the server sees it
}

// Values are the resolved variables of an app.
type Values struct {
	Of         map[string]string
	Unresolved []string // required secrets with made-up values, in order of declaration
	Real       []string // values that are secret: to be redacted everywhere
	UsesFolder bool     // some value lies in the scratch folder
}

// ownToProcess are variables of this process that are never an app's.
var ownToProcess = []string{"PATH", "HOME", "USER", "SHELL", "PWD", "TMPDIR", "LANG"}

// Resolve works out the environment of an app (spec/qa.md 4.1): for each variable the
// first rule that applies.
func (e *Entry) Resolve(from Sources) Values {
	v := Values{Of: map[string]string{}}
	for _, declared := range e.Env {
		key := declared.Key
		if value := from.given(key); value != "" {
			v.Of[key] = value
			if declared.Secret || from.Secrets[key] != "" {
				v.Real = append(v.Real, value)
			}
			continue
		}
		value, madeUp := e.otherwise(declared, from)
		if value == "" {
			continue
		}
		v.Of[key] = value
		v.UsesFolder = v.UsesFolder || strings.HasPrefix(value, from.Scratch)
		if madeUp && declared.Secret && declared.Required && !slices.Contains(v.Unresolved, key) {
			v.Unresolved = append(v.Unresolved, key)
		}
	}
	for key, value := range e.Verify.Env { // may name variables that are not declared
		if _, ok := v.Of[key]; !ok {
			v.Of[key] = value
		}
	}
	return v
}

// given returns a real value: rule 1.
func (s Sources) given(key string) string {
	if value := s.Secrets[key]; value != "" {
		return value
	}
	if s.Process == nil || slices.Contains(ownToProcess, key) {
		return ""
	}
	return s.Process(key)
}

// otherwise applies rules 2 to 6 and tells whether the value is made up.
func (e *Entry) otherwise(v Variable, from Sources) (value string, madeUp bool) {
	if value, ok := e.Verify.Env[v.Key]; ok {
		return value, false
	}
	if value, ok := from.Rewrite[v.Key]; ok {
		return value, false
	}
	switch {
	case !v.Secret && isPath(v.Key):
		if slices.Contains(keyWords(v.Key), "FILE") {
			return path.Join(from.Scratch, "qa-file"), false
		}
		return from.Scratch, false
	case v.Required && isURL(v.Key):
		return dummyURL(v.Key), true
	case v.Required:
		return Placeholder, true
	}
	return "", false
}

func keyWords(key string) []string { return strings.Split(strings.ToUpper(key), "_") }

func isPath(key string) bool {
	return slices.ContainsFunc(keyWords(key), func(word string) bool {
		switch word {
		case "PATH", "PATHS", "DIR", "DIRS", "DIRECTORY", "ROOT", "ROOTS", "FOLDER", "FILE":
			return true
		}
		return false
	})
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

func isURL(key string) bool {
	return containsAny(strings.ToUpper(key), "URL", "URI", "DSN", "CONNECTION")
}

// HasURL reports whether the app declares a variable that holds an address.
func (e *Entry) HasURL() bool {
	return slices.ContainsFunc(e.Env, func(v Variable) bool { return isURL(v.Key) })
}

func dummyURL(key string) string {
	key = strings.ToUpper(key)
	switch {
	case containsAny(key, "POSTGRES", "PG_", "PGURL"):
		return "postgres://qa:qa@127.0.0.1:5432/qa"
	case containsAny(key, "MYSQL", "MARIA"):
		return "mysql://qa:qa@127.0.0.1:3306/qa"
	case containsAny(key, "MONGO"):
		return "mongodb://127.0.0.1:27017/qa"
	case containsAny(key, "REDIS"):
		return "redis://127.0.0.1:6379"
	}
	return "http://qa.invalid"
}

// Environ returns values as entries of an environment, sorted.
func Environ(values map[string]string) []string {
	var env []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		env = append(env, key+"="+values[key])
	}
	return env
}

// reference matches ${NAME}, ${ENV:NAME} and ${NAME:-default}.
var reference = regexp.MustCompile(`\$\{(?:ENV:)?([A-Za-z_][A-Za-z0-9_]*)(?:(:-)([^}]*))?\}`)

// Substitute fills values into arguments. A declared variable without a value is empty; an
// undeclared one without a default is an error.
func (e *Entry) Substitute(args []string, values map[string]string) ([]string, error) {
	var err error
	filled := make([]string, len(args))
	for i, arg := range args {
		filled[i] = reference.ReplaceAllStringFunc(arg, func(text string) string {
			m := reference.FindStringSubmatch(text)
			name, hasDefault, fallback := m[1], m[2] != "", m[3]
			value, known := values[name]
			known = known || slices.ContainsFunc(e.Env, func(v Variable) bool { return v.Key == name })
			switch {
			case value == "" && hasDefault:
				return fallback
			case !known && err == nil:
				err = fmt.Errorf("args[%d]: %s is declared nowhere", i, text)
			}
			return value
		})
	}
	return filled, err
}
