package ir

// A Check is an author's JSON Schema as far as a server checks it (cli-schema.md 5.4).
type Check struct{}
