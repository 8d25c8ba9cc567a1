package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// MaxSize is the number of bytes that a manifest may have. The largest seen has less than
// one in a hundred.
const MaxSize = 32 << 20

// Options say how to read.
type Options struct {
	AnyVersion bool // read manifests of every compiler
}

// Parse reads the text of a manifest; name is what to call it in messages. Problems are
// returned as [*Errors]. Parse reads no file, and so no manifest that names one for its
// schema.
func Parse(name string, src []byte, opts Options) (*Manifest, error) {
	return parse(name, src, opts, func(string) (*File, error) { return nil, errNoFolder })
}

// parse reads the text of a manifest; open reads the file that it may name.
func parse(name string, src []byte, opts Options, open openFunc) (*Manifest, error) {
	m := &Manifest{File: &File{Name: name, Src: src}}
	r := &reader{report: NewReport(m.File), m: m}
	if root, err := ParseJSON(src); err != nil {
		r.syntax(src, err, beginsExport.Match(src))
	} else {
		r.read(root, opts, open)
	}
	if err := r.report.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// read reads a document, whichever it is.
func (r *reader) read(root *Node, opts Options, open openFunc) {
	switch r.recognise(root) {
	case morlocInput:
		if r.acceptVersion(root, opts) {
			r.manifest(root, r.m)
			r.checkProgram(r.m)
		}
	case cliManifest:
		newCLIReader(r).readManifest(root, open)
	case cliExport:
		newCLIReader(r).readExport(root)
	}
}

// What messages want.
const (
	wantExport = "want the schema that a command-line program exports"
	want       = "want the manifest.json of a Morloc program, its launcher, or the schema of a command-line program"
)

// syntax reports that src is not JSON. What does not even begin like a document is likely
// another file altogether. An export that ends too early has a cause that its author does not
// see: the program says nothing (cli-schema.md 1).
func (r *reader) syntax(src []byte, err error, export bool) {
	var syntax *SyntaxError
	errors.As(err, &syntax)
	text, want := syntax.Text, want
	if export {
		want = wantExport
	}
	rest := bytes.TrimLeft(src, " \t\r\n")
	switch {
	case len(rest) == 0:
		text = "the file is empty, " + want
	case export && isCut(src[syntax.Offset:]):
		text = fmt.Sprintf("the export ends in the middle, after %d bytes: programs lose all but the first 64 KiB or so "+
			"when they write into a pipe, without a word; have it written into a file", len(src))
	case bytes.HasPrefix(src, []byte("\xFF\xFE")) || bytes.HasPrefix(src, []byte("\xFE\xFF")):
		text = "the file is UTF-16, as some shells write what they redirect; save it as UTF-8"
	case bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")):
		text = "the file begins with a byte order mark; save it without one"
	case syntax.Offset == len(src):
		text += "; the file is cut short"
	case rest[0] != '{' && syntax.Offset == len(src)-len(rest):
		text += "; " + want
	}
	r.report.Add(syntax.Offset, "", text)
}

// isCut reports whether more of a document could make sense of the rest of what there is;
// what saved it may have ended it with a new line.
func isCut(rest []byte) bool {
	rest = bytes.TrimRight(rest, " \t\r\n")
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix([]byte(word), rest) {
			return true
		}
	}
	const pair = len(`\uD83D\uDE00`)
	return !utf8.FullRune(rest) || rest[0] == '\\' && len(rest) < pair
}

// recognise tells what a document is; if it is nothing that is read, it says so.
func (r *reader) recognise(root *Node) input {
	key, description := root.Get("key"), root.Get("description")
	text := ""
	switch {
	case root.Kind != ObjectNode:
		text = "the document is " + root.Kind.String() + ", " + want
	case root.Get("mcpgen") != nil:
		return cliManifest
	case isText(key) && (isText(description) || root.Get("build") == nil && root.Get("commands") != nil):
		return cliExport // perhaps one that is not sound, but no other document
	case root.Get("build") == nil && root.Get("commands") == nil:
		text = "the object has neither build nor commands, " + want
		if len(root.Members) > 0 {
			text = fmt.Sprintf("the object begins with key %.60q and has neither build nor commands, %s", root.Members[0].Key, want)
		}
	default:
		return morlocInput
	}
	r.report.Add(root.Offset, "", text)
	return unknownInput
}

func isText(n *Node) bool { return n != nil && n.Kind == StringNode }

// acceptVersion holds the version of the compiler against those that are read
// (manifest-next.md 1). A refused version is the only problem reported: others follow from it.
func (r *reader) acceptVersion(root *Node, opts Options) bool {
	v := root.Get("build").Get("morloc_version")
	if v == nil || v.Kind != StringNode || opts.AnyVersion {
		return true // a missing version is reported with what else is missing
	}
	if release, ok := ParseRelease(v.Str); ok && release.IsKnown() {
		return true
	}
	r.report.Add(v.Offset, "build.morloc_version",
		"manifest built with morloc "+v.Str+", runtime is "+Versions+"; rebuild with the current compiler")
	return false
}
