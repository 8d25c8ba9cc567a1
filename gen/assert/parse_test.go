package assert_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcpgen/mcpgen/gen/assert"
	"github.com/mcpgen/mcpgen/gen/ir"
)

func ptr(n int) *int { return &n }

// TestKeywords has the check of each keyword.
func TestKeywords(t *testing.T) {
	t.Parallel()
	str := func(path string) *ir.Check { return &ir.Check{Path: path, Types: []string{"string"}} }
	for _, tt := range []struct {
		text string
		want ir.Check
	}{
		{`true`, ir.Check{}},
		{`false`, ir.Check{Never: true}},
		{`{}`, ir.Check{}},
		{`{"type":"integer"}`, ir.Check{Types: []string{"integer"}}},
		{`{"type":["string","null"]}`, ir.Check{Types: []string{"string", "null"}}},
		{`{"const": {"a" : 1.0}}`, ir.Check{Const: []byte(`{"a":1.0}`)}},
		{`{"const":null}`, ir.Check{Const: []byte(`null`)}},
		{`{"enum":[ 1, "a b" ]}`, ir.Check{Enum: []byte(`[1,"a b"]`)}},
		{`{"minimum":-1,"maximum":1e400,"exclusiveMinimum":0.10,"exclusiveMaximum":12345678901234567890}`,
			ir.Check{Minimum: "-1", Maximum: "1e400", ExclusiveMinimum: "0.10", ExclusiveMaximum: "12345678901234567890"}},
		{`{"minLength":2,"maxLength":0}`, ir.Check{MinLength: 2, MaxLength: ptr(0)}},
		{`{"minItems":1.0,"maxItems":1e99}`, ir.Check{MinItems: 1, MaxItems: ptr(1<<31 - 1)}},
		{`{"pattern":"^a"}`, ir.Check{Pattern: `^a`}},
		{`{"items":{"type":"string"}}`, ir.Check{Items: str("/items")}},
		{`{"prefixItems":[{"type":"string"}]}`, ir.Check{Prefix: []*ir.Check{str("/prefixItems/0")}}},
		{`{"items":[{"type":"string"}],"additionalItems":{"type":"string"}}`, // of older drafts
			ir.Check{Prefix: []*ir.Check{str("/items/0")}, Items: str("/additionalItems")}},
		{`{"items":{"type":"string"},"additionalItems":false}`, ir.Check{Items: str("/items")}},
		{`{"additionalItems":false,"items":{"type":"string"}}`, ir.Check{Items: str("/items")}},
		{`{"additionalItems":false}`, ir.Check{}},
		{`{"properties":{"b":{"type":"string"},"a/~":{"type":"string"}}}`, ir.Check{Properties: []ir.PropertyCheck{
			{Name: "b", Check: str("/properties/b")}, {Name: "a/~", Check: str("/properties/a~1~0")}}}},
		{`{"additionalProperties":false}`, ir.Check{Additional: &ir.Check{Path: "/additionalProperties", Never: true}}},
		{`{"required":["b","a"]}`, ir.Check{Required: []string{"b", "a"}}},
		{`{"required":[]}`, ir.Check{}},
		{`{"allOf":[{"type":"string"}]}`, ir.Check{AllOf: []*ir.Check{str("/allOf/0")}}},
		{`{"anyOf":[{"type":"string"}]}`, ir.Check{AnyOf: []*ir.Check{str("/anyOf/0")}}},
		{`{"oneOf":[{"type":"string"}]}`, ir.Check{OneOf: []*ir.Check{str("/oneOf/0")}}},
		{`{"not":{"type":"string"}}`, ir.Check{Not: str("/not")}},
		{`{"$ref":"#/$defs/s","$defs":{"s":{"type":"string"}}}`, ir.Check{Ref: str("/$defs/s")}},
		{`{"$ref":"#/$defs/a%20b~1","$defs":{"a b/":{"type":"string"}}}`, ir.Check{Ref: str("/$defs/a b~1")}},
		{`{"$ref":"#s","definitions":{"x":{"$anchor":"s","type":"string"}}}`, ir.Check{Ref: str("/definitions/x")}},
		{`{"$id":"http://x/y","$ref":"http://x/y#/$defs/s","$defs":{"s":{"type":"string"}}}`, ir.Check{Ref: str("/$defs/s")}},
		{`{"$ref":"#/allOf/0","allOf":[{"type":"string"}]}`, ir.Check{Ref: str("/allOf/0"), AllOf: []*ir.Check{str("/allOf/0")}}},
		{`{"$ref":"inner","$defs":{"x":{"$id":"inner","$ref":"#/$defs/s","$defs":{"s":{"type":"string"}}},"s":false}}`,
			ir.Check{Ref: &ir.Check{Path: "/$defs/x", Ref: str("/$defs/x/$defs/s")}}},
		{`{"title":"t","description":"d","format":"email","default":1,"examples":[],"$schema":"s","$comment":"c","x-own":{"type":5},"$id":"i"}`,
			ir.Check{}},
	} {
		c, warnings, err := assert.Parse([]byte(tt.text))
		if err != nil || len(warnings) > 0 {
			t.Errorf("%s: %v, warnings %q", tt.text, err, warnings)
			continue
		}
		if diff := cmp.Diff(&tt.want, c); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
	}
}

