package names

import (
	"go/token"
	"strings"
	"testing"
)

func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, unexported, exported string }{
		{"describe", "describe", "Describe"},
		{"tmp-dir", "tmpDir", "TmpDir"},
		{"numThreads", "numThreads", "NumThreads"},
		{"_1", "x1", "X1"},
		{"2fa", "x2fa", "X2fa"},
		{"3d_secure", "x3dSecure", "X3dSecure"},
		{"HTTPServer", "httpServer", "HTTPServer"},
		{"ID", "id", "ID"},
		{"SysConfig", "sysConfig", "SysConfig"},
		{"config int", "configInt", "ConfigInt"},
		{"graph.list", "graphList", "GraphList"},
		{"", "x", "X"},
		{"*/", "x", "X"},
		{"é", "é", "É"},
		{"温度", "x温度", "X温度"},
		{"a\xffb", "aB", "AB"},
		{"x@3", "x3", "X3"},
	} {
		if got := Unexported(tt.text); got != tt.unexported {
			t.Errorf("Unexported(%q) = %q, want %q", tt.text, got, tt.unexported)
		}
		if got := Exported(tt.text); got != tt.exported {
			t.Errorf("Exported(%q) = %q, want %q", tt.text, got, tt.exported)
		}
	}
}

// TestClashes is the collision table: in one scope each name is handed out once, and none
// has a meaning of its own in Go.
func TestClashes(t *testing.T) {
	t.Parallel()
	s := NewScope("jsonx", "rt")
	s.Avoid("dst")
	inner := s.Inner()
	for _, tt := range []struct{ want, got string }{
		{"echo", "echo"}, {"echo", "echo2"}, {"echo", "echo3"}, {"echo2", "echo2_2"},
		{"func", "func2"}, {"type", "type2"}, {"string", "string2"}, {"nil", "nil2"},
		{"main", "main2"}, {"init", "init2"}, {"rt", "rt2"}, {"jsonx", "jsonx2"},
		{"Echo", "Echo"}, {"len", "len2"}, {"error", "error2"}, {"iota", "iota2"},
		{"dst", "dst2"},
	} {
		if got := s.Take(tt.want); got != tt.got {
			t.Errorf("Take(%q) = %q, want %q", tt.want, got, tt.got)
		}
	}
	if got := inner.Take("echo"); got != "echo4" {
		t.Errorf("inner Take = %q, want echo4", got)
	}
	if got := inner.Take("dst"); got != "dst" {
		t.Errorf("inner Take = %q, want dst, which only the outer scope avoids", got)
	}
}

func FuzzNames(f *testing.F) {
	for _, seed := range []string{"", "a", "func", "2", "_", "é", "\xff", "a b", "ªº", "ǅ", "Ⅷ", "x\u0301"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := NewScope()
		for _, name := range []string{Unexported(text), Exported(text)} {
			if !token.IsIdentifier(name) && !token.IsKeyword(name) {
				t.Fatalf("%q gives %q, which is no identifier", text, name)
			}
			if taken := s.Take(name); !token.IsIdentifier(taken) {
				t.Fatalf("%q gives %q, which is no identifier", text, taken)
			}
		}
		if !token.IsExported(Exported(text)) || token.IsExported(Unexported(text)) {
			t.Fatalf("%q gives %q and %q", text, Unexported(text), Exported(text))
		}
	})
}

func TestPackage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"smiles", "smiles"},
		{"tmp-dir", "tmpdir"},
		{"MyProg_2", "myprog2"},
		{"2fa", "x2fa"},
		{"温度", "x"},
		{"", "x"},
		{"vendor", "xvendor"},
		{"CON", "xcon"},
		{strings.Repeat("a", 100), strings.Repeat("a", 64)},
	} {
		if got := Package(tt.text); got != tt.want {
			t.Errorf("Package(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
