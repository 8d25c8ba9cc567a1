package argv_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/runtime/argv"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// decoder returns a decoder of the arguments of a call.
func decoder(t *testing.T, arguments string) *jsonx.Decoder {
	t.Helper()
	l := jsonx.Lexer{Src: []byte(arguments)}
	if err := l.Value(0); err != nil || l.Pos != len(arguments) {
		t.Fatalf("%s is not JSON", arguments)
	}
	d := new(jsonx.Decoder)
	d.Reset([]byte(arguments))
	return d
}

var lower = regexp.MustCompile("^[a-z]+$")

// listing reads the arguments of a command that has options of every kind.
func listing(d *jsonx.Decoder, w *argv.Words) error {
	var r argv.Reader
	r.Read(d, []string{"id", "all", "text", "need", "max", "level", "since", "day", "at", "name", "tags", "doc"})
	id := r.PathParam("id", "list", "drain")
	all := r.Option("all").Flag()
	text := r.Option("text").Text()
	need := r.Required("need").Text()
	options := map[string]argv.Word{
		"max":   r.Option("max").Number(),
		"level": r.Option("level").Enum("low", "high"),
		"since": r.Option("since").Duration(),
		"day":   r.Option("day").Date(),
		"at":    r.Option("at").DateTime(),
		"name":  r.Option("name").Pattern(lower, "^[a-z]+$"),
		"tags":  r.Option("tags").CommaList(),
		"doc":   r.Option("doc").JSON(),
	}
	w.PathParam(id)
	w.Flag("all", all)
	w.Option("text", text)
	w.Option("need", need)
	for _, name := range []string{"max", "level", "since", "day", "at", "name", "tags", "doc"} {
		w.Option(name, options[name])
	}
	return r.Err()
}

