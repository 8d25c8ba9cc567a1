package jsoncheck

// A schema that tries several parts of itself at the same value, each of which goes down into
// it, takes a time that doubles with each level of the value: who sends a few hundred bytes
// could keep the server busy for ever. So the steps that checks take through a value are
// counted, and end.

const (
	// fewSteps is how many steps checks of the smallest value may take, a tenth of a second
	// or so; nodeSteps is how many more each value in it brings, and each byte brings one.
	fewSteps  = 1 << 22
	nodeSteps = 1 << 6
	// stepBytes is how many bytes of strings and numbers are read in one step.
	stepBytes = 1 << 4
)

func stepsFor(text []byte, nodes []node) int64 {
	return fewSteps + nodeSteps*int64(len(nodes)) + int64(len(text))
}

// step counts a step in which some bytes are read, and reports whether it may be taken.
func (t *tree) step(bytes int) bool {
	if !t.bounded {
		return true
	}
	t.steps -= 1 + int64(bytes)/stepBytes
	return t.steps >= 0
}

// Overrun returns the fault that checks of a value, or of anything in the same text, took more
// steps than they may. From then on no value has anything in it: checks end at once, and what
// they say means nothing.
func (v Value) Overrun() Fault {
	if v.tree.bounded && v.tree.steps < 0 {
		return Value{v.tree, 0}.Fault("cannot be checked in reasonable time")
	}
	return Fault{}
}
