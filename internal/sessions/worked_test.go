package sessions

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// A workedExample is a block of pure-eval.md 14.
type workedExample struct {
	Name  string
	Args  []string // type schemas
	Ret   string
	Expr  json.RawMessage
	Cases []struct {
		In   []json.RawMessage
		Out  json.RawMessage
		Err  *string
		Kind string // of error; "argument": refused before evaluation
	}
}

func workedExamples() ([]workedExample, error) {
	text, err := os.ReadFile("../../gen/expr/testdata/examples.json")
	if err != nil {
		return nil, err
	}
	var examples []workedExample
	return examples, json.Unmarshal(text, &examples)
}

// writeWorked writes one manifest with all examples to dir and returns its path.
func writeWorked(dir string) (string, error) {
	examples, err := workedExamples()
	if err != nil {
		return "", err
	}
	type object = map[string]any
	list := []any{}
	var commands []object
	for _, e := range examples {
		args := []object{}
		for _, schema := range e.Args {
			args = append(args, object{
				"kind": "pos", "schema": schema, "type": "T", "name": nil, "metavar": nil, "quoted": false, "many": false,
				"stdin": false, "desc": list, "constraints": list, "metadata": object{}, "source": "auto", "form": "auto",
				"checks": list, "list_source": "inline", "list_form": "auto", "list_checks": list, "format": nil,
			})
		}
		commands = append(commands, object{
			"name": e.Name, "type": "pure", "desc": list, "args": args, "expr": e.Expr, "constraints": list,
			"return":   object{"schema": e.Ret, "type": "T", "desc": list, "constraints": list, "metadata": object{}},
			"internal": false, "terminals": list, "metadata": object{}, "group": nil,
		})
	}
	text, err := json.Marshal(object{
		"name":  "worked",
		"build": object{"path": ".", "time": 0, "morloc_version": "0.98.2", "build_params": ""},
		"pools": list, "groups": list, "desc": list, "epilogues": list, "commands": commands, "metadata": object{},
	})
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "manifest.json")
	return path, os.WriteFile(path, text, 0o644)
}

// TestWorkedExamples calls the commands of pure-eval.md 14, all in one session.
func TestWorkedExamples(t *testing.T) {
	t.Parallel()
	examples, err := workedExamples()
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, serverOf(t, "worked").binary, t.TempDir())
	s.handshake("2025-06-18")
	id := 0
	for _, e := range examples {
		for _, c := range e.Cases {
			id++
			var args bytes.Buffer
			for i, in := range c.In {
				if i > 0 {
					args.WriteByte(',')
				}
				args.WriteString(`"_` + strconv.Itoa(i+1) + `":` + string(in))
			}
			o := outcome{Structured: e.Ret[0] == 'm'}
			switch {
			case c.Err != nil:
				o.Error = literal(t, *c.Err)
				if c.Kind == "argument" {
					o.Code = -32602
				}
			default:
				o.Result = literal(t, string(c.Out))
			}
			s.ask(call(id, e.Name, "{"+args.String()+"}"), o.answer(t, id))
		}
	}
	if len(examples) != 34 || id != 67 {
		t.Errorf("%d examples with %d cases, want 34 with 67", len(examples), id)
	}
	s.end()
}

// literal returns a text as JSON.
func literal(t *testing.T, text string) json.RawMessage {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}
