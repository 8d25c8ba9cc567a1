package expr

import (
	"strconv"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// A selector is a pattern, or what follows one of its steps.
type selector struct {
	*place
	kind   selectorKind
	fields []fieldStep // of selectFields
	named  bool        // fields are those of a record, by name
	sub    *selector   // of selectIndex; nil if the element is what is selected

	ends   int // how many positions it selects
	bounds int // how many arguments its brackets take
	first  int // of an end: its number in the whole pattern
}

type selectorKind uint8

const (
	selectEnd    selectorKind = iota
	selectFields              // of a tuple or record
	selectIndex               // an element of a list
	selectSlice               // a part of a list; an end
)

// A fieldStep goes into a field.
type fieldStep struct {
	*place        // of the name or number
	name   string // if named
	index  int    // number of the field; walk or replace find that of a name
	sub    *selector
}

// pattern reads a whole pattern; nil after an error.
func (c *checker) pattern(p *place) *selector {
	ends := 0
	return c.selector(p, &ends, true)
}

// selector reads a pattern or a part of one; ends counts the ends before it.
func (c *checker) selector(p *place, ends *int, whole bool) *selector {
	if p.node == nil || p.node.Kind != manifest.ObjectNode {
		c.fail(p.mistaken("a selector"))
		return nil
	}
	if c.depth == maxDepth {
		c.fail(p.errorf("nested too deep: want at most %d nodes inside each other", maxDepth))
		return nil
	}
	c.depth++
	defer func() { c.depth-- }()

	kind, ok := c.text(p.get("type"))
	if !ok {
		return nil
	}
	s := &selector{place: p, first: *ends}
	switch kind {
	case "end":
		s.ends = 1
	case "idx", "key":
		s.kind, s.named = selectFields, kind == "key"
		if !c.fieldSteps(s, ends) {
			return nil
		}
		return s
	case "bracket_index":
		s.kind = selectIndex
		s.bounds = 1
		if sub := p.get("sub"); sub.node != nil || !whole {
			if s.sub = c.selector(sub, ends, false); s.sub == nil {
				return nil
			}
			s.ends, s.bounds = s.sub.ends, 1+s.sub.bounds
			return s
		}
		s.ends = 1
	case "bracket_slice":
		s.kind = selectSlice
		s.ends, s.bounds = 1, 3
	default:
		c.fail(p.get("type").errorf("unknown pattern type %q", kind))
		return nil
	}
	*ends++
	return s
}

// fieldSteps reads the selectors of s.
func (c *checker) fieldSteps(s *selector, ends *int) bool {
	steps, ok := c.list(s.get("selectors"))
	if ok && len(steps) == 0 {
		c.fail(s.get("selectors").errorf("no selectors: want at least 1"))
		ok = false
	}
	for _, p := range steps {
		if p.node.Kind != manifest.ObjectNode {
			c.fail(p.mistaken("an object"))
			ok = false
			continue
		}
		step := fieldStep{}
		stepOK := true
		if s.named {
			step.place = p.get("key")
			step.name, stepOK = c.text(step.place)
		} else {
			step.place = p.get("index")
			step.index, stepOK = c.fieldNumber(step.place)
		}
		if step.sub = c.selector(p.get("sub"), ends, false); step.sub == nil || !stepOK {
			ok = false
			continue
		}
		s.fields = append(s.fields, step)
		s.ends += step.sub.ends
		s.bounds += step.sub.bounds
	}
	return ok
}

func (c *checker) fieldNumber(p *place) (int, bool) {
	if p.node == nil || p.node.Kind != manifest.NumberNode {
		c.fail(p.mistaken("the number of a field"))
		return 0, false
	}
	n, err := strconv.Atoi(p.node.Num)
	if err != nil || n < 0 {
		c.fail(p.errorf("found %s: want the number of a field", p.node.Num))
		return 0, false
	}
	return n, true
}

// walk resolves the steps of a getter on type t, and appends the types of its ends.
func (c *checker) walk(s *selector, t *ir.Type, ends *[]*ir.Type) bool {
	switch s.kind {
	case selectEnd:
		*ends = append(*ends, t)
	case selectFields:
		for i := range s.fields {
			step := &s.fields[i]
			if !c.resolve(s, step, t) || !c.walk(step.sub, t.Fields[step.index].Type, ends) {
				return false
			}
		}
	default:
		if t.Kind != ir.List {
			c.fail(s.errorf("brackets on type %s: want a list", t.Text))
			return false
		}
		switch {
		case s.kind == selectSlice:
			*ends = append(*ends, t)
		case s.sub == nil:
			*ends = append(*ends, t.Elem)
		default:
			return c.walk(s.sub, t.Elem, ends)
		}
	}
	return true
}

// resolve finds the field of t that a step of s goes into.
func (c *checker) resolve(s *selector, step *fieldStep, t *ir.Type) bool {
	if t.Kind != ir.Record && (s.named || t.Kind != ir.Tuple) {
		want := "a tuple or a record"
		if s.named {
			want = "a record"
		}
		c.fail(s.errorf("fields of type %s: want %s", t.Text, want))
		return false
	}
	if !s.named {
		if step.index >= len(t.Fields) {
			c.fail(step.errorf("field %d of type %s: want less than %d", step.index, t.Text, len(t.Fields)))
			return false
		}
		return true
	}
	for i, f := range t.Fields {
		if f.Name == step.name {
			step.index = i
			return true
		}
	}
	c.fail(step.errorf("field %q: want one of type %s", step.name, t.Text))
	return false
}

// replace resolves the steps of selectors that replace parts of a value of type from, so
// that it becomes one of type to. All of them start at the same position; what none of
// them selects must keep its type. The place is of the schema of the result.
func (c *checker) replace(sels []*selector, p *place, from, to *ir.Type, values []argument) bool {
	for _, s := range sels {
		if s.kind != selectEnd {
			continue
		}
		v := c.enumArgument(&values[s.first], to)
		if vt := v.typ(); !same(vt, to) {
			c.fail(v.errorf("type is %s: want %s, the type of the field in the result", vt.Text, to.Text))
			return false
		}
		from = to // later selectors start from the new value
	}
	selected := map[int][]*selector{}
	for _, s := range sels {
		for i := range s.fields {
			step := &s.fields[i]
			if !c.resolve(s, step, from) {
				return false
			}
			selected[step.index] = append(selected[step.index], step.sub)
		}
	}
	return c.keeps(p, from, to, selected) && c.replaceFields(selected, p, from, to, values)
}

// keeps checks that only selected fields differ between two types.
func (c *checker) keeps(p *place, from, to *ir.Type, selected map[int][]*selector) bool {
	if len(selected) == 0 {
		return c.fits(p, to, from)
	}
	equal := from.Kind == to.Kind && len(from.Fields) == len(to.Fields)
	for i := 0; equal && i < len(from.Fields); i++ {
		equal = from.Fields[i].Name == to.Fields[i].Name
		if selected[i] == nil {
			equal = equal && same(from.Fields[i].Type, to.Fields[i].Type)
		}
	}
	if !equal {
		c.fail(p.errorf("type is %s: want one that differs from %s only in what is replaced", to.Text, from.Text))
	}
	return equal
}

func (c *checker) replaceFields(selected map[int][]*selector, p *place, from, to *ir.Type, values []argument) bool {
	for i := range from.Fields {
		sels := selected[i]
		if sels != nil && !c.replace(sels, p, from.Fields[i].Type, to.Fields[i].Type, values) {
			return false
		}
	}
	return true
}
