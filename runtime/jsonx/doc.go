// Package jsonx reads and writes JSON text without reflection and without a second
// copy. It is for servers that mcpgen generates: tool arguments come in through
// [Decoder], results leave through the Append functions, and [Lexer] checks a whole
// request line once. It is not a general JSON library: there is no tree of values.
//
// The invariant to know: a Decoder is only ever given text that a Lexer has checked, so
// decoders meet values of the wrong kind but never wrong syntax, and generated code has
// no syntax errors to handle.
package jsonx
