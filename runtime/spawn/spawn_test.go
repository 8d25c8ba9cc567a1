package spawn

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLookPath looks for programs in folders with and without them.
func TestLookPath(t *testing.T) {
	t.Parallel()
	empty, bad, good := t.TempDir(), t.TempDir(), t.TempDir()
	for file, mode := range map[string]os.FileMode{
		filepath.Join(bad, "tool"):  0o644,
		filepath.Join(good, "tool"): 0o755,
	} {
		if err := os.WriteFile(file, nil, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(bad, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	list := empty + ":." + "::" + bad + ":" + good
	for _, tt := range []struct{ name, list, want string }{
		{"tool", list, filepath.Join(good, "tool")},
		{"tool", good, filepath.Join(good, "tool")},
		{"tool", "", ""},
		{"tool", bad, ""},
		{"tool", ".:", ""},
		{"folder", list, ""},
		{"none", list, ""},
		{"", list, ""},
		{"./tool", list, "./tool"},
		{"/no/such/tool", "", "/no/such/tool"},
	} {
		got, err := LookPath(tt.name, tt.list)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("LookPath(%q, %q) = %q, %v, want %q", tt.name, tt.list, got, err, tt.want)
		}
	}
}
