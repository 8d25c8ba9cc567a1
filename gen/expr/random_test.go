package expr

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/runtime/pure"
)

// A maker writes random well-typed trees.
type maker struct {
	*rand.Rand
	t     testing.TB
	types map[string]*ir.Type
	scope []variable
	fresh int
}

type variable struct{ name, schema string }

// schemas are the types of the trees.
var schemas = []string{
	"z", "b", "i1", "u8", "j", "f4", "f8", "s", "aj", "as", "ab", "?j", "?s", "t2js", "t3jt2sbj",
	"m21aj1bs", "m31xj1yt2sj1zas", "at2js", "am21aj1bs", "aaj", "t2i1i4", "at2i1i4", "&4Linkt2j?^4Link",
}

func (m *maker) typ(schema string) *ir.Type {
	if m.types[schema] == nil {
		m.types[schema] = parseType(m.t, schema)
	}
	return m.types[schema]
}

func (m *maker) pick(of ...string) string { return of[m.IntN(len(of))] }

func quote(s string) string {
	return string(appendResult(nil, &ir.Str{Text: s}))
}

// expr writes a tree of the type schema.
func (m *maker) expr(schema string, depth int) string {
	if depth <= 0 {
		if v, ok := m.bound(schema); ok && m.IntN(3) > 0 {
			return v
		}
		return m.literal(schema, 0)
	}
	switch m.IntN(14) {
	case 0, 1:
		return m.literal(schema, depth)
	case 2, 3:
		if v, ok := m.bound(schema); ok {
			return v
		}
	case 4, 5, 6:
		return m.let(schema, depth)
	case 7:
		return fmt.Sprintf(`{"tag":"if","schema":%q,"cond":%s,"then":%s,"else":%s}`,
			schema, m.expr("b", depth-1), m.expr(schema, depth-1), m.expr(schema, depth-1))
	case 8:
		return fmt.Sprintf(`{"tag":"catch","fallible":%s,"fallback":%s}`, m.expr(schema, depth-1), m.expr(schema, depth-1))
	case 9:
		if m.IntN(3) == 0 {
			return fmt.Sprintf(`{"tag":"throw","msg":%s}`, m.expr("s", depth-1))
		}
	case 10:
		return m.getter(schema, depth)
	case 11:
		return m.reader(schema, depth)
	}
	return m.special(schema, depth)
}

func (m *maker) bound(schema string) (string, bool) {
	var names []string
	for i, v := range m.scope {
		hidden := slices.ContainsFunc(m.scope[i+1:], func(w variable) bool { return w.name == v.name })
		if v.schema == schema && !hidden {
			names = append(names, v.name)
		}
	}
	if len(names) == 0 {
		return "", false
	}
	return fmt.Sprintf(`{"tag":"bound","schema":%q,"var":%q}`, schema, m.pick(names...)), true
}

// variable makes a name, now and then one that is in use.
func (m *maker) variable() string {
	m.fresh++
	return m.pick("x", "y", "v"+strconv.Itoa(m.fresh), ".t@"+strconv.Itoa(m.fresh))
}

func (m *maker) let(schema string, depth int) string {
	var vars, args []string
	var entered []variable
	for range 1 + m.IntN(2) {
		of := m.pick(schemas...)
		args = append(args, m.expr(of, depth-1))
		v := variable{m.variable(), of}
		vars = append(vars, strconv.Quote(v.name))
		entered = append(entered, v)
	}
	before := len(m.scope)
	m.scope = append(m.scope, entered...)
	body := m.expr(schema, depth-1)
	m.scope = m.scope[:before]
	return fmt.Sprintf(`{"tag":"app","schema":%q,"func":{"tag":"lambda","vars":[%s],"body":%s},"args":[%s]}`,
		schema, strings.Join(vars, ","), body, strings.Join(args, ","))
}

func (m *maker) literal(schema string, depth int) string {
	t := m.typ(schema)
	lit := func(values ...string) string {
		return fmt.Sprintf(`{"tag":"lit","schema":%q,"lit_type":%q,"value":%q}`, schema, schema, m.pick(values...))
	}
	switch t.Kind {
	case ir.Unit:
		return lit("0")
	case ir.Bool:
		return lit("0", "1")
	case ir.Float32, ir.Float64:
		return lit("0.5", "-1.0e-2", "nan", "-inf", "0.1")
	case ir.Uint8, ir.Uint64:
		return lit("0", "1", "3")
	case ir.Int:
		return lit("0", "1", "-1", "12", "18446744073709551616")
	case ir.Int8, ir.Int32:
		return lit("0", "2", "-1")
	case ir.String:
		return fmt.Sprintf(`{"tag":"str","schema":"s","value":%s}`, quote(m.pick("", "a", "b/c", "é\n", "7")))
	}
	var parts []string
	switch t.Kind {
	case ir.List:
		for range m.IntN(4) {
			parts = append(parts, m.expr(t.Elem.Text, depth-1))
		}
	case ir.Optional:
		if depth > 0 && m.IntN(3) > 0 {
			parts = append(parts, m.expr(t.Elem.Text, depth-1))
		}
	default:
		for _, f := range t.Fields {
			parts = append(parts, m.expr(f.Type.Text, depth-1))
		}
	}
	return fmt.Sprintf(`{"tag":"container","schema":%q,"elements":[%s]}`, schema, strings.Join(parts, ","))
}

