package manifest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

var (
	markerLine = regexp.MustCompile(`(?m)^# morloc-manifest: ([^\n]*)`)
	execLine   = regexp.MustCompile(`(?m)^[\pZ\t\v\f\r\x{85}]*(?:exec )?morloc-nexus([^\n]*)`)
	quotedPart = regexp.MustCompile(`'(.*)'`)
)

// targetOf finds the manifest that a script names by regular expressions (manifest.md 9 and
// manifest-next.md 2.7). It is "" if there is none; isLauncher says whether there should be one.
func targetOf(script string) (target string, isLauncher bool) {
	if !utf8.ValidString(script) || !strings.HasPrefix(script, "#!") {
		return "", false
	}
	if m := markerLine.FindStringSubmatch(script); m != nil && strings.Trim(m[1], "\r") != "" {
		return strings.TrimRight(m[1], "\r"), true
	}
	if !strings.Contains(script, "morloc-nexus") {
		return "", false
	}
	if line := execLine.FindStringSubmatch(script); line != nil {
		if m := quotedPart.FindStringSubmatch(line[1]); m != nil {
			return strings.ReplaceAll(m[1], `'\''`, `'`), true
		}
	}
	return "", true
}

// FuzzLauncher locates the manifest of arbitrary scripts, and of launchers to arbitrary paths
// as compilers write them.
func FuzzLauncher(f *testing.F) {
	for _, seed := range [][2]string{
		{launcher("/a/it'\\''s-build/manifest.json"), "/a/it's/manifest.json"}, {"#!/bin/sh\n# morloc-manifest: x-build/manifest.json\r\n", "x-build/manifest.json"},
		{"#!/bin/sh\n  morloc-nexus daemon 'a' 'b'", "é"}, {"#!/bin/sh\nexec morloc-nexus run \"$d/manifest.json\"", "../x"},
		{"#!/usr/bin/env python\nprint('morloc-nexus')\n", "'"}, {"#!\n# morloc-manifest: \n# morloc-manifest: x\nexec morloc-nexus '", "a b"},
		{"#!\xff morloc-nexus 'x'", ""}, {"{}", "/"}, {"#!\n\u00a0exec morloc-nexus'x'", "''"},
	} {
		f.Add(seed[0], seed[1])
	}
	dir, err := filepath.EvalSymlinks(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(dir, "launcher")
	locate := func(t *testing.T, script string) (string, error) {
		if err := os.WriteFile(path, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		return manifest.Locate(path)
	}
	f.Fuzz(func(t *testing.T, script, target string) {
		want, isLauncher := targetOf(script)
		if len(script) > 8000 || len(target) > 1000 {
			return
		}
		got, err := locate(t, script)
		switch {
		case !isLauncher && (got != path || err != nil), isLauncher && (want == "") != (err != nil):
			t.Fatalf("%q: Locate = %q, %v, want %q", script, got, err, want)
		case isLauncher && err == nil && got != want && got != filepath.Join(dir, want):
			t.Fatalf("%q: Locate = %q, want %q", script, got, want)
		}
		if target == "" || !utf8.ValidString(target) || strings.ContainsAny(target, "\r\n") {
			return // no path that a compiler writes
		}
		if got, err := locate(t, launcher(strings.ReplaceAll(target, "'", `'\''`))); got != target || err != nil {
			t.Fatalf("a launcher to %q: Locate = %q, %v", target, got, err)
		}
		want = target
		if !filepath.IsAbs(target) {
			want = filepath.Join(dir, target)
		}
		if got, err := locate(t, "#!/bin/sh\n# morloc-manifest: "+target+"\nexec morloc-nexus run \"$d\"\n"); got != want || err != nil {
			t.Fatalf("a marked launcher to %q: Locate = %q, %v", target, got, err)
		}
	})
}