// TestSimplify holds that what holds of every value is left out.
func TestSimplify(t *testing.T) {
	t.Parallel()
	never := func(path string) *ir.Check { return &ir.Check{Path: path, Never: true} }
	for _, tt := range []struct {
		text string
		want ir.Check
	}{
		{`{"items":{},"additionalProperties":{"title":"x"},"not":false,"$ref":"#/$defs/a","$defs":{"a":true}}`, ir.Check{}},
		{`{"allOf":[true,{"allOf":[{}]}],"anyOf":[false,{"anyOf":[{"title":"x"}]}],"oneOf":[true]}`, ir.Check{}},
		{`{"properties":{"a":{"properties":{"b":true}}},"prefixItems":[{"items":true},{}]}`, ir.Check{}},
		{`{"allOf":[true,false]}`, ir.Check{AllOf: []*ir.Check{never("/allOf/1")}}},
		{`{"oneOf":[true,true]}`, ir.Check{OneOf: []*ir.Check{{Path: "/oneOf/0"}, {Path: "/oneOf/1"}}}},
		{`{"prefixItems":[true,false,true]}`, ir.Check{Prefix: []*ir.Check{{Path: "/prefixItems/0"}, never("/prefixItems/1")}}},
		{`{"prefixItems":[true],"items":false}`, ir.Check{Prefix: []*ir.Check{{Path: "/prefixItems/0"}}, Items: never("/items")}},
		{`{"properties":{"a":true,"b":false}}`, ir.Check{Properties: []ir.PropertyCheck{{Name: "b", Check: never("/properties/b")}}}},
		{`{"properties":{"a":true},"additionalProperties":false}`, ir.Check{
			Properties: []ir.PropertyCheck{{Name: "a", Check: &ir.Check{Path: "/properties/a"}}}, Additional: never("/additionalProperties")}},
		{`{"not":true}`, ir.Check{Not: &ir.Check{Path: "/not"}}},
	} {
		c, _, err := assert.Parse([]byte(tt.text))
		if err != nil {
			t.Fatalf("%s: %v", tt.text, err)
		}
		if diff := cmp.Diff(&tt.want, c); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
	}
}

