// Package zstd reads and writes Zstandard frames (RFC 8878) in memory: the compressed
// form of saved packets and of pool caches. [Decode] reads any frame without a
// dictionary; [Encode] writes valid frames, but looks only for repeated text and does not
// entropy-code literals, so other encoders make smaller ones.
//
// Values are bounded: Decode never returns more bytes than asked for, whatever a frame
// announces, and reads nothing outside of its input. Everything here may be called from
// several goroutines.
package zstd