// TestOptions has a case for each row of the table of cli-schema.md 6.2 that is about path
// parameters and options: either words, joined by "|", or all that is told.
func TestOptions(t *testing.T) {
	t.Parallel()
	const ok = `"id":"n","need":"x"`
	const words = "n|--need|x"
	const duration = " (use e.g. 30s, 20m, 1h, 2d)"
	const instant = " (use RFC 3339, e.g. 2026-06-22T15:00:00Z)"
	for _, tt := range []struct{ name, arguments, words, wrong string }{
		{"given", ok, words, ""},
		{"null is absent", ok + `,"text":null,"all":null,"doc":null`, words, ""},
		{"numbers for texts", `"id":7,"need":1.50,"text":1e21`, "7|--text|1e+21|--need|1.5", ""},
		{"unknown", `"x":1,` + ok + `,"y":null`, "", "Unknown argument: x\nUnknown argument: y"},
		{"unknown twice", ok + `,"x":1,"x":2`, "", "Unknown argument: x"},
		{"twice", ok + `,"need":1`, "", "duplicate argument 'need'"},
		{"twice null", ok + `,"text":null,"text":null`, "", "duplicate argument 'text'"},
		{"twice, unknown, escaped", `"\u0069d":1,"b":1,"id":"","a":2,"need":"x"`, "", "Unknown argument: b\nduplicate argument 'id'\nUnknown argument: a"},
		{"names are exact", ok + `,"Text":""`, "", "Unknown argument: Text"},
		{"nothing", ``, "", "Missing argument: id\nMissing required option: --need"},
		{"null for what is required", `"id":null,"need":null`, "", "Missing argument: id\nMissing required option: --need"},

		{"id of another kind", `"id":true,"need":"x"`, "", "Argument id must be a string"},
		{"id empty", `"id":"","need":"x"`, "", "Invalid value for argument id: "},
		{"id an option", `"id":"-x","need":"x"`, "", "Invalid value for argument id: -x"},
		{"id a negative number", `"id":-1,"need":"x"`, "", "Invalid value for argument id: -1"},
		{"id a sibling", `"id":"drain","need":"x"`, "", "Invalid value for argument id: drain"},
		{"id with NUL", `"id":"a\u0000","need":"x"`, "", "Argument id contains a NUL byte"},

		{"flag", ok + `,"all":true`, "n|--all|--need|x", ""},
		{"flag off", ok + `,"all":false`, words, ""},
		{"flag as text", ok + `,"all":"true"`, "", "Argument all must be a boolean"},
		{"flag as number", ok + `,"all":1`, "", "Argument all must be a boolean"},
		{"text of another kind", ok + `,"text":{}`, "", "Argument text must be a string"},
		{"text as boolean", ok + `,"text":true`, "", "Argument text must be a string"},
		{"text with NUL", ok + `,"text":"\u0000"`, "", "Argument text contains a NUL byte"},
		{"text empty", ok + `,"text":""`, "n|--text||--need|x", ""},
		{"text that looks like an option", ok + `,"text":"--need"`, "n|--text|--need|--need|x", ""},
		{"text with escapes", ok + `,"text":"\"\n\u00e9\ud83d\ude00"`, "n|--text|\"\né😀|--need|x", ""},

		{"number", ok + `,"max":-0.0`, words + "|--max|0", ""},
		{"number of many digits", ok + `,"max":12345678901234567890`, words + "|--max|12345678901234567890", ""},
		{"number as text", ok + `,"max":" 0x1F "`, words + "|--max| 0x1F ", ""},
		{"number of another kind", ok + `,"max":[1]`, "", "Argument max must be a number"},
		{"number as boolean", ok + `,"max":false`, "", "Argument max must be a number"},
		{"no number", ok + `,"max":"12abc"`, "", "Invalid number for option --max: 12abc"},
		{"empty number", ok + `,"max":""`, "", "Invalid number for option --max: "},

		{"choice", ok + `,"level":"high"`, words + "|--level|high", ""},
		{"no choice", ok + `,"level":"High"`, "", "Option --level: 'High' is not one of: low, high"},
		{"choice of another kind", ok + `,"level":[]`, "", "Argument level must be a string"},

		{"duration", ok + `,"since":" 20M\u00a0"`, words + "|--since| 20M\u00a0", ""},
		{"duration as number", ok + `,"since":90`, words + "|--since|90", ""},
		{"no duration", ok + `,"since":"20 m"`, "", "Invalid value for option --since: Invalid duration: 20 m" + duration},
		{"fraction of a duration", ok + `,"since":1.5`, "", "Invalid value for option --since: Invalid duration: 1.5" + duration},
		{"day", ok + `,"day":"2024-02-29"`, words + "|--day|2024-02-29", ""},
		{"no day", ok + `,"day":"2023-02-29"`, "", "Invalid value for option --day: Invalid date: 2023-02-29 (use YYYY-MM-DD)"},
		{"instant", ok + `,"at":"2026-06-22T15:00:00.25+01:30"`, words + "|--at|2026-06-22T15:00:00.25+01:30", ""},
		{"no instant", ok + `,"at":"2026-06-22"`, "", "Invalid value for option --at: Invalid date-time: 2026-06-22" + instant},
		{"pattern", ok + `,"name":"abc"`, words + "|--name|abc", ""},
		{"no match", ok + `,"name":1`, "", "Invalid value for option --name: Value does not match required pattern: ^[a-z]+$"},

		{"list", ok + `,"tags":["a","","b,c"]`, words + "|--tags|a,b,c", ""},
		{"list as text", ok + `,"tags":"a,b"`, words + "|--tags|a,b", ""},
		{"list of nothing", ok + `,"tags":["",""]`, "", "Option --tags requires at least one value"},
		{"empty list", ok + `,"tags":[]`, "", "Option --tags requires at least one value"},
		{"list of numbers", ok + `,"tags":[1]`, "", "Option --tags must be a string or array of strings"},
		{"list as number", ok + `,"tags":1`, "", "Option --tags must be a string or array of strings"},
		{"list with NUL", ok + `,"tags":["a","\u0000"]`, "", "Argument tags contains a NUL byte"},

		{"JSON", ok + `,"doc":{ "b" : [1.50, "x y"], "a":1,"a":2 }`, words + `|--doc|{"b":[1.50,"x y"],"a":1,"a":2}`, ""},
		{"JSON that is no object", ok + `,"doc":"\u0000"`, words + `|--doc|"\u0000"`, ""},

		{"order", `"doc":1,"x":1,"tags":[],"id":"","need":"x"`, "",
			"Unknown argument: x\nInvalid value for argument id: \nOption --tags requires at least one value"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var w argv.Words
			err := listing(decoder(t, "{"+tt.arguments+"}"), &w)
			check(t, err, &w, tt.words, tt.wrong)
		})
	}
}

// check compares what came of arguments.
func check(t *testing.T, err error, w *argv.Words, words, wrong string) {
	t.Helper()
	if wrong != "" {
		if want := jsonx.ArgumentError(wrong); err != error(want) {
			t.Errorf("error %q, want %q", err, want)
		}
		return
	}
	if got := strings.Join(w.AppendTo(nil), "|"); err != nil || got != words {
		t.Errorf("words %q, error %v; want %q", got, err, words)
	}
}

// copying reads the arguments of a command with positionals of every kind: one word, an
// optional one, two to three, and any number.
func copying(d *jsonx.Decoder, w *argv.Words) error {
	var r argv.Reader
	r.Read(d, []string{"from", "to", "some", "rest"})
	from := r.Word("from")
	to := r.InnerWord("to")
	some := r.Words(nil, "some", 0, 3)
	rest := r.Words(nil, "rest", 0, 0)
	w.Word("copy")
	w.Positional(from)
	w.Positional(to)
	w.Positionals(some)
	w.Positionals(rest)
	return r.Err()
}

