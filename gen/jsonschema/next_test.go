package jsonschema_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/ir"
	"github.com/mcpgen/mcpgen/gen/jsonschema"
	"github.com/mcpgen/mcpgen/gen/lower"
	"github.com/mcpgen/mcpgen/gen/manifest"
)

const (
	color = "e33Red5Green4Blue"
	shape = "v36Circle1f84Rect2f8f83Dot0"
	level = "e33Low6Medium4High"

	exactShape = `"oneOf":[{"type":"string","enum":["Dot"]},{"type":"object","properties":{"Circle":{"type":"array","prefixItems":[{"type":"number"}],"minItems":1,"maxItems":1}},"required":["Circle"],"additionalProperties":false},{"type":"object","properties":{"Rect":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"minItems":2,"maxItems":2}},"required":["Rect"],"additionalProperties":false}`
)

// lowerNext lowers a command of a program of the 0.103 line.
func lowerNext(t *testing.T, command string) *ir.Program {
	t.Helper()
	text := `{"name":"p","build":{"path":".","time":1,"morloc_version":"0.109.0"},"pools":[{"lang":"py","exec":["p.py"],"socket":"s"}],"commands":[` + command + `]}`
	m, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func remoteCommand(name, args, schema, more string) string {
	return fmt.Sprintf(`{"name":%q,"type":"remote","mid":1,"pool":0,"args":[%s],"return":{"schema":%q}%s}`, name, args, schema, more)
}

// TestSumFragments are those of manifest-next.md 11.4, ours where they differ from upstream's.
func TestSumFragments(t *testing.T) {
	t.Parallel()
	const priorities = `,"named_types":[{"name":"Priority","kind":"data","constructors":[{"name":"Low","desc":["can wait"]},{"name":"Medium","desc":["this","week"]},{"name":"High","desc":["today"]}]},` +
		`{"name":"Shape","kind":"data","constructors":[{"name":"Dot","desc":[]}]}]`
	const notes = "Low: can wait; Medium: this week; High: today"
	tests := []struct{ name, args, more, property, required string }{
		{"L1", `{"kind":"pos","key":"_1","schema":"` + color + `","type":"Color"}`, "",
			`"_1":{"type":"string","enum":["Red","Green","Blue"]}`, `"_1"`},
		{"L2", `{"kind":"opt","key":"priority","schema":"` + level + `","type":"Priority","long":"priority","default":"\"Medium\"","desc":["How urgent"]}`, priorities,
			`"priority":{"type":"string","enum":["Low","Medium","High"],"description":"How urgent ` + notes + ` (default: \"Medium\")"}`, ``},
		{"L3", `{"kind":"pos","key":"shape","schema":"` + shape + `","type":"Shape"}`, priorities,
			`"shape":{` + exactShape + `]}`, `"shape"`},
		{"L4", `{"kind":"alt","key":"shape","schema":"?` + shape + `","type":"?Shape","required":false,"default":null,"arms":[]}`, "",
			`"shape":{` + exactShape + `,{"type":"null"}]}`, ``},
		{"L5", `{"kind":"alt","key":"shape","schema":"` + shape + `","type":"Shape","required":true}`, "",
			`"shape":{` + exactShape + `]}`, `"shape"`},
		{"L6", `{"kind":"alt","key":"shape","schema":"` + shape + `","type":"Shape","default":"{\"Circle\":[1]}","desc":["What to draw"]}`, "",
			`"shape":{` + exactShape + `],"description":"What to draw (default: {\"Circle\":[1]})"}`, ``},
		{"L7", `{"kind":"pos","key":"_1","schema":"a` + color + `","many":true}`, "",
			`"_1":{"type":"array","items":{"type":"string","enum":["Red","Green","Blue"]}}`, `"_1"`},
		{"L8", `{"kind":"pos","key":"_1","schema":"?` + color + `"}`, "",
			`"_1":{"type":["string","null"],"enum":["Red","Green","Blue",null]}`, ``},
		{"L9", `{"kind":"pos","key":"tree","schema":"&4Treev24Leaf04Node3f8^4Tree^4Tree"}`, "",
			`"tree":{"oneOf":[{"type":"string","enum":["Leaf"]},{"type":"object","properties":{"Node":{"type":"array","prefixItems":[{"type":"number"},{},{}],"minItems":3,"maxItems":3}},"required":["Node"],"additionalProperties":false}]}`, `"tree"`},
		{"L13", `{"kind":"grp","key":"style","schema":"m25color` + color + `1nj","type":"Style","group_opt":{"short":null,"long":"style"},"entries":[{"key":"color","arg":{"kind":"opt","long":"color"}},{"key":"n","arg":{"kind":"opt","long":"n"}}]}`, "",
			`"style":{"type":"object","properties":{"color":{"type":"string","enum":["Red","Green","Blue"]},"n":{"type":"integer"}},"required":["color","n"],"additionalProperties":false}`, ``},
		{"L14", `{"kind":"grp","key":"style","schema":"m15color` + level + `","type":"Style","entries":[{"key":"color","arg":{"kind":"opt","key":"color","type":"Priority","long":"color","default":"\"Low\""}}]}`, priorities,
			`"color":{"type":"string","enum":["Low","Medium","High"],"description":"(default: \"Low\")"}`, ``},
		{"all arms with fields", `{"kind":"pos","key":"t","schema":"v23Err1s2Ok1j"}`, "",
			`"t":{"oneOf":[{"type":"object","properties":{"Err":{"type":"array","prefixItems":[{"type":"string"}],"minItems":1,"maxItems":1}},"required":["Err"],"additionalProperties":false},{"type":"object","properties":{"Ok":{"type":"array","prefixItems":[{"type":"integer"}],"minItems":1,"maxItems":1}},"required":["Ok"],"additionalProperties":false}]}`, `"t"`},
		{"keys are verbatim", `{"kind":"pos","key":"pair int str","schema":"t2js","name":"other"},{"kind":"flag","key":"dry-run","long":"wet","default":"false"}`, "",
			`"pair int str":{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2},"dry-run":{"type":"boolean","description":"(default: false)"}`, `"pair int str"`},
		{"notes of lists and options", `{"kind":"pos","key":"p","schema":"?a` + level + `","type":"?[Priority]"}`, priorities,
			`"p":{"type":["array","null"],"items":{"type":"string","enum":["Low","Medium","High"]},"description":"` + notes + `"}`, ``},
		{"alt without key", `{"kind":"alt","schema":"?` + color + `","type":"?Color"}`, "",
			`"color":{"type":["string","null"],"enum":["Red","Green","Blue",null]}`, ``},
		{"mutual", `{"kind":"pos","key":"a","schema":"&1Av23Nil05ACons2i8&1Bv15BCons2i8^1A"}`, "",
			`"a":{"oneOf":[{"type":"string","enum":["Nil"]},{"type":"object","properties":{"ACons":{"type":"array","prefixItems":[{"type":"integer"},{"oneOf":[{"type":"object","properties":{"BCons":{"type":"array","prefixItems":[{"type":"integer"},{}],"minItems":2,"maxItems":2}},"required":["BCons"],"additionalProperties":false}]}],"minItems":2,"maxItems":2}},"required":["ACons"],"additionalProperties":false}]}`, `"a"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := lowerNext(t, remoteCommand("f", test.args, "s", test.more))
			want := `{"name":"f","description":"","inputSchema":{"type":"object","properties":{` + test.property +
				`},"required":[` + test.required + `],"additionalProperties":false}}`
			if got := string(jsonschema.ToolObject(p.Tools[0])); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// L10 to L12: only records declare their result.
func TestSumResults(t *testing.T) {
	t.Parallel()
	const record = `,"outputSchema":{"type":"object","properties":{"id":{"type":"integer"},"color":{"type":"string","enum":["Red","Green","Blue"]},"name":{"type":"string"}},"required":["id","color","name"],"additionalProperties":false}`
	for schema, want := range map[string]string{
		"m32idi85color" + color + "4names": record, color: "", shape: "",
		"m11sv21A01B1f8": `,"outputSchema":{"type":"object","properties":{"s":{"oneOf":[{"type":"string","enum":["A"]},{"type":"object","properties":{"B":{"type":"array","prefixItems":[{"anyOf":[{"type":"number"},{"enum":["nan","inf","-inf"]}]}],"minItems":1,"maxItems":1}},"required":["B"],"additionalProperties":false}]}},"required":["s"],"additionalProperties":false}`,
	} {
		p := lowerNext(t, remoteCommand("f", "", schema, ""))
		_, got, _ := strings.Cut(string(jsonschema.ToolObject(p.Tools[0])), `"additionalProperties":false}`)
		if got != want+"}" {
			t.Errorf("%s: got  %s\nwant %s", schema, got, want)
		}
	}
}

// L15 and L16: output actions without entry, and commands that stream.
func TestNextActions(t *testing.T) {
	t.Parallel()
	entry := `,` + strings.Replace(remoteCommand("mlcp_f_png", "", "s", ""), `"type"`, `"internal":true,"type"`, 1)
	both := `,"terminals":[{"long":"png","entry":"mlcp_f_png"},{"long":"replayed","entry":null,"replay":"x"}]`
	p := lowerNext(t, remoteCommand("f", "", "s", both)+entry)
	if got := string(jsonschema.ToolObject(p.Tools[0])); !strings.Contains(got, `"enum":["raw","png"]`) {
		t.Error(got)
	}
	p = lowerNext(t, remoteCommand("f", "", "s", `,"terminals":[{"long":"replayed","entry":null}]`))
	if got := string(jsonschema.ToolObject(p.Tools[0])); strings.Contains(got, "_render") {
		t.Error(got)
	}
	p = lowerNext(t, remoteCommand("rows", "", "z", `,"stream":{"type":"[Int]","schema":"aj"}`))
	if len(p.Tools) != 0 || len(p.Excluded) != 1 || p.Excluded[0].Note() != "excluding command 'rows' from the tool surface (streams to @stdout)" {
		t.Errorf("excluded %v", p.Excluded)
	}
}
