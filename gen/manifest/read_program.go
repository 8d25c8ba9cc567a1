package manifest

import (
	"math"
	"strings"
)

// manifest reads the top level (manifest.md 3.1). Version and name are read before.
func (r *reader) manifest(n *Node, m *Manifest) {
	m.InlineSize = -1
	at := &place{}
	r.object(n, at,
		member{"name", true, r.name(&m.Name)},
		member{"build", true, func(n *Node, at *place) { r.build(n, at, m) }},
		member{"pools", false, r.list(func(n *Node, at *place) { r.pool(n, at, m) })},
		member{"commands", false, r.list(func(n *Node, at *place) { r.command(n, at, m) })},
		member{"groups", false, r.list(r.commandGroup)},
		member{"service", false, nullable(r.service)},
		member{"desc", false, r.texts(&m.Desc)},
		member{"epilogues", false, r.list(r.texts(new([]string)))},
		member{"unsafe_skip_null_check", false, r.boolean(&m.UnsafeSkipNullCheck)},
		member{"inline_size", false, nullable(r.integer(&m.InlineSize, 0, math.MaxInt64))},
		member{"no_shm", false, r.boolean(&m.NoSHM)},
		member{"tmpdir", false, nullable(r.name(&m.TmpDir))},
		member{"run_log", false, nullable(r.runLog)},
		member{"capabilities", false, r.texts(new([]string))},
		member{"metadata", false, r.anyObject},
	)
}

// build reads manifest.md 3.2.
func (r *reader) build(n *Node, at *place, m *Manifest) {
	r.object(n, at,
		member{"path", true, r.text(new(string))},
		member{"time", true, r.integer(new(int64), math.MinInt64, math.MaxInt64)},
		member{"morloc_version", true, r.text(&m.Version)},
	)
	m.Release = releaseOf(m.Version)
}

// pool reads manifest.md 3.4.
func (r *reader) pool(n *Node, at *place, m *Manifest) {
	p := &Pool{AllowStringNull: true}
	m.Pools = append(m.Pools, p)
	found := r.report.Len()
	r.object(n, at,
		member{"lang", true, r.name(&p.Lang)},
		member{"exec", true, r.list(func(n *Node, at *place) {
			var word string
			r.name(&word)(n, at)
			p.Exec = append(p.Exec, word)
		})},
		member{"socket", true, r.name(&p.Socket)},
		member{"pool_hash", false, r.name(&p.Hash)},
		member{"allow_string_null", false, r.boolean(&p.AllowStringNull)},
		member{"metadata", false, r.anyObject},
	)
	if r.report.Len() > found {
		return
	}
	at.what = "pool " + quote(p.Lang)
	if len(p.Exec) == 0 || p.Exec[len(p.Exec)-1] == "" {
		r.blame(n, at, "exec", "no pool file, want the words of a command with a path at their end")
	}
	if s := p.Socket; s == "" || s == "." || s == ".." || strings.ContainsRune(s, '/') {
		r.blame(n, at, "socket", "got %q, want the name of a file", s)
	}
	for i, other := range m.Pools[:len(m.Pools)-1] {
		if other.Socket == p.Socket {
			r.blame(n, at, "socket", "%q is the socket of pools[%d] too", p.Socket, i)
			return
		}
	}
}

// commandGroup reads manifest.md 3.11.
func (r *reader) commandGroup(n *Node, at *place) {
	r.object(n, at,
		member{"name", true, r.text(new(string))},
		member{"desc", false, r.texts(new([]string))},
		member{"metadata", false, r.anyObject},
	)
}

// service reads manifest.md 3.12.
func (r *reader) service(n *Node, at *place) {
	text := nullable(r.text(new(string)))
	r.object(n, at,
		member{"type", false, text},
		member{"host", false, text},
		member{"socket", false, text},
		member{"port", false, nullable(r.integer(new(int64), math.MinInt32, math.MaxInt32))},
		member{"metadata", false, r.anyObject},
	)
}

// runLog reads manifest.md 3.3.
func (r *reader) runLog(n *Node, at *place) {
	text := nullable(r.text(new(string)))
	r.object(n, at,
		member{"prologue", false, text},
		member{"epilogue_ok", false, text},
		member{"epilogue_fail", false, text},
		member{"benchmark_summary", false, text},
	)
}
