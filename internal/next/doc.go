// Package next tests servers of programs of the newest compiler line: sum types, published
// names, and the pools of its releases. It holds no code but tests. No compiler of that line
// was at hand: manifests are written by hand from its description (testdata/next), and so
// are the expected values.
package next
