// Package files is save and load of pure commands (pure-eval.md 6.9): values in files as
// JSON, as msgpack, or as a packet in the memory layout of language pools.
//
// Paths are used as they are given, relative to the working directory of the server. All
// failures are user errors, which catch intercepts; only a bad compression level is not.
// Files are replaced as a whole or not at all, so calls may run in parallel: a reader
// sees the old content or the new one.
package files
