package check

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// metaschema holds the meta-schemas as their authors publish them.
//
//go:embed metaschema
var metaschema embed.FS

// A dialect is a version of JSON Schema.
type dialect struct {
	names []string // of $schema, without a final #
	meta  func() (*jsonschema.Resolved, error)
}

var (
	draft2020 = dialect{
		names: []string{"https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft/2020-12/schema"},
		meta:  sync.OnceValues(func() (*jsonschema.Resolved, error) { return loadMeta("metaschema/draft2020-12/schema.json") }),
	}
	draft07 = dialect{
		names: []string{"http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema"},
		meta:  sync.OnceValues(func() (*jsonschema.Resolved, error) { return loadMeta("metaschema/draft-07.json") }),
	}
)

func loadMeta(name string) (*jsonschema.Resolved, error) {
	read := func(name string) (*jsonschema.Schema, error) {
		text, err := metaschema.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s := new(jsonschema.Schema)
		return s, json.Unmarshal(text, s)
	}
	root, err := read(name)
	if err != nil {
		return nil, err
	}
	return root.Resolve(&jsonschema.ResolveOptions{Loader: func(u *url.URL) (*jsonschema.Schema, error) {
		return read("metaschema/draft2020-12/" + strings.TrimPrefix(u.Path, "/draft/2020-12/") + ".json")
	}})
}

// Limits on schemas that are looked at.
const (
	maxSchemaBytes = 1 << 20
	maxSchemaDepth = 100
)

// errLimit is a schema that is too large or too odd to be checked; no fault of its own.
type errLimit string

func (e errLimit) Error() string { return string(e) }

func isLimit(err error) bool {
	_, ok := errors.AsType[errLimit](err)
	return ok
}

// check returns what is wrong with a schema. tree is raw, decoded.
func (d *dialect) check(raw json.RawMessage, tree map[string]any) error {
	if err := checkLimits(raw, tree); err != nil {
		return err
	}
	meta, err := d.meta()
	if err != nil {
		return fmt.Errorf("mcpgen: internal: meta-schema: %w", err)
	}
	if err := meta.Validate(tree); err != nil {
		return errors.New(lastStep(err))
	}
	_, err = compile(raw, tree)
	return err
}

func checkLimits(raw json.RawMessage, tree any) error {
	if len(raw) > maxSchemaBytes {
		return errLimit("it is longer than 1 MiB and not checked")
	}
	if depth(tree) > maxSchemaDepth {
		return errLimit(fmt.Sprintf("it is nested more than %d levels and not checked", maxSchemaDepth))
	}
	return nil
}

func depth(node any) int {
	deepest := 0
	switch node := node.(type) {
	case []any:
		for _, child := range node {
			deepest = max(deepest, depth(child))
		}
	case map[string]any:
		for _, child := range node {
			deepest = max(deepest, depth(child))
		}
	default:
		return 0
	}
	return deepest + 1
}

// lastStep returns the innermost of the "validating X: " steps of an error, with its place.
func lastStep(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "validating "); i >= 0 {
		text = text[i+len("validating "):]
	}
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}

// compile makes a validator of a schema that keeps within the limits. References to the
// outside accept anything: they are told of, and never fetched.
func compile(raw json.RawMessage, tree any) (_ *jsonschema.Resolved, err error) {
	defer func() {
		if r := recover(); r != nil { // of the library, on a schema that it does not expect
			err = errLimit(fmt.Sprintf("it cannot be checked: %v", r))
		}
	}()
	if err := checkLoops(tree); err != nil {
		return nil, err
	}
	s := new(jsonschema.Schema)
	if err := json.Unmarshal(raw, s); err != nil {
		return nil, err
	}
	s.Schema = strings.TrimSuffix(s.Schema, "#") // as the library spells 2020-12
	if strings.HasSuffix(s.Schema, "/draft-07/schema") {
		s.Schema += "#"
	}
	forgive(s)
	return s.Resolve(&jsonschema.ResolveOptions{BaseURI: "schema://tool/", Loader: func(*url.URL) (*jsonschema.Schema, error) {
		return &jsonschema.Schema{}, nil
	}})
}

// forgive removes regular expressions that are none in this language: they are ECMA's.
func forgive(s *jsonschema.Schema) {
	if _, err := regexp.Compile(s.Pattern); err != nil {
		s.Pattern = ""
	}
	for p := range s.PatternProperties {
		if _, err := regexp.Compile(p); err != nil {
			delete(s.PatternProperties, p)
		}
	}
	s.Vocabulary = nil
	for _, child := range children(s) {
		forgive(child)
	}
}

// children returns the schemas directly below one.
func children(s *jsonschema.Schema) []*jsonschema.Schema {
	list := []*jsonschema.Schema{
		s.Items, s.AdditionalItems, s.Contains, s.UnevaluatedItems, s.AdditionalProperties, s.PropertyNames,
		s.UnevaluatedProperties, s.Not, s.If, s.Then, s.Else, s.ContentSchema,
	}
	for _, many := range [][]*jsonschema.Schema{s.PrefixItems, s.ItemsArray, s.AllOf, s.AnyOf, s.OneOf} {
		list = append(list, many...)
	}
	for _, named := range []map[string]*jsonschema.Schema{s.Defs, s.Definitions, s.Properties, s.PatternProperties, s.DependentSchemas, s.DependencySchemas} {
		for _, child := range named {
			list = append(list, child)
		}
	}
	kept := list[:0]
	for _, child := range list {
		if child != nil {
			kept = append(kept, child)
		}
	}
	return kept
}
