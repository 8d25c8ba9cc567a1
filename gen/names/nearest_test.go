package names

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	list := []string{"gen", "build", "check", "out"}
	tests := []struct{ word, want string }{
		{"biuld", "build"}, {"chek", "check"}, {"gne", "gen"}, {"outt", "out"},
		{"serve", ""}, {"", ""}, {"xyz", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.word, list); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
	if got := distance("kitten", "sitting"); got != 3 {
		t.Errorf("distance of kitten and sitting = %d, want 3", got)
	}
}
