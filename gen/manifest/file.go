package manifest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Read reads the manifest at path, which may also be the launcher of the program (manifest.md
// 9), or the export of a command-line program. Problems of its text are returned as [*Errors].
func Read(path string, opts Options) (*Manifest, error) {
	target, err := Locate(path)
	if err != nil {
		return nil, err
	}
	src, err := readFile(target)
	if err != nil {
		if target != path {
			return nil, fmt.Errorf("%w; launcher %s names this file", err, path)
		}
		return nil, err
	}
	m, err := parse(target, src, opts, func(name string) (*File, error) {
		path := besides(target, name)
		src, err := readFile(path)
		return &File{Name: path, Src: src}, err
	})
	if err != nil {
		return nil, err
	}
	if m.Path, err = filepath.EvalSymlinks(target); err != nil {
		m.Path = target // a pipe
	}
	m.Path, err = filepath.Abs(m.Path)
	return m, err
}

// readFile reads a whole file, of limited size. It need not be a regular one.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, directory(path)
	}
	if info.Size() > MaxSize {
		return nil, fmt.Errorf("%s: %d bytes, want a manifest of at most %d", path, info.Size(), MaxSize)
	}
	src, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(src) > MaxSize {
		return nil, fmt.Errorf("%s: more than %d bytes, want a manifest of at most that", path, MaxSize)
	}
	return src, nil
}

// directory says that path is one, and which manifests are in it.
func directory(path string) error {
	for _, pattern := range []string{"manifest.json", "*-build/manifest.json"} {
		if found, _ := filepath.Glob(filepath.Join(path, pattern)); len(found) > 0 {
			return fmt.Errorf("%s: is a directory; did you mean %s", path, found[0])
		}
	}
	return fmt.Errorf("%s: is a directory, %s", path, want)
}

// launcherSize is how much of a file is looked at to tell a launcher.
const launcherSize = 8192

// Locate returns the path of a manifest, given that or the path of a program's launcher.
// A file that cannot be read is taken for the manifest itself.
func Locate(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return path, nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return path, nil // reading would take from a pipe what is wanted later
	}
	head := make([]byte, launcherSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return path, nil
	}
	head = head[:n]
	if !utf8.Valid(head) || !bytes.HasPrefix(head, []byte("#!")) {
		return path, nil
	}
	if target := markedTarget(head); target != "" {
		return besides(path, target), nil
	}
	if !bytes.Contains(head, []byte("morloc-nexus")) {
		return path, nil
	}
	if target := execTarget(head); target != "" {
		return target, nil
	}
	return "", fmt.Errorf("'%s' looks like a morloc wrapper but no manifest path was found on its exec line", path)
}

// marker begins the line in which launchers name their manifest, from 0.101 on
// (manifest-next.md 2.7).
const marker = "# morloc-manifest: "

// markedTarget finds the path behind the marker, "" if there is none.
func markedTarget(script []byte) string {
	for line := range strings.Lines(string(script)) {
		if target, ok := strings.CutPrefix(line, marker); ok {
			return strings.TrimRight(target, "\r\n")
		}
	}
	return ""
}

// besides returns a path that starts at the folder of a file, whatever links lead there.
func besides(file, target string) string {
	if filepath.IsAbs(target) {
		return target
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real
	}
	return filepath.Join(filepath.Dir(file), target)
}

// execTarget finds what the launcher's command line has between its outermost quotes.
func execTarget(script []byte) string {
	lines := bufio.NewScanner(bytes.NewReader(script))
	lines.Buffer(nil, launcherSize+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if !strings.HasPrefix(line, "exec morloc-nexus") && !strings.HasPrefix(line, "morloc-nexus") {
			continue
		}
		first, last := strings.IndexByte(line, '\''), strings.LastIndexByte(line, '\'')
		if first == last {
			return ""
		}
		return strings.ReplaceAll(line[first+1:last], `'\''`, `'`)
	}
	return ""
}
