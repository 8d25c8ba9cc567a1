package expr

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

// FuzzExpr compiles trees that were damaged: the result is a sound function, or errors.
// which chooses a tree, each pair of edits a node and what is done to it.
func FuzzExpr(f *testing.F) {
	var trees []command
	for _, ex := range parseFile(f, "testdata/examples.json").Elements {
		c := command{node: ex, result: parseType(f, ex.Get("ret").Str)}
		for _, a := range ex.Get("args").Elements {
			c.params = append(c.params, parseType(f, a.Str))
		}
		trees = append(trees, c)
	}
	for which := range trees {
		f.Add(uint16(which), []byte{})
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, uint64(which)))
			edits := make([]byte, 2*(1+r.IntN(4)))
			for i := range edits {
				edits[i] = byte(r.Uint32())
			}
			f.Add(uint16(which), edits)
		}
	}
	f.Fuzz(func(t *testing.T, which uint16, edits []byte) {
		if len(edits) > 200 {
			return
		}
		c := trees[int(which)%len(trees)]
		other := trees[int(which>>8)%len(trees)].node.Get("expr")
		root := damage(c.node.Get("expr"), other, edits)
		fn, err := Compile(root, c.params, c.result)
		var errs Errors
		var excluded *Excluded
		switch {
		case errors.As(err, &errs):
			if len(errs) == 0 || len(errs) > maxErrors {
				t.Errorf("%d errors", len(errs))
			}
		case errors.As(err, &excluded):
		case err != nil:
			t.Errorf("an error of another kind: %v", err)
		default:
			if err := verify(fn); err != nil {
				t.Errorf("%v\n%s", err, dump(fn))
			}
		}
	})
}

// FuzzConstant reads any JSON as any type.
func FuzzConstant(f *testing.F) {
	for _, s := range schemas {
		f.Add(s, `{"a":[1,2.5,"x",null,true]}`)
		f.Add(s, `[[1,"inf"]]`)
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		node, err := manifest.ParseJSON([]byte(value))
		if err != nil {
			return
		}
		c := &checker{schemas: map[string]*ir.Type{}}
		typ := c.declared(&place{node: object("schema", word(text))}, nil)
		if typ == nil {
			return
		}
		v, err := ParseConstant(typ, node)
		if err != nil {
			return
		}
		check := verifier{}
		if check.typed(v, typ); check.err != nil {
			t.Errorf("%s as %s: %v", value, text, check.err)
		}
		again, err := manifest.ParseJSON(appendResult(nil, v))
		if err != nil {
			t.Fatalf("%s as %s is written as something that is no JSON", value, text)
		}
		w, err := ParseConstant(typ, again)
		if err != nil || string(appendResult(nil, w)) != string(appendResult(nil, v)) {
			t.Errorf("%s as %s: read, written, read: %v", value, text, err)
		}
	})
}

// maxNodes is how large a tree gets, as edits may put it into itself.
const maxNodes = 2000

// damage copies a tree and edits the copy.
func damage(root, other *manifest.Node, edits []byte) *manifest.Node {
	root = clone(root)
	for len(edits) >= 2 {
		nodes := descendants(root)
		if len(nodes) > maxNodes {
			break
		}
		node := nodes[int(edits[0])%len(nodes)]
		pool := nodes
		if edits[1]&0x40 != 0 {
			pool = descendants(clone(other))
		}
		edit(node, pool[int(edits[1]>>1)%len(pool)], edits[1])
		edits = edits[2:]
	}
	return root
}

func edit(n, with *manifest.Node, how byte) {
	switch how % 8 {
	case 0:
		if len(n.Members) > 0 {
			n.Members = slices.Delete(n.Members, int(how>>3)%len(n.Members), int(how>>3)%len(n.Members)+1)
		} else if len(n.Elements) > 0 {
			n.Elements = n.Elements[1:]
		}
	case 1:
		if len(n.Elements) > 0 {
			n.Elements = append(slices.Clone(n.Elements), clone(n.Elements[0]))
		}
	case 2:
		*n = manifest.Node{Kind: manifest.NodeKind(how >> 3 % 6), Num: "1"}
	case 3:
		if n.Kind == manifest.StringNode {
			n.Str = []string{"j", "s", "z", "aj", "T", "?j", "end", "throw", "stdout", "x"}[int(how>>3)%10]
		}
	default:
		*n = *clone(with)
	}
}

func clone(n *manifest.Node) *manifest.Node {
	c := *n
	c.Members = slices.Clone(n.Members)
	for i := range c.Members {
		c.Members[i].Value = clone(c.Members[i].Value)
	}
	c.Elements = slices.Clone(n.Elements)
	for i := range c.Elements {
		c.Elements[i] = clone(c.Elements[i])
	}
	return &c
}

// descendants lists n and what is in it.
func descendants(n *manifest.Node) []*manifest.Node {
	all := []*manifest.Node{n}
	for _, m := range n.Members {
		all = append(all, descendants(m.Value)...)
	}
	for _, e := range n.Elements {
		all = append(all, descendants(e)...)
	}
	return all
}