// getter reads a part of something else.
func (m *maker) getter(schema string, depth int) string {
	for range 20 {
		of := m.typ(m.pick(schemas...))
		for i, f := range of.Fields {
			switch {
			case f.Type.Text == schema:
				return apply(schema, fmt.Sprintf(`{"type":"idx","selectors":[{"index":%d,"sub":%s}]}`, i, end), m.expr(of.Text, depth-1))
			case f.Type.Kind == ir.List && f.Type.Elem.Text == schema:
				return apply(schema, fmt.Sprintf(`{"type":"idx","selectors":[{"index":%d,"sub":{"type":"bracket_index","sub":%s}}]}`, i, end),
					m.bracket(depth-1), m.expr(of.Text, depth-1))
			}
		}
		if of.Kind == ir.List && of.Elem.Text == schema {
			return apply(schema, `{"type":"bracket_index"}`, m.bracket(depth-1), m.expr(of.Text, depth-1))
		}
	}
	return m.special(schema, depth)
}

// bracket writes a bound, often one that is in range.
func (m *maker) bracket(depth int) string {
	return m.expr(m.pick("j", "u8", "i1", "?j"), min(depth, m.IntN(3)))
}

// reader reads JSON text or a file.
func (m *maker) reader(schema string, depth int) string {
	if t := m.typ(schema); t.Name != "" || strings.ContainsAny(schema, "ziu") {
		return m.special(schema, depth) // not what the oracle reads
	}
	if m.IntN(2) == 0 {
		path := m.pick("one ", "two ") + schema
		return fmt.Sprintf(`{"tag":"load","schema":%q,"child":{"tag":"str","schema":"s","value":%q}}`, schema, path)
	}
	child := m.expr("s", depth-1)
	if m.IntN(3) > 0 {
		child = fmt.Sprintf(`{"tag":"show","schema":"s","child":%s}`, m.expr(schema, depth-1))
	}
	return fmt.Sprintf(`{"tag":"read","schema":%q,"child":%s}`, schema, child)
}

// special writes what only some types have.
func (m *maker) special(schema string, depth int) string {
	t := m.typ(schema)
	switch {
	case t.Kind == ir.Unit && m.IntN(2) == 0:
		of := m.pick(schemas...)
		return fmt.Sprintf(`{"tag":"save","format":%q,"schema":"z","level":%s,"value":%s,"path":{"tag":"str","schema":"s","value":%q}}`,
			m.pick("json", "voidstar", "msgpack"), m.expr("j", m.IntN(2)), m.expr(of, depth-1), m.pick("one ", "two ")+of)
	case t.Kind == ir.String && m.IntN(3) == 0:
		return fmt.Sprintf(`{"tag":%q,"schema":"s","child":%s}`, m.pick("show", "hash"), m.expr(m.pick(schemas...), depth-1))
	case t.Kind == ir.String:
		return fmt.Sprintf(`{"tag":"app","schema":"s","func":{"tag":"interpolation","schema":"s","strings":[%q,%q,%q]},"args":[%s,%s]}`,
			m.pick("", "<"), m.pick("", "-"), m.pick("", ">"), m.expr("s", depth-1), m.expr("s", depth-1))
	case t.Kind == ir.List && m.IntN(3) == 0:
		return apply(schema, `{"type":"bracket_slice"}`, m.bracket(depth-1), m.bracket(depth-1), m.bracket(depth-1), m.expr(schema, depth-1))
	case t.Kind == ir.List:
		return m.mapping(t, depth)
	case (t.Kind == ir.Tuple || t.Kind == ir.Record) && t.Name == "":
		return m.setter(t, depth)
	}
	return m.literal(schema, depth)
}

func (m *maker) mapping(t *ir.Type, depth int) string {
	over := m.pick("aj", "as", "at2js", "aaj")
	v := variable{m.variable(), over[1:]}
	m.scope = append(m.scope, v)
	body := m.expr(t.Elem.Text, depth-1)
	m.scope = m.scope[:len(m.scope)-1]
	return fmt.Sprintf(`{"tag":"map","schema":%q,"func":{"tag":"lambda","vars":[%q],"body":%s},"list":%s}`,
		t.Text, v.name, body, m.expr(over, depth-1))
}

