package expr

import (
	"fmt"
	"strings"
)

// Short ways to write the nodes of expression trees.
func num(v string) string { return `{"tag":"lit","schema":"j","lit_type":"j","value":"` + v + `"}` }

func str(v string) string { return `{"tag":"str","schema":"s","value":"` + v + `"}` }

func boolean(v string) string { return `{"tag":"lit","schema":"b","lit_type":"b","value":"` + v + `"}` }

func lit(schema, v string) string {
	return fmt.Sprintf(`{"tag":"lit","schema":%q,"lit_type":%q,"value":%q}`, schema, schema, v)
}

func use(schema, name string) string {
	return fmt.Sprintf(`{"tag":"bound","schema":%q,"var":%q}`, schema, name)
}

func box(schema string, elems ...string) string {
	return fmt.Sprintf(`{"tag":"container","schema":%q,"elements":[%s]}`, schema, strings.Join(elems, ","))
}

func lambda(body string, vars ...string) string {
	for i, v := range vars {
		vars[i] = fmt.Sprintf("%q", v)
	}
	return fmt.Sprintf(`{"tag":"lambda","vars":[%s],"body":%s}`, strings.Join(vars, ","), body)
}

func let(schema, name, value, body string) string {
	return fmt.Sprintf(`{"tag":"app","schema":%q,"func":%s,"args":[%s]}`, schema, lambda(body, name), value)
}

func join(pieces string, args ...string) string {
	return fmt.Sprintf(`{"tag":"app","schema":"s","func":{"tag":"interpolation","schema":"s","strings":[%s]},"args":[%s]}`, pieces, strings.Join(args, ","))
}

func fields(kind string, steps ...string) string {
	return fmt.Sprintf(`{"type":%q,"selectors":[%s]}`, kind, strings.Join(steps, ","))
}

func key(name, sub string) string { return fmt.Sprintf(`{"key":%q,"sub":%s}`, name, sub) }

func idx(i int, sub string) string { return fmt.Sprintf(`{"index":%d,"sub":%s}`, i, sub) }

const (
	rec  = "m21aj1bs"
	pair = "t2js"
)

func recordOf(a, b string) string { return box(rec, num(a), str(b)) }

func iff(schema, cond, then, els string) string {
	return `{"tag":"if","schema":"` + schema + `","cond":` + cond + `,"then":` + then + `,"else":` + els + `}`
}

func throw(msg string) string { return `{"tag":"throw","msg":` + msg + `}` }

func catch(fallible, fallback string) string {
	return `{"tag":"catch","fallible":` + fallible + `,"fallback":` + fallback + `}`
}

func unary(tag, schema, child string) string {
	return `{"tag":"` + tag + `","schema":"` + schema + `","child":` + child + `}`
}

func mapping(schema, body, v, list string) string {
	return `{"tag":"map","schema":"` + schema + `","func":` + lambda(body, v) + `,"list":` + list + `}`
}

func save(format, level, value, path string) string {
	return `{"tag":"save","format":"` + format + `","schema":"z","level":` + level + `,"value":` + value + `,"path":` + path + `}`
}

func at(schema, i, list string) string { return apply(schema, `{"type":"bracket_index"}`, i, list) }

func field(schema string, i int, of string) string {
	return apply(schema, fields("idx", idx(i, end)), of)
}

const end = `{"type":"end"}`

// apply writes the application of a pattern.
func apply(schema, pattern string, args ...string) string {
	return fmt.Sprintf(`{"tag":"app","schema":%q,"func":{"tag":"pattern","schema":%q,"pattern":%s},"args":[%s]}`,
		schema, schema, pattern, strings.Join(args, ","))
}
