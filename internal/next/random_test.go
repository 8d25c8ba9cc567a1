package next

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
)

// TestRandomTypes generates servers for types of all kinds, with names that are no Go
// identifiers or mean something in Go. A package that does not compile is an error.
func TestRandomTypes(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 3 {
		var commands []string
		for i := range 40 {
			s := schemas{r: r, budget: 25}
			argument, result := s.typ(0), s.typ(0)
			commands = append(commands,
				fmt.Sprintf(`{"name":"f%d","type":"remote","mid":%d,"args":[{"kind":"pos","key":"x","schema":%q}],"return":{"schema":%q}}`, i, i, argument, result),
				fmt.Sprintf(`{"name":"g%d","type":"pure","args":[{"kind":"pos","key":"x","schema":%q}],"return":{"schema":"t2ss"},"expr":{"tag":"lambda","vars":["x"],"body":`+
					`{"tag":"container","schema":"t2ss","elements":[{"tag":"show","schema":"s","child":{"tag":"bound","schema":%q,"var":"x"}},`+
					`{"tag":"hash","schema":"s","child":{"tag":"read","schema":%q,"child":{"tag":"str","schema":"s","value":"1"}}}]}}}`, i, argument, argument, result))
		}
		dir := t.TempDir()
		manifest := filepath.Join(dir, "manifest.json")
		write(t, manifest, []byte(`{"name":"random","build":{"path":".","time":1,"morloc_version":"0.109.0"},`+
			`"pools":[{"lang":"py","exec":["p.py"],"socket":"s"}],"commands":[`+strings.Join(commands, ",\n")+`]}`))
		if _, err := gen.Generate(t.Context(), gen.Options{Manifests: []string{manifest}, Out: filepath.Join(dir, "server")}); err != nil {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

// schemas writes random types.
type schemas struct {
	r      *rand.Rand
	budget int
	open   []string // declared types around
}

// oddNames are names of constructors, fields and types.
var oddNames = []string{
	"Tag", "tag", "type", "func", "Names", "v", "d", "x", "String", "nil", "Ünïcode", "a'b", "*/", `q"q`, "1st", "_", "Red", "red", "main", "jsonx",
}

func counted(name string) string {
	return string("0123456789abcdefghijklmnopqrstuvwxyz"[len(name)]) + name
}

// distinct returns n different names.
func (s *schemas) distinct(n int) []string {
	var list []string
	for _, i := range s.r.Perm(len(oddNames))[:n] {
		list = append(list, counted(oddNames[i]))
	}
	return list
}

func (s *schemas) typ(depth int) string {
	simple := []string{"z", "b", "i1", "i4", "i8", "u1", "u8", "f4", "f8", "j", "s"}
	s.budget--
	if s.budget <= 0 || depth > 5 {
		if len(s.open) > 0 && s.r.IntN(2) == 0 {
			return "^" + counted(s.open[s.r.IntN(len(s.open))])
		}
		return simple[s.r.IntN(len(simple))]
	}
	switch s.r.IntN(11) {
	case 0:
		return "a" + s.typ(depth+1)
	case 1:
		return "?" + s.typ(depth+1)
	case 2:
		n := s.r.IntN(4)
		text := fmt.Sprintf("t%d", n)
		for range n {
			text += s.closed(depth + 1)
		}
		return text
	case 3:
		text := "m3"
		for _, name := range s.distinct(3) {
			text += name + s.closed(depth+1)
		}
		return text
	case 4:
		names := s.distinct(1 + s.r.IntN(5))
		return fmt.Sprintf("e%d", len(names)) + strings.Join(names, "")
	case 5, 6, 7:
		return s.variant(depth)
	case 8:
		name := fmt.Sprintf("T#%d", len(s.open)+1)
		s.open = append(s.open, name)
		text := "&" + counted(name) + s.variant(depth)
		s.open = s.open[:len(s.open)-1]
		return text
	}
	return simple[s.r.IntN(len(simple))]
}

// closed returns a type that does not begin with a reference, which could contain itself.
func (s *schemas) closed(depth int) string {
	text := s.typ(depth)
	if text[0] == '^' {
		return "a" + text
	}
	return text
}

func (s *schemas) variant(depth int) string {
	names := s.distinct(1 + s.r.IntN(4))
	text := fmt.Sprintf("v%d", len(names))
	for _, name := range names {
		n := s.r.IntN(3)
		text += name + fmt.Sprint(n)
		for range n {
			text += s.typ(depth + 1)
		}
	}
	return text
}
