package emit

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/names"
)

// emitArgs emits the argument struct of a tool, its decoder, and what packs it.
func (e *emitter) emitArgs(t *tool) {
	e.args.add(
		comment(t.args+" are the arguments of tool "+strconv.Quote(t.Name)+" (commands["+strconv.Itoa(t.Index)+"])."),
		jen.Type().Id(t.args).StructFunc(func(s *jen.Group) {
			for i, slot := range t.Slots {
				if slot.Param < 0 {
					s.Id(t.groups[i]).Add(e.goTypeOf(slot.Type)).Comment("// " + oneLine(e.groupNote(t, slot)))
					continue
				}
				p := t.Params[slot.Param]
				s.Id(t.fields[slot.Param]).Add(e.goTypeOf(p.Type)).Comment("// " + oneLine(paramNote(p)))
			}
			if t.render != "" {
				s.Id(t.render).String().Comment(`// "_render": ` + oneLine(renderNote(t)))
			}
		}))
	e.emitArgsDecoder(t)
	if t.usesPool() && len(t.Slots) > 0 {
		e.emitPack(t)
	}
}

// decodeDoc is the comment of the decoder of an argument struct.
const decodeDoc = "decode reads and checks the arguments; its error tells all that is wrong."

func paramNote(p *ir.Param) string {
	note := strconv.Quote(p.Key) + ": " + typeText(p.Type, p.TypeText)
	if p.HasDefault {
		note += ", default " + p.DefaultText
	}
	return note
}

func (e *emitter) groupNote(t *tool, s ir.Slot) string {
	var keys []string
	for _, i := range s.Fields {
		if i >= 0 {
			keys = append(keys, strconv.Quote(t.Params[i].Key))
		}
	}
	return strings.Join(keys, ", ")
}

func renderNote(t *tool) string {
	all := []string{"raw"}
	for _, r := range t.Renders {
		all = append(all, r.Name)
	}
	return strings.Join(all, ", ")
}

// typeText returns the author's name for a type, else its schema.
func typeText(t *ir.Type, text string) string {
	if text != "" {
		return text
	}
	return t.Text
}

// usesPool reports whether anything the tool can run is in a pool.
func (t *tool) usesPool() bool {
	for _, x := range t.targets {
		if x.Remote != nil {
			return true
		}
	}
	return false
}

// places returns where each parameter goes: a field of the struct a, or of a group in it.
func (e *emitter) places(t *tool) []*jen.Statement {
	places := make([]*jen.Statement, len(t.Params))
	for i := range t.Params {
		places[i] = id("a").Dot(t.fields[i])
	}
	for i, slot := range t.Slots {
		if slot.Param >= 0 {
			continue
		}
		g := e.named(slot.Type)
		for field, param := range slot.Fields {
			if param >= 0 {
				places[param] = id("a").Dot(t.groups[i]).Dot(g.fields[field])
			}
		}
	}
	return places
}

func (e *emitter) emitArgsDecoder(t *tool) {
	places := e.places(t)
	var members []member
	var resets []jen.Code
	for i, p := range t.Params {
		m := member{key: p.Key, t: p.Type, target: places[i], required: p.Required}
		if p.Fields != nil {
			decode := e.emitWholeGroup(t, p)
			m.value = id(decode).Call(id("d"))
			// Absent it is what an empty object gives: the defaults.
			resets = append(resets, places[i].Clone().Op("=").Add(e.wholeDefault(p)))
		} else if reset := e.reset(p, places[i]); reset != nil {
			resets = append(resets, reset)
		}
		members = append(members, m)
	}
	if t.render != "" {
		members = append(members, member{
			key: "_render", t: &ir.Type{Kind: ir.String, Text: "s"}, target: id("a").Dot(t.render),
		})
		resets = append(resets, id("a").Dot(t.render).Op("=").Lit("raw"))
	}
	e.args.add(
		comment(decodeDoc),
		jen.Func().Params(id("a").Op("*").Id(t.args)).Id("decode").
			Params(id("d").Op("*").Add(e.rt("jsonx", "Decoder"))).Error().
			BlockFunc(func(b *jen.Group) {
				for _, r := range resets {
					b.Add(r)
				}
				e.decodeObject(t.base, t.args, members, b)
				b.Return(id("d").Dot("Err").Call())
			}))
}

