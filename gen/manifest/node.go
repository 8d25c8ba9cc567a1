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
	End      int      // of the byte behind the value
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

// depth returns how deep arrays and objects nest in n.
func (n *Node) depth() int {
	deepest := 0
	for _, m := range n.Members {
		deepest = max(deepest, m.Value.depth())
	}
	for _, e := range n.Elements {
		deepest = max(deepest, e.depth())
	}
	if n.Kind == ObjectNode || n.Kind == ArrayNode {
		deepest++
	}
	return deepest
}

// IsNull reports whether n is absent (nil) or the value null.
func (n *Node) IsNull() bool { return n == nil || n.Kind == NullNode }
