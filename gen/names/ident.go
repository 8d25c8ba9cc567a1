// Package names makes names: Go identifiers of arbitrary text, and what clients think of
// the names of tools and arguments. One package makes every identifier, so that a
// declaration and its uses cannot differ.
package names

import (
	"go/token"
	"strconv"
	"strings"
	"unicode"
)

// A Scope hands out Go identifiers that differ from each other, from keywords and from
// predeclared names. Scopes nest: a name that an outer scope has handed out is taken.
type Scope struct {
	outer   *Scope
	taken   map[string]bool
	avoided map[string]bool
}

// NewScope returns a scope in which the given names are taken.
func NewScope(taken ...string) *Scope {
	s := &Scope{taken: map[string]bool{}}
	for _, name := range taken {
		s.taken[name] = true
	}
	return s
}

// Avoid makes s hand out none of the given names, though scopes inside of it may.
func (s *Scope) Avoid(names ...string) {
	if s.avoided == nil {
		s.avoided = map[string]bool{}
	}
	for _, name := range names {
		s.avoided[name] = true
	}
}

// Inner returns a scope inside of s. Names that s hands out later may clash with its own.
func (s *Scope) Inner() *Scope { return &Scope{outer: s, taken: map[string]bool{}} }

// Take hands out want, which must be an identifier, or the first of want2, want3 ... that
// is free.
func (s *Scope) Take(want string) string {
	name := want
	for n := 2; !s.free(name); n++ {
		separator := ""
		if last := want[len(want)-1]; '0' <= last && last <= '9' {
			separator = "_"
		}
		name = want + separator + strconv.Itoa(n)
	}
	s.taken[name] = true
	return name
}

func (s *Scope) free(name string) bool {
	if token.IsKeyword(name) || predeclared[name] || s.avoided[name] {
		return false
	}
	for ; s != nil; s = s.outer {
		if s.taken[name] {
			return false
		}
	}
	return true
}

// predeclared are names that Go code expects to mean what they always mean, and those
// that mean something at the top level of a main package.
var predeclared = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`
		any bool byte comparable complex64 complex128 error float32 float64 int int8 int16
		int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr true false iota nil
		append cap clear close complex copy delete imag len make max min new panic print
		println real recover main init _`) {
		set[name] = true
	}
	return set
}()

// Unexported returns text as an identifier that begins with a lower-case letter: "tmp-dir"
// is tmpDir, "2fa" is x2fa, text without letters or digits is x.
func Unexported(text string) string {
	words := words(text)
	if len(words) == 0 {
		return "x"
	}
	first := lowerFirst(words[0])
	name := first + title(words[1:])
	if r := []rune(name)[0]; !unicode.IsLower(r) && r != '_' {
		return "x" + name
	}
	return name
}

// Exported returns text as an identifier that begins with an upper-case letter: "tmp-dir"
// is TmpDir, "2fa" is X2fa, "_1" is X1, text without letters or digits is X.
func Exported(text string) string {
	name := title(words(text))
	if name == "" || !unicode.IsUpper([]rune(name)[0]) {
		return "X" + name
	}
	return name
}

// reservedPackages are folders that the go command or a system treats in a way of its own.
var reservedPackages = func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`
		internal vendor testdata documentation con prn aux nul
		com0 com1 com2 com3 com4 com5 com6 com7 com8 com9
		lpt0 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9`) {
		set[name] = true
	}
	return set
}()

// Package returns text as the name of a package and its folder, on systems of every kind:
// lower-case letters and digits of ASCII, not too many. "tmp-dir" is tmpdir, "2fa" is x2fa.
func Package(text string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(text))
	if len(name) > MaxLength {
		name = name[:MaxLength]
	}
	if name == "" || name[0] <= '9' || reservedPackages[name] {
		return "x" + name
	}
	return name
}

// words splits text at everything that an identifier cannot hold, and at underscores.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == unicode.ReplacementChar
	})
}

func title(words []string) string {
	var b strings.Builder
	for _, w := range words {
		r := []rune(w)
		b.WriteRune(unicode.ToUpper(r[0]))
		b.WriteString(string(r[1:]))
	}
	return b.String()
}

// lowerFirst makes the upper-case letters at the start of a word lower case, but for the one
// that begins the next word: "HTTPServer" is httpServer, "ID" is id.
func lowerFirst(word string) string {
	r := []rune(word)
	for i := range r {
		if !unicode.IsUpper(r[i]) || i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}