// reset returns the statement that gives a parameter the value it has if it does not come;
// nil if it must come.
func (e *emitter) reset(p *ir.Param, place *jen.Statement) jen.Code {
	switch {
	case p.Default != nil:
		if m, ok := p.Default.(*ir.Make); ok && m.Type.Kind == ir.List && len(m.Parts) == 0 {
			return place.Clone().Op("=").Add(place.Clone()).Index(jen.Op(":").Lit(0))
		}
		return place.Clone().Op("=").Add(e.constant(p.Default))
	case !p.Required:
		return place.Clone().Op("=").Nil()
	}
	return nil
}

// emitWholeGroup emits the function that reads a group published as one object, whose
// missing members take the defaults of its entries, and returns its name.
func (e *emitter) emitWholeGroup(t *tool, p *ir.Param) string {
	g := e.named(p.Type)
	base := t.base + names.Exported(p.Key)
	name := e.declared("whole "+base, "decode"+names.Exported(base))
	var members []member
	for i, f := range p.Type.Fields {
		entry := entryOf(p, f.Name)
		m := member{key: f.Name, t: f.Type, target: id("v").Dot(g.fields[i])}
		m.required = f.Type.Kind != ir.Optional && (entry == nil || entry.Default == nil)
		members = append(members, m)
	}
	e.args.add(
		comment(name+" reads the argument "+strconv.Quote(p.Key)+" of tool "+strconv.Quote(t.Name)+
			"; what it lacks takes its default."),
		jen.Func().Id(name).Params(id("d").Op("*").Add(e.rt("jsonx", "Decoder"))).
			Params(id("v").Add(e.goTypeOf(p.Type))).
			BlockFunc(func(b *jen.Group) {
				b.Id("v").Op("=").Add(e.wholeDefault(p))
				e.decodeObject(base, "argument "+strconv.Quote(p.Key), members, b)
				b.Return(id("v"))
			}))
	return name
}

// wholeDefault returns the record of a whole group's defaults.
func (e *emitter) wholeDefault(p *ir.Param) *jen.Statement {
	g := e.named(p.Type)
	e.emitType(g)
	return id(g.name).ValuesFunc(func(v *jen.Group) {
		for i, f := range p.Type.Fields {
			if entry := entryOf(p, f.Name); entry != nil && entry.Default != nil {
				if _, absent := entry.Default.(*ir.None); !absent {
					v.Id(g.fields[i]).Op(":").Add(e.constant(entry.Default))
				}
			}
		}
	})
}

func entryOf(p *ir.Param, key string) *ir.Param {
	for _, entry := range p.Fields {
		if entry.Key == key {
			return entry
		}
	}
	return nil
}

// emitPack emits what puts the arguments into a call packet.
func (e *emitter) emitPack(t *tool) {
	e.args.add(
		comment("pack puts the arguments into a call packet, in the order of the manifold."),
		jen.Func().Params(id("a").Op("*").Id(t.args)).Id("pack").
			Params(id("p").Op("*").Add(e.rt("packet", "Call"))).
			BlockFunc(func(b *jen.Group) {
				for i, slot := range t.Slots {
					name := t.groups[i]
					if slot.Param >= 0 {
						name = t.Params[slot.Param].Key
					}
					b.Id("p").Dot("Begin").Call(literal(slot.Type.Text), jen.Lit(slot.Type.Width)).
						Comment("// " + oneLine(name))
					b.Add(e.put(slot.Type, jen.Lit(0), e.slotValue(t, i)))
					b.Id("p").Dot("End").Call()
				}
			}))
}
