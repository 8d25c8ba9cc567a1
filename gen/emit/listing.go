package emit

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"
)

// A Listing is what tools/list shows up to a revision of the protocol.
type Listing struct {
	Until string   // the revision, as in 2025-06-18
	Tools [][]byte // as Options.Tools
}

// suffix returns the end of names of what is listed up to the revision.
func (l *Listing) suffix() string { return "Until" + strings.ReplaceAll(l.Until, "-", "") }

// listed returns the tools as a revision lists them.
func (o *Options) listed(revision string) [][]byte {
	for _, l := range o.Older {
		if revision <= l.Until {
			return l.Tools
		}
	}
	return o.Tools
}

// olderLists returns the listings of older revisions, given the names of their constants.
func (o *Options) olderLists(names []string) *jen.Statement {
	return jen.Index().Add(o.rt("mcp", "Listing")).ValuesFunc(func(v *jen.Group) {
		for i, l := range o.Older {
			revision := o.rt("mcp", "Revision"+strings.ReplaceAll(l.Until, "-", ""))
			v.Line().Values(jen.Id("Until").Op(":").Add(revision), jen.Id("Tools").Op(":").Id(names[i]))
		}
		v.Line()
	})
}

// listName returns the name of the constant of all tools as they are listed.
func (e *emitter) listName() string { return e.declared("listing", "toolList") }

// olderNames returns the names of the constants of all tools as older revisions list them.
func (e *emitter) olderNames() []string {
	names := make([]string, len(e.o.Older))
	for i := range e.o.Older {
		suffix := e.o.Older[i].suffix()
		names[i] = e.declared("listing "+suffix, "toolList"+suffix)
	}
	return names
}

// emitListing emits the tools as they are listed.
func (e *emitter) emitListing() {
	var consts []jen.Code
	name := func(i int, suffix string, object []byte) string {
		name := e.declared("listing "+strconv.Itoa(i)+suffix, e.tools[i].base+"Tool"+suffix)
		consts = append(consts, id(name).Op("=").Add(listing(string(object))))
		return name
	}
	newest := make([]string, len(e.tools))
	for i := range e.tools {
		newest[i] = name(i, "", e.o.Tools[i])
	}
	e.dispatch.add(comment(e.listName()+" is the tools array of tools/list."),
		jen.Const().Id(e.listName()).Op("=").Add(listOf(newest)))
	for n, older := range e.olderNames() {
		l := &e.o.Older[n]
		all := make([]string, len(e.tools))
		for i := range e.tools {
			all[i] = newest[i]
			if !bytes.Equal(l.Tools[i], e.o.Tools[i]) {
				all[i] = name(i, l.suffix(), l.Tools[i])
			}
		}
		e.dispatch.add(comment(older+" is the tools array up to the revision "+l.Until+"."),
			jen.Const().Id(older).Op("=").Add(listOf(all)))
	}
	if len(consts) > 0 {
		e.dispatch.add(comment("The tools as they are listed."), jen.Const().DefsFunc(func(g *jen.Group) {
			for i, c := range consts {
				if i > 0 {
					g.Line()
				}
				g.Add(c)
			}
		}))
	}
}

// listOf returns the expression of an array of the constants that have these names.
func listOf(names []string) *jen.Statement {
	all := literal("[")
	for i, name := range names {
		if i > 0 {
			all.Op("+").Add(literal(",")).Op("+").Line()
		} else {
			all.Op("+")
		}
		all.Id(name)
	}
	return all.Op("+").Add(literal("]"))
}
