package sessions

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen"
	"github.com/mcpgen/mcpgen/gen/output"
	"github.com/mcpgen/mcpgen/internal/testenv"
)

// allPrograms returns the programs of the corpus, and those of the specification.
func allPrograms(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(manifests, "*.json"))
	if err != nil || len(files) < 19 {
		t.Fatalf("%d manifests, %v", len(files), err)
	}
	programs := []string{"kitchen", "worked"}
	for _, file := range files {
		programs = append(programs, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	return programs
}

// allPackages returns these, and the command-line programs of the specification.
func allPackages(t *testing.T) []string {
	t.Helper()
	programs := allPrograms(t)
	for _, program := range commandPrograms {
		programs = append(programs, commandPrefix+program)
	}
	return programs
}

// TestDeterministic generates every package again and compares it with the one on disk,
// byte by byte.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	for _, program := range allPackages(t) {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := serverOf(t, program)
			r, err := gen.Generate(t.Context(), options(s.manifest, s.dir))
			if err != nil {
				t.Fatal(err)
			}
			changes, err := output.Compare(s.dir, r.Files)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range changes {
				t.Errorf("%s differs when generated again", c.Path)
			}
		})
	}
}

// TestPackages vets every generated package and runs its own test, which must replay the
// transcript that was generated with it.
func TestPackages(t *testing.T) {
	if testing.Short() || testenv.RaceFlags != nil {
		t.Skip("takes long, and the race detector sees no more here than in sessions")
	}
	t.Parallel()
	for _, program := range allPackages(t) {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			s := serverOf(t, program)
			if err := testenv.Go(s.dir, "test", "-vet=all", "-ldflags=-s -w", "."); err != nil {
				t.Error(err)
			}
		})
	}
}
