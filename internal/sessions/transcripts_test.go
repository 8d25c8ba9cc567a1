package sessions

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestTranscripts has all sessions that were recorded, but for the one of [TestLimits].
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(golden, "transcripts", "*.transcript"))
	if err != nil || len(files) != 25 {
		t.Fatalf("%d transcripts, %v; want 25", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".transcript")
		if name == limits {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, _, _ := strings.Cut(name, "-")
			c := parseScript(t, readFile(t, file))
			if len(c.steps) < 5 || c.status < 0 {
				t.Fatalf("%d steps, exit status %d", len(c.steps), c.status)
			}
			c.play(start(t, serverOf(t, program).binary, t.TempDir()))
		})
	}
}
