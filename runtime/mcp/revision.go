package mcp

import "github.com/mcpgen/mcpgen/runtime/rpc"

// A Revision is a version of MCP.
type Revision uint8

// Revisions in the order of their dates. The zero Revision means that nothing is agreed
// yet; it behaves as 2025-06-18, but for batches. All but the last one are agreed on by a
// handshake; that one is named by each request.
const (
	Revision20241105 Revision = iota + 1
	Revision20250326
	Revision20250618
	Revision20251125
	Revision20260728

	latestLegacy = Revision20251125
)

// supported are all revisions, the newest first: a JSON array.
const supported = `["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"]`

// String returns the date the revision is called by.
func (r Revision) String() string {
	return [...]string{"", "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}[r]
}

// ParseRevision returns the revision of that date, 0 if it is not spoken.
func ParseRevision[T string | []byte](date T) Revision {
	for r := Revision20241105; r <= Revision20260728; r++ {
		if string(date) == r.String() {
			return r
		}
	}
	return 0
}

// isLegacy reports whether the revision has a handshake.
func (r Revision) isLegacy() bool { return 0 < r && r <= latestLegacy }

// hasBatches reports whether clients may send arrays of messages. 2024-11-05 does not say;
// its schema is JSON-RPC's.
func (r Revision) hasBatches() bool {
	return r == Revision20241105 || r == Revision20250326
}

// hasAudio reports whether the content block "audio" is known.
func (r Revision) hasAudio() bool { return r != Revision20241105 }

// hasProgressText reports whether notifications about progress have a message.
func (r Revision) hasProgressText() bool { return r != Revision20241105 }

// Structured says which JSON values a revision admits as structuredContent.
type Structured uint8

// What is admitted (cli-schema.md 8.2).
const (
	StructuredNone Structured = iota
	StructuredObject
	StructuredAny
)

func (r Revision) structured() Structured {
	switch {
	case r == Revision20260728:
		return StructuredAny
	case r == Revision20241105 || r == Revision20250326:
		return StructuredNone
	}
	return StructuredObject
}

// argumentsToModel reports whether what is wrong with arguments is told in a result, which
// a model can read, rather than in an error (design decision 4).
func (r Revision) argumentsToModel() bool { return r >= Revision20251125 }

// codeNoResource is the code of the error about a resource that is not there.
func (r Revision) codeNoResource() string {
	if r >= Revision20260728 {
		return rpc.CodeInvalidParams
	}
	return rpc.CodeNoResource
}

// omitsNullID reports whether replies without a usable id have no id at all (decision 6).
func (r Revision) omitsNullID() bool { return r >= Revision20251125 }
