package argv

import (
	"slices"
	"strings"
)

// A Dash says when "--" stands before the positionals (cli-schema.md 6.4).
type Dash uint8

// Rules of [Style.Dash].
const (
	DashAuto   Dash = iota // when a word could be taken for an option or a built-in command
	DashAlways             // whenever there is a positional
	DashNever
)

// A Style says how a program wants its words.
type Style struct {
	Equals bool // options are --name=value, one word
	Dash   Dash
	// Bun says that the program is run by bun, which keeps a "--" that is the first word
	// for itself.
	Bun bool
}

// Words are the words of a command line behind the program and its leading arguments. They
// are added in their order, positionals last. The zero value is ready; it keeps copies.
type Words struct {
	style       Style
	words       []string
	positionals int // how many of words they are
}

// Reset makes w empty, for a program of a style.
func (w *Words) Reset(s Style) { *w = Words{style: s, words: w.words[:0]} }

// Word adds a word that is the same in each call: a command or a flag. It is not copied.
func (w *Words) Word(word string) { w.words = append(w.words, word) }

// PathParam adds a word of the path of the command.
func (w *Words) PathParam(word Word) { w.Word(strings.Clone(word.Text)) }

// Flag adds --name if it is set.
func (w *Words) Flag(name string, set bool) {
	if set {
		w.Word("--" + name)
	}
}

// Option adds --name and its value, if it is given.
func (w *Words) Option(name string, value Word) {
	switch {
	case !value.Given:
	case w.style.Equals:
		w.Word("--" + name + "=" + value.Text)
	default:
		w.words = append(w.words, "--"+name, strings.Clone(value.Text))
	}
}

// Positional adds a positional, if it is given.
func (w *Words) Positional(word Word) {
	if word.Given {
		w.positional(word.Text)
	}
}

// Positionals adds positionals.
func (w *Words) Positionals(words []string) {
	for _, word := range words {
		w.positional(word)
	}
}

func (w *Words) positional(word string) {
	w.Word(strings.Clone(word))
	w.positionals++
}

// AppendTo appends the words to dst, with "--" where it is wanted.
func (w *Words) AppendTo(dst []string) []string {
	before := w.words[:len(w.words)-w.positionals]
	positionals := w.words[len(before):]
	dst = append(dst, before...)
	if w.wantsDash(before, positionals) {
		dst = append(dst, "--")
		if w.style.Bun && len(before) == 0 {
			dst = append(dst, "--")
		}
	}
	return append(dst, positionals...)
}

func (w *Words) wantsDash(before, positionals []string) bool {
	if len(positionals) == 0 || w.style.Dash == DashNever {
		return false
	}
	return w.style.Dash == DashAlways ||
		slices.ContainsFunc(positionals, func(s string) bool { return strings.HasPrefix(s, "-") }) ||
		len(before) == 0 && IsBuiltin(positionals[0]) // only a root that is a leaf has nothing before
}

// IsBuiltin reports whether a word is a command that the library adds to programs
// (cli-schema.md 2.4).
func IsBuiltin(word string) bool {
	switch word {
	case "completion", "mcp", "ai", "install", "uninstall", "update", "version", "docs",
		"config", "configure", "http", "api":
		return true
	}
	return false
}