// TestCircles holds that circles close, and which must not be.
func TestCircles(t *testing.T) {
	t.Parallel()
	c, _, err := assert.Parse([]byte(`{"properties":{"next":{"$ref":"#"},"all":{"items":{"anyOf":[{"$ref":"#"}]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if c.Properties[0].Check.Ref != c || c.Properties[1].Check.Items.AnyOf[0].Ref != c {
		t.Error("a reference to the whole is another check")
	}
	for _, text := range []string{
		`{"$ref":"#"}`,
		`{"allOf":[{"$ref":"#"}]}`,
		`{"anyOf":[true,{"not":{"oneOf":[{"$ref":"#/anyOf/1"}]}}]}`,
		`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
	} {
		_, _, err := assert.Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), "a circle of references that takes no step into the value") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestWarnings holds which assertions are named as not checked.
func TestWarnings(t *testing.T) {
	t.Parallel()
	const unchecked = ": published, not checked"
	for _, tt := range []struct {
		text string
		want []string
	}{
		{`{"uniqueItems":true,"properties":{"n":{"multipleOf":2}}}`, []string{"/uniqueItems" + unchecked, "/properties/n/multipleOf" + unchecked}},
		{`{"if":{},"then":{},"else":{},"contains":{},"minContains":0,"maxContains":1,"minProperties":1,"maxProperties":1}`,
			[]string{"/if" + unchecked, "/then" + unchecked, "/else" + unchecked, "/contains" + unchecked, "/minContains" + unchecked,
				"/maxContains" + unchecked, "/minProperties" + unchecked, "/maxProperties" + unchecked}},
		{`{"propertyNames":{},"dependentRequired":{},"dependentSchemas":{},"dependencies":{},"unevaluatedItems":false,"unevaluatedProperties":false,"$dynamicRef":"#x","$recursiveRef":"#"}`,
			[]string{"/propertyNames" + unchecked, "/dependentRequired" + unchecked, "/dependentSchemas" + unchecked, "/dependencies" + unchecked,
				"/unevaluatedItems" + unchecked, "/unevaluatedProperties" + unchecked, "/$dynamicRef" + unchecked, "/$recursiveRef" + unchecked}},
		{`{"additionalProperties":false,"patternProperties":{"^x":{}}}`,
			[]string{"/patternProperties" + unchecked, "/additionalProperties" + unchecked + " beside patternProperties"}},
		{`{"$ref":"http://elsewhere/x#/y"}`, []string{"/$ref" + unchecked + `: "http://elsewhere/x" is another document`}},
	} {
		c, warnings, err := assert.Parse([]byte(tt.text))
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if diff := cmp.Diff(tt.want, warnings); diff != "" {
			t.Errorf("%s: %s", tt.text, diff)
		}
		for _, p := range c.Properties {
			c = p.Check
		}
		if !c.IsAny() {
			t.Errorf("%s is checked: %+v", tt.text, c)
		}
	}
	c, warnings, err := assert.Parse([]byte(`{"pattern":"(?=x)"}`))
	if err != nil || len(warnings) != 1 || !strings.HasPrefix(warnings[0], "/pattern"+unchecked+": ") || !c.IsAny() {
		t.Errorf("a pattern that Go cannot say: %+v, %q, %v", c, warnings, err)
	}
}

// TestProblems has a malformed schema for each rule.
func TestProblems(t *testing.T) {
	t.Parallel()
	const schema, types = "a schema: an object or a boolean", "null, boolean, integer, number, string, array, object"
	for _, tt := range []struct {
		text string
		want []string
	}{
		{``, []string{"the document ends here, expected a value"}},
		{`{"type":"string"`, []string{"the document ends here, expected ',' or '}'"}},
		{strings.Repeat(`{"not":`, 1001) + `{}` + strings.Repeat(`}`, 1001), []string{"nested deeper than 1000 levels"}},
		{`5`, []string{"a number, want " + schema}},
		{`{"type":"strin"}`, []string{`/type: unknown type "strin", want one of ` + types}},
		{`{"type":[]}`, []string{"/type: no type, want one at least"}},
		{`{"type":["string","string"]}`, []string{`/type/1: "string" is there twice, want each once`}},
		{`{"type":["string",1]}`, []string{"/type/1: a number, want the name of a type"}},
		{`{"type":null}`, []string{"/type: null, want the name of a type or an array of them"}},
		{`{"enum":{}}`, []string{"/enum: an object, want an array"}},
		{`{"minimum":"0"}`, []string{"/minimum: a string, want a number"}},
		{`{"exclusiveMaximum":true}`, []string{"/exclusiveMaximum: a boolean, want a number"}},
		{`{"minLength":-1}`, []string{"/minLength: -1, want an integer that is not negative"}},
		{`{"maxItems":1.5}`, []string{"/maxItems: 1.5, want an integer that is not negative"}},
		{`{"minItems":"1"}`, []string{"/minItems: a string, want an integer that is not negative"}},
		{`{"pattern":1}`, []string{"/pattern: a number, want a regular expression"}},
		{`{"items":1}`, []string{"/items: a number, want " + schema}},
		{`{"prefixItems":{}}`, []string{"/prefixItems: an object, want an array of schemas"}},
		{`{"anyOf":[]}`, []string{"/anyOf: no schema, want one at least"}},
		{`{"oneOf":[1]}`, []string{"/oneOf/0: a number, want " + schema}},
		{`{"properties":[]}`, []string{"/properties: an array, want an object of schemas"}},
		{`{"properties":{"a":{},"a":{}}}`, []string{"/properties/a: given twice"}},
		{`{"type":"string","type":"null"}`, []string{"/type: keyword given twice"}},
		{`{"required":"a"}`, []string{"/required: a string, want an array"}},
		{`{"required":["a",2,"a"]}`, []string{"/required/1: a number, want a name", `/required/2: "a" is there twice, want each once`}},
		{`{"$ref":5}`, []string{"/$ref: a number, want a reference"}},
		{`{"$ref":"#/$defs/x"}`, []string{`/$ref: there is no "#/$defs/x", want a schema of this document`}},
		{`{"$ref":"#x"}`, []string{`/$ref: there is no "#x", want a schema of this document`}},
		{`{"$ref":"#/%zz"}`, []string{`/$ref: there is no "#/%zz", want a schema of this document`}},
		{`{"$ref":"#/enum/01","enum":[1,2]}`, []string{`/$ref: there is no "#/enum/01", want a schema of this document`}},
		{`{"$ref":"#/enum/0","enum":[1]}`, []string{`/enum/0: a number, want ` + schema}},
		{`{"$defs":{"unused":{"type":1}}}`, []string{"/$defs/unused/type: a number, want the name of a type or an array of them"}},
		{`{"not":{"properties":{"a b":3}},"type":"x"}`,
			[]string{"/not/properties/a b: a number, want " + schema, `/type: unknown type "x", want one of ` + types}},
	} {
		_, _, err := assert.Parse([]byte(tt.text))
		var got []string
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			for _, err := range joined.Unwrap() {
				got = append(got, err.Error())
			}
		} else if err != nil {
			got = append(got, err.Error())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%.100s: %s", tt.text, diff)
		}
		if _, ok := errors.AsType[*assert.Problem](err); !ok {
			t.Errorf("%.100s: %T holds no problem", tt.text, err)
		}
	}
}

// FuzzParse holds that any text is a schema or a problem.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"type":["string","null"],"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"items":{"$ref":"#"}}}}`,
		`{"$id":"a","$anchor":"b","allOf":[{"$ref":"a#b"},{"$ref":"#b"}]}`, `{"minLength":1e999,"pattern":"["}`, `[]`,
		`{"additionalProperties":{"not":{"enum":[1,{"a":[]}]}},"patternProperties":{}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, warnings, err := assert.Parse(text)
		if (c == nil) != (err != nil) || err != nil && warnings != nil {
			t.Errorf("%q: %v, %q, %v", text, c, warnings, err)
		}
	})
}
