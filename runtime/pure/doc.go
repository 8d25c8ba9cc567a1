// Package pure is what the compiled expressions of pure commands call (pure-eval.md):
// indexing and slicing, the text of show, structural hashes, the reading of read and
// load, and errors of the two classes that catch tells apart. Everything else about an
// expression is plain Go in the generated program.
//
// Values are immutable: functions here share the memory of their arguments freely and
// keep no state, so calls may run in parallel. The package touches neither files nor
// pools.
package pure
