package zstd

import "sync"

// The three codes of a sequence, in the order of their tables.
const (
	literalLengths = iota
	offsetCodes
	matchLengths
)

// A code stands for the values from base on, as many as extra bits can tell apart.
type code struct {
	base  uint32
	extra uint8
}

// A codeSet is what the format fixes about one of the three codes: the predefined
// distribution and the bounds of others (RFC 8878 3.1.1.3.2.1, 3.1.1.3.2.2).
type codeSet struct {
	maxLog     uint
	max        int // highest code
	defaultLog uint
	defaults   []int16
}

var codeSets = [3]codeSet{
	literalLengths: {9, 35, 6, []int16{4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2,
		2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1}},
	offsetCodes: {8, 31, 5, []int16{1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1}},
	matchLengths: {9, 52, 6, []int16{1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		-1, -1, -1, -1, -1, -1, -1}},
}

// lengthCodes makes the codes of lengths: direct of them stand for one value each, the
// others have the given numbers of extra bits.
func lengthCodes(first uint32, direct int, extra ...uint8) []code {
	codes := make([]code, 0, direct+len(extra))
	base := first
	for range direct {
		codes = append(codes, code{base, 0})
		base++
	}
	for _, e := range extra {
		codes = append(codes, code{base, e})
		base += 1 << e
	}
	return codes
}

var (
	literalLengthCodes = lengthCodes(0, 16,
		1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
	matchLengthCodes = lengthCodes(3, 32,
		1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
)

// A sequenceTable decodes one of the three codes; no rows: there is no table.
type sequenceTable struct {
	rows []state
	log  uint
}

// predefined returns the tables that the format fixes.
var predefined = sync.OnceValue(func() (tables [3]sequenceTable) {
	for i, set := range codeSets {
		rows, err := buildFSE(nil, set.defaults, set.defaultLog)
		if err != nil {
			panic("mcpgen: internal: predefined zstd table: " + err.Error())
		}
		tables[i] = sequenceTable{rows, set.defaultLog}
	}
	return tables
})
