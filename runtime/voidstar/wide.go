package voidstar

// Addresses are ints with the number of a volume above bit 47, so programs with language
// pools need a 64-bit system. Elsewhere this constant does not fit, and compiling says so.
const needs64BitSystem int = 1 << 62

var _ = needs64BitSystem
