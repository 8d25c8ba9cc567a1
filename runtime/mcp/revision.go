package mcp

// A Revision is a version of MCP that is agreed on by initialize.
type Revision uint8

// Revisions in the order of their dates. The zero Revision means nothing is agreed yet;
// it behaves as 2025-06-18, but for batches.
const (
	Revision20241105 Revision = iota + 1
	Revision20250326
	Revision20250618
	Revision20251125

	latestRevision = Revision20251125
)

// String returns the date the revision is called by.
func (r Revision) String() string {
	return [...]string{"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}[r]
}

// parseRevision returns the revision to speak with a client that asks for s.
func parseRevision(s []byte) Revision {
	for r := Revision20241105; r <= latestRevision; r++ {
		if string(s) == r.String() {
			return r
		}
	}
	return latestRevision
}

// hasBatches reports whether clients may send arrays of messages. 2024-11-05 does not say;
// its schema is JSON-RPC's.
func (r Revision) hasBatches() bool {
	return r == Revision20241105 || r == Revision20250326
}

// hasAudio reports whether the content block "audio" is known.
func (r Revision) hasAudio() bool { return r != Revision20241105 }

// argumentsToModel reports whether what is wrong with arguments is told in a result, which
// a model can read, rather than in an error (design decision 4).
func (r Revision) argumentsToModel() bool { return r >= Revision20251125 }

// omitsNullID reports whether replies without a usable id have no id at all (decision 6).
func (r Revision) omitsNullID() bool { return r >= Revision20251125 }
