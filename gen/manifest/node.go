package manifest

// A NodeKind is the kind of a JSON value.
type NodeKind uint8

// Kinds of JSON values.
const (
	NullNode NodeKind = iota
	BoolNode
	NumberNode
	StringNode
	ArrayNode
	ObjectNode
)

// String names k with its article, as messages do: "an object".
func (k NodeKind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// A Node is one JSON value of a document, with the place it was read from. Nodes are
// immutable after [ParseJSON].
type Node struct {
	Kind     NodeKind
	Offset   int      // of the value's first byte in the document
	Bool     bool     // of a BoolNode
	Str      string   // of a StringNode: the text, escapes resolved; any valid UTF-8, U+0000 too
	Num      string   // of a NumberNode: as written
	Members  []Member // of an ObjectNode: in the order of the document, duplicates kept
	Elements []*Node  // of an ArrayNode
}

// A Member is a key of an object and its value.
type Member struct {
	Key    string
	Offset int // of the key's opening quote
	Value  *Node
}

// Get returns the value of the first member called key, and nil if n is nil, is not an
// object or has no such member. Keys match exactly.
func (n *Node) Get(key string) *Node {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Key == key {
			return n.Members[i].Value
		}
	}
	return nil
}

// IsNull reports whether n is absent (nil) or the value null.
func (n *Node) IsNull() bool { return n == nil || n.Kind == NullNode }