// pairing reads those of one with two to three words and an optional one.
func pairing(d *jsonx.Decoder, w *argv.Words) error {
	var r argv.Reader
	r.Read(d, []string{"pair", "last"})
	pair := r.Words(nil, "pair", 2, 3)
	last := r.OptionalWord("last")
	w.Positionals(pair)
	w.Positional(last)
	return r.Err()
}

// TestPositionals has a case for each row of the table that is about positionals.
func TestPositionals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, arguments, words, wrong string
		read                          func(*jsonx.Decoder, *argv.Words) error
	}{
		{"one", `{"from":"a"}`, "copy|a", "", copying},
		{"all", `{"from":"a","to":"b","some":["c","d","e"],"rest":[1,"-f"]}`, "copy|--|a|b|c|d|e|1|-f", "", copying},
		{"missing", `{}`, "", "Missing argument: from", copying},
		{"missing, what follows is not told", `{"to":"b"}`, "copy", "Missing argument: from", copying},
		{"wrong kind", `{"from":[],"to":{}}`, "", "Argument from must be a string\nArgument to must be a string", copying},
		{"no array", `{"from":"a","to":"b","some":"c"}`, "", "Argument some must be an array of strings", copying},
		{"array of arrays", `{"from":"a","to":"b","some":["c",[]]}`, "", "Argument some must be an array of strings", copying},
		{"array of nulls", `{"from":"a","to":"b","some":[null]}`, "", "Argument some must be an array of strings", copying},
		{"too many", `{"from":"a","to":"b","some":[1,2,3,4]}`, "", "Argument some takes at most 3 value(s), got 4", copying},
		{"gap", `{"from":"a","some":["c"]}`, "", "Argument some requires argument to", copying},
		{"two gaps", `{"from":"a","rest":["c"]}`, "", "Argument rest requires argument to", copying},
		{"gap of null", `{"from":"a","to":null,"some":["c"]}`, "", "Argument some requires argument to", copying},
		{"not full", `{"from":"a","to":"b","some":["c"],"rest":["d"]}`, "",
			"Argument rest requires 3 value(s) of argument some, got 1", copying},
		{"not full but last", `{"from":"a","to":"b","some":["c"]}`, "copy|a|b|c", "", copying},
		{"would slide", `{"from":"a","to":"-b"}`, "", "Invalid value for argument to: -b", copying},
		{"dash for what is required", `{"from":"-","to":"b"}`, "copy|--|-|b", "", copying},
		{"NUL", `{"from":"a\u0000","to":"b","some":["","\u0000"]}`, "",
			"Argument from contains a NUL byte\nArgument some contains a NUL byte", copying},
		{"twice", `{"from":"a","from":"b","to":"c"}`, "", "duplicate argument 'from'", copying},

		{"too few", `{"pair":["a"]}`, "", "Argument pair needs at least 2 value(s), got 1", pairing},
		{"none", `{"pair":[]}`, "", "Argument pair needs at least 2 value(s), got 0", pairing},
		{"missing array", `{"last":"x"}`, "", "Missing argument: pair", pairing},
		{"enough", `{"pair":["a","b"]}`, "a|b", "", pairing},
		{"full", `{"pair":["a","b","c"],"last":"d"}`, "a|b|c|d", "", pairing},
		{"not full before a word", `{"pair":["a","b"],"last":"d"}`, "", "Argument last requires 3 value(s) of argument pair, got 2", pairing},
		{"dash for the last slot", `{"pair":["a","b","c"],"last":"-d"}`, "--|a|b|c|-d", "", pairing},
		{"a built-in first", `{"pair":["docs","b"]}`, "--|docs|b", "", pairing},
		{"a built-in second", `{"pair":["a","docs"]}`, "a|docs", "", pairing},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var w argv.Words
			err := tt.read(decoder(t, tt.arguments), &w)
			check(t, err, &w, tt.words, tt.wrong)
		})
	}
}

// TestNotObject tests arguments that are no object: what else would be told is not.
func TestNotObject(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{"[1]", `"x"`, "0", "true"} {
		var w argv.Words
		if err := copying(decoder(t, arguments), &w); !errors.Is(err, jsonx.ErrNotObject) {
			t.Errorf("%s: %v", arguments, err)
		}
	}
	if err := argv.None(decoder(t, "null")); err != nil {
		t.Errorf("null: %v", err)
	}
	if err := argv.None(decoder(t, `{"a":1}`)); err != error(jsonx.ArgumentError("Unknown argument: a")) {
		t.Errorf("an argument for none: %v", err)
	}
}

