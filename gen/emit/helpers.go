package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// An op is something that is done with values of each type. For scalars and for lists and
// optionals the runtime does it; for tuples, records and named types a helper function of
// the generated package does.
type op struct {
	prefix string // of the helpers' names
	// section says in which file its helpers stand.
	section func(e *emitter) *section
	// exact says that the length of a list matters.
	exact bool
	// scalar returns the function that does it with a scalar.
	scalar func(e *emitter, t *ir.Type) *jen.Statement
	// list and optional return what does it with a list or optional, in a helper or
	// where it is needed: expressions over the helper's parameters.
	list, optional func(e *emitter, t *ir.Type) *jen.Statement
	// signature returns parameters and result of a helper.
	signature func(e *emitter, t *ir.Type) (params []jen.Code, result jen.Code)
	// fields writes the body of a helper for a tuple or record; enum and variant that for a
	// sum type.
	fields, enum, variant func(e *emitter, g *goType, b *jen.Group)
	// doc completes the sentence that begins with the helper's name.
	doc func(t *ir.Type) string
	// void says that helpers return nothing.
	void bool
}

// What is done with values. These are set in init, as ops and the functions that use them
// refer to each other.
var appendOp, showOp, hashOp, rawOp, readOp, putOp, copyOp, loadOp, decodeOp *op

func init() {
	appendOp, showOp = newAppendOp(), newShowOp()
	hashOp, rawOp = newHashOp(), newRawOp()
	readOp, decodeOp = newReadOp(), newDecodeOp()
	putOp, copyOp, loadOp = newPutOp(), newCopyOp(), newLoadOp()
}

type helperKey struct {
	op    *op
	type_ string
}

// fn returns the function that does o with values of t: of the runtime or a helper.
func (e *emitter) fn(o *op, t *ir.Type) *jen.Statement {
	if _, ok := scalars[t.Kind]; ok {
		return o.scalar(e, t)
	}
	key := helperKey{o, identity(t)}
	if o.exact {
		key.type_ = t.Text
		if t.Owner != nil { // its text does not say whose fields they are
			key.type_ += " in " + t.Owner.Text + identity(t)
		}
	}
	name, ok := e.helpers[key]
	if !ok {
		name = e.top.Take(o.prefix + e.label(t))
		e.helpers[key] = name
	}
	if !e.asked[key] {
		e.asked[key] = true
		e.ofKey[key] = t
		e.queue = append(e.queue, key)
	}
	return jen.Id(name)
}

// emitHelpers emits the helpers that were asked for, and those that they ask for.
func (e *emitter) emitHelpers() {
	for len(e.queue) > 0 {
		key := e.queue[0]
		e.queue = e.queue[1:]
		e.emitHelper(key.op, e.ofKey[key], e.helpers[key])
	}
}

func (e *emitter) emitHelper(o *op, t *ir.Type, name string) {
	params, result := o.signature(e, t)
	f := jen.Func().Id(name).Params(params...)
	if result != nil {
		f.Add(result)
	}
	f.BlockFunc(func(b *jen.Group) {
		switch {
		case t.Kind == ir.List && o.void:
			b.Add(o.list(e, t))
		case t.Kind == ir.List:
			b.Return(o.list(e, t))
		case t.Kind == ir.Optional && o.void:
			b.Add(o.optional(e, t))
		case t.Kind == ir.Optional:
			b.Return(o.optional(e, t))
		case t.Kind == ir.Enum:
			o.enum(e, e.named(t), b)
		case t.Kind == ir.Variant:
			o.variant(e, e.named(t), b)
		default:
			o.fields(e, e.named(t), b)
		}
	})
	o.section(e).add(comment(name+" "+o.doc(t)), f)
}

// id is a shorter jen.Id.
func id(name string) *jen.Statement { return jen.Id(name) }

// at returns the offset of a field from a base: at, at+8.
func at(offset int) *jen.Statement {
	if offset == 0 {
		return id("at")
	}
	return id("at").Op("+").Lit(offset)
}

// elemAlign returns the alignment of a list's elements (pool-protocol.md 4.2).
func elemAlign(elem *ir.Type) int {
	if elem.Kind >= ir.Int8 && elem.Kind <= ir.Float64 {
		return 64
	}
	return elem.Align
}