// setter replaces one or two fields, or reads two.
func (m *maker) setter(t *ir.Type, depth int) string {
	if t.Kind == ir.Tuple && len(t.Fields) == 2 && m.IntN(2) == 0 {
		of := m.typ("t3jt2sbj")
		if t.Text == "t2js" {
			return apply(t.Text, fmt.Sprintf(`{"type":"idx","selectors":[{"index":2,"sub":%s},{"index":1,"sub":{"type":"idx","selectors":[{"index":0,"sub":%s}]}}]}`, end, end),
				m.expr(of.Text, depth-1))
		}
	}
	args := []string{m.expr(t.Text, depth-1)}
	var steps []string
	for range 1 + m.IntN(2) {
		i := m.IntN(len(t.Fields))
		sub, field := end, t.Fields[i].Type
		if field.Kind == ir.Tuple && m.IntN(2) == 0 {
			k := m.IntN(len(field.Fields))
			sub = fmt.Sprintf(`{"type":"idx","selectors":[{"index":%d,"sub":%s}]}`, k, end)
			field = field.Fields[k].Type
		}
		steps = append(steps, fmt.Sprintf(`{"index":%d,"sub":%s}`, i, sub))
		args = append(args, m.expr(field.Text, depth-1))
	}
	return apply(t.Text, fmt.Sprintf(`{"type":"idx","selectors":[%s]}`, strings.Join(steps, ",")), args...)
}

// constant makes a random argument.
func (m *maker) constant(schema string) ir.Value {
	c := &checker{schemas: map[string]*ir.Type{}, scope: map[string][]*binder{}}
	scope := m.scope
	m.scope = nil
	v, err := (&reference{}).eval(c.term(&place{node: parseText(m.t, m.literal(schema, 1))}, nil))
	m.scope = scope
	if err != nil || len(c.errs) > 0 {
		return m.constant(schema)
	}
	return v
}

// TestRandomTrees compares functions with the plain evaluation of what they were made of:
// results, errors and effects.
func TestRandomTrees(t *testing.T) {
	t.Parallel()
	trees := 5_000
	if testing.Short() {
		trees = 1_000
	}
	var ok, failed, effects int
	for seed := range uint64(trees) {
		m := &maker{Rand: rand.New(rand.NewPCG(seed, 0)), t: t, types: map[string]*ir.Type{}}
		result := m.pick(schemas...)
		var params []*ir.Type
		var vars []string
		for range m.IntN(3) {
			v := variable{"p" + strconv.Itoa(len(vars)), m.pick(schemas...)}
			m.scope = append(m.scope, v)
			vars = append(vars, strconv.Quote(v.name))
			params = append(params, m.typ(v.schema))
		}
		tree := fmt.Sprintf(`{"tag":"lambda","vars":[%s],"body":%s}`, strings.Join(vars, ","), m.expr(result, 1+m.IntN(5)))
		var args []ir.Value
		for _, p := range params {
			args = append(args, m.constant(p.Text))
		}
		succeeded, effect := compareTree(t, tree, params, m.typ(result), args)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		if succeeded {
			ok++
		} else {
			failed++
		}
		if effect {
			effects++
		}
	}
	t.Logf("%d results, %d errors, %d with effects", ok, failed, effects)
	if ok < trees/4 || failed < trees/20 || effects < trees/40 {
		t.Errorf("%d results, %d errors, %d with effects: the trees are too much alike", ok, failed, effects)
	}
}

func compareTree(t *testing.T, tree string, params []*ir.Type, result *ir.Type, args []ir.Value) (succeeded, effect bool) {
	t.Helper()
	root := parseText(t, tree)
	f, err := Compile(root, params, result)
	if err != nil {
		t.Fatalf("%v in %s", err, tree)
	}
	c := &checker{schemas: map[string]*ir.Type{}, scope: map[string][]*binder{}}
	binders, body := c.command(&place{node: root}, params, result)
	ref := &reference{vars: map[*binder]ir.Value{}, files: map[string]ir.Value{}}
	for i, b := range binders {
		ref.vars[b] = args[i]
	}
	v, err := ref.eval(body)
	want := fmt.Sprint(err, " ", pure.IsUser(err))
	if err == nil {
		want = string(appendResult(nil, v))
	}
	for _, f := range []*ir.Func{f, compilePlainly(root, params, result)} {
		if err := verify(f); err != nil {
			t.Fatalf("%v\n%s%s", err, tree, dump(f))
		}
		in := &interp{}
		v, err := in.run(f, args)
		got := fmt.Sprint(err, " ", pure.IsUser(err))
		if err == nil {
			got = string(appendResult(nil, v))
		}
		if got != want || !slices.Equal(in.trace, ref.trace) {
			t.Errorf("got %s %v\nwant %s %v\n%s\n%s", got, in.trace, want, ref.trace, tree, dump(f))
		}
		if f.Const != "" && f.Const != want {
			t.Errorf("Const %s, want %s", f.Const, want)
		}
	}
	return err == nil, len(ref.trace) > 0
}