// TestReject tests what the author's schema finds: it is told where the argument stands, and
// in place of everything else of it.
func TestReject(t *testing.T) {
	t.Parallel()
	d := decoder(t, `{"z":1,"b":7,"a":[],"b":8,"y":1}`)
	var r argv.Reader
	for _, name := range []string{"a", "b", "c", "y", "absent", "hidden", "", "a"} {
		r.Reject(name, false, "violates x")
	}
	r.Reject("", true, "violates y")
	r.Read(d, []string{"a", "b", "c"})
	r.Option("a").Text()
	r.Option("b").Text()
	r.Required("c").Text()
	r.Required("hidden").Text()
	r.Required("hidden too").Text()
	const want = "Unknown argument: z\nduplicate argument 'b'\nArgument y: violates x\n" +
		"Argument a: violates x\nArgument c: violates x\nArgument hidden: violates x\n" +
		"Missing required option: --hidden too\nArgument absent: violates x\nArgument : violates x\nArguments: violates y"
	if err := r.Err(); err != error(jsonx.ArgumentError(want)) {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

// TestReadAny tests the arguments of a command that reads them all as JSON.
func TestReadAny(t *testing.T) {
	t.Parallel()
	d := decoder(t, `{"b" : {"x":1,"x":2}, "a":null,"b":8,"b":9}`)
	var r argv.Reader
	r.Reject("c", false, "is required")
	r.Reject("b", false, "must be string")
	r.ReadAny(d)
	const want = "duplicate argument 'b'\nArgument c: is required"
	if err := r.Err(); err != error(jsonx.ArgumentError(want)) {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if got, want := string(argv.JSON(d)), `{"b":{"x":1,"x":2},"a":null,"b":8,"b":9}`; got != want {
		t.Errorf("JSON %s, want %s", got, want)
	}
	if got, want := string(argv.Present(d)), `{"b" : {"x":1,"x":2},"b":8,"b":9}`; got != want {
		t.Errorf("Present %s, want %s", got, want)
	}
}

// TestDash tests when "--" stands before positionals.
func TestDash(t *testing.T) {
	t.Parallel()
	bun := argv.Style{Bun: true}
	always, never := argv.Style{Dash: argv.DashAlways}, argv.Style{Dash: argv.DashNever}
	for _, tt := range []struct {
		name   string
		style  argv.Style
		before []string
		words  []string
		want   string
	}{
		{"none", argv.Style{}, nil, nil, ""},
		{"plain", argv.Style{}, nil, []string{"a", ""}, "a|"},
		{"option", argv.Style{}, []string{"get"}, []string{"a", "-b"}, "get|--|a|-b"},
		{"dashes", argv.Style{}, []string{"get"}, []string{"--"}, "get|--|--"},
		{"built-in", argv.Style{}, nil, []string{"configure"}, "--|configure"},
		{"built-in behind a word", argv.Style{}, []string{"--shout"}, []string{"configure"}, "--shout|configure"},
		{"always", always, nil, []string{"a"}, "--|a"},
		{"always, without words", always, []string{"get"}, nil, "get"},
		{"never", never, nil, []string{"-a"}, "-a"},
		{"bun", bun, nil, []string{"-a"}, "--|--|-a"},
		{"bun, not first", bun, []string{"get"}, []string{"-a"}, "get|--|-a"},
		{"bun, not needed", bun, nil, []string{"a"}, "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var w argv.Words
			w.Word("from an earlier call")
			w.Positionals([]string{"-x"})
			w.Reset(tt.style)
			for _, word := range tt.before {
				w.Word(word)
			}
			w.Positionals(tt.words)
			first := w.AppendTo([]string{"program"})
			again := w.AppendTo([]string{"program"})
			if got := strings.Join(first[1:], "|"); got != tt.want || !slices.Equal(first, again) {
				t.Errorf("got %q, then %q; want %q", got, again, tt.want)
			}
		})
	}
}

// TestEquals tests options in the style of one word.
func TestEquals(t *testing.T) {
	t.Parallel()
	var w argv.Words
	w.Reset(argv.Style{Equals: true})
	w.Option("a", argv.Word{Text: "-x=y", Given: true})
	w.Option("b", argv.Word{Text: "", Given: true})
	w.Option("c", argv.Word{})
	w.Flag("d", true)
	if got, want := strings.Join(w.AppendTo(nil), "|"), "--a=-x=y|--b=|--d"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCopies tests that words outlive what they were read from.
func TestCopies(t *testing.T) {
	t.Parallel()
	d := decoder(t, `{"from":"aaa","to":"bbb","some":["c","d","e"]}`)
	var w argv.Words
	if err := copying(d, &w); err != nil {
		t.Fatal(err)
	}
	for i := range d.Src {
		d.Src[i] = '!'
	}
	if got, want := strings.Join(w.AppendTo(nil), "|"), "copy|aaa|bbb|c|d|e"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
