package manifest

import (
	"bytes"
	"errors"
	"fmt"
)

// MaxSize is the number of bytes that a manifest may have. The largest seen has less than
// one in a hundred.
const MaxSize = 32 << 20

// Options say how to read.
type Options struct {
	AnyVersion bool // read manifests of every compiler
}

// Parse reads the text of a manifest; name is what to call it in messages. Problems are
// returned as [*Errors].
func Parse(name string, src []byte, opts Options) (*Manifest, error) {
	m := &Manifest{File: &File{Name: name, Src: src}}
	r := reader{report: NewReport(m.File), m: m}
	root, err := ParseJSON(src)
	switch {
	case err != nil:
		r.syntax(src, err)
	case r.recognise(root) && r.acceptVersion(root, opts):
		r.manifest(root, m)
		r.checkProgram(m)
	}
	if err := r.report.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

const want = "want the manifest.json of a Morloc program, or its launcher"

// syntax reports that src is not JSON. What does not even begin like a document is likely
// another file altogether.
func (r *reader) syntax(src []byte, err error) {
	var syntax *SyntaxError
	errors.As(err, &syntax)
	text := syntax.Text
	rest := bytes.TrimLeft(src, " \t\r\n")
	switch {
	case len(rest) == 0:
		text = "the file is empty, " + want
	case bytes.HasPrefix(src, []byte("\xEF\xBB\xBF")):
		text = "the file begins with a byte order mark; save it without one"
	case syntax.Offset == len(src):
		text += "; the file is cut short"
	case rest[0] != '{' && syntax.Offset == len(src)-len(rest):
		text += "; " + want
	}
	r.report.Add(syntax.Offset, "", text)
}

// recognise reports whether a document is a manifest; if not, it says what else it is.
func (r *reader) recognise(root *Node) bool {
	format, key := root.Get("format"), root.Get("key")
	text := ""
	switch {
	case root.Kind != ObjectNode:
		text = "the document is " + root.Kind.String() + ", " + want
	case root.Get("mcpgen") != nil && format != nil && format.Str == "argsbarg",
		key != nil && key.Kind == StringNode && root.Get("description") != nil:
		text = "this is a CLI schema; not supported by this version"
	case root.Get("build") == nil && root.Get("commands") == nil:
		text = "the object has neither build nor commands, " + want
		if len(root.Members) > 0 {
			text = fmt.Sprintf("the object begins with key %.60q and has neither build nor commands, %s", root.Members[0].Key, want)
		}
	default:
		return true
	}
	r.report.Add(root.Offset, "", text)
	return false
}

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
