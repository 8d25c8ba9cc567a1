package catalog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func entry(vars ...Variable) *Entry { return &Entry{ID: "x", Env: vars} }

// TestResolve holds the rules of spec/qa.md 4.1, each with those that it comes before.
func TestResolve(t *testing.T) {
	from := Sources{
		Secrets: map[string]string{"A_TOKEN": "real", "HOME": "secret-home"},
		Process: func(key string) string {
			return map[string]string{"FROM_PROCESS": "theirs", "PATH": "/bin", "LANG": "C"}[key]
		},
		Rewrite: map[string]string{"DB_URL": "db://up"},
		Scratch: "/qa",
	}
	for _, tt := range []struct {
		v          Variable
		want       string
		unresolved bool
	}{
		{Variable{"A_TOKEN", true, true}, "real", false},
		{Variable{"FROM_PROCESS", false, false}, "theirs", false},
		{Variable{"HOME", false, false}, "secret-home", false},
		{Variable{"LANG", false, false}, "", false},
		{Variable{"SET_HERE", true, true}, "set", false},
		{Variable{"DB_URL", true, false}, "db://up", false},
		{Variable{"DATA_DIR", false, false}, "/qa", false},
		{Variable{"ALLOWED_PATHS", false, false}, "/qa", false},
		{Variable{"MEMORY_FILE_PATH", false, false}, "/qa/qa-file", false},
		{Variable{"KEY_FILE", true, true}, Placeholder, true},
		{Variable{"REDIRECT_URL", true, false}, "http://qa.invalid", false},
		{Variable{"REDIRECT_URL", false, false}, "", false},
		{Variable{"PG_DSN", true, false}, "postgres://qa:qa@127.0.0.1:5432/qa", false},
		{Variable{"MARIA_URI", true, false}, "mysql://qa:qa@127.0.0.1:3306/qa", false},
		{Variable{"MONGO_CONNECTION", true, true}, "mongodb://127.0.0.1:27017/qa", true},
		{Variable{"REDIS_URL", true, false}, "redis://127.0.0.1:6379", false},
		{Variable{"OTHER", true, false}, Placeholder, false},
		{Variable{"OTHER_SECRET", true, true}, Placeholder, true},
		{Variable{"OPTIONAL", false, true}, "", false},
	} {
		e := entry(tt.v)
		e.Verify.Env = map[string]string{"SET_HERE": "set"}
		v := e.Resolve(from)
		if got := v.Of[tt.v.Key]; got != tt.want || slices.Contains(v.Unresolved, tt.v.Key) != tt.unresolved {
			t.Errorf("%+v = %q, unresolved %v, want %q, %v", tt.v, got, v.Unresolved, tt.want, tt.unresolved)
		}
	}
}

func TestSubstitute(t *testing.T) {
	e := entry(Variable{Key: "DECLARED"})
	values := map[string]string{"A": "1", "b_2": "2"}
	for _, tt := range []struct {
		arg, want string
		bad       bool
	}{
		{"${A}", "1", false},
		{"x${A}y${b_2}", "x1y2", false},
		{"${ENV:A}", "1", false},
		{"${DECLARED}", "", false},
		{"${DECLARED:-d}", "d", false},
		{"${NOPE:-d e}", "d e", false},
		{"${A:-d}", "1", false},
		{"${NOPE}", "", true},
		{"$A {A} ${1A}", "$A {A} ${1A}", false},
	} {
		got, err := e.Substitute([]string{tt.arg}, values)
		if got[0] != tt.want || (err != nil) != tt.bad {
			t.Errorf("Substitute(%q) = %q, %v, want %q", tt.arg, got[0], err, tt.want)
		}
	}
}

func TestUnmet(t *testing.T) {
	e := &Entry{Software: []string{"Blender 4.2", "uv (pip install uv)", "Node.js 20", "Node-RED", "python3", "Docker", "npxy"}}
	if got, want := e.Unmet(), []string{"Blender 4.2", "Node-RED", "npxy"}; !slices.Equal(got, want) {
		t.Errorf("Unmet = %q, want %q", got, want)
	}
}

func TestLoad(t *testing.T) {
	for _, tt := range []struct {
		name, config, compose string
		want                  Entry
	}{
		{"defaults", `{"mcp":{"command":"c"}}`, "", Entry{ID: "app", Name: "app", HasMCP: true, Transport: "stdio", Command: "c"}},
		{"no mcp", `{"name":"N","mcp":false}`, "", Entry{ID: "app", Name: "N"}},
		{"main service", `{"mcp":{}}`, `{"services":[{"image":"a"},{"image":"b","isMain":true,"command":"run it","entrypoint":["e"]}]}`,
			Entry{ID: "app", Name: "app", HasMCP: true, Transport: "stdio", Service: Service{Image: "b", Command: []string{"sh", "-c", "run it"}, Entrypoint: []string{"e"}}}},
		{"first service", `{"mcp":{}}`, `{"services":[{"image":"a","command":["x"]},{"image":"b"}]}`,
			Entry{ID: "app", Name: "app", HasMCP: true, Transport: "stdio", Service: Service{Image: "a", Command: []string{"x"}}}},
		{"ignored", `{"mcp":{"env":[{"label":"no key"},{"key":"K"}],"manifest":{"tools":[{"name":""},{"name":"t","x":1}]},"new":{}}}`, "",
			Entry{ID: "app", Name: "app", HasMCP: true, Transport: "stdio", Env: []Variable{{Key: "K"}}, Declared: []string{"t"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			store := t.TempDir()
			dir := filepath.Join(store, "app")
			if err := os.Mkdir(dir, 0o777); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"config.json": tt.config, "docker-compose.json": tt.compose} {
				if text != "" {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			e, err := Load(store, "app")
			if err != nil {
				t.Fatal(err)
			}
			got, _ := json.Marshal(e)
			want, _ := json.Marshal(tt.want)
			if string(got) != string(want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if _, err := Load(t.TempDir(), "../x"); err == nil {
		t.Error("an id with a path is taken")
	}
}

// TestDiscover finds what the constructed catalogue says, links among it.
func TestDiscover(t *testing.T) {
	golden := filepath.Join("..", "..", "testdata", "golden", "qa")
	var want struct{ Discovered []string }
	text, err := os.ReadFile(filepath.Join(golden, "expected", "host-runner.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	ids, problems := Discover(filepath.Join(golden, "catalog"))
	if !slices.Equal(ids, want.Discovered) || len(problems) != 1 {
		t.Errorf("Discover = %q, %v, want %q and one problem", ids, problems, want.Discovered)
	}
	store := t.TempDir()
	abs, err := filepath.Abs(filepath.Join(golden, "catalog", "memory-mcp"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(abs, filepath.Join(store, "linked")); err != nil {
		t.Fatal(err)
	}
	if ids, _ := Discover(store); !slices.Equal(ids, []string{"linked"}) {
		t.Errorf("Discover = %q, want the link", ids)
	}
	if ids, problems := Discover(filepath.Join(store, "none")); ids != nil || problems != nil {
		t.Errorf("Discover of nothing = %q, %v", ids, problems)
	}
}

func TestProbeAndBacking(t *testing.T) {
	if p := (&Entry{ID: "filesystem-mcp"}).Probe(); p == nil || string(p.Arguments("/q")) != `{"path":"/q"}` {
		t.Errorf("probe of filesystem-mcp: %+v", p)
	} else if got := string(p.Arguments(`a "b"`)); got != `{"path":"a \"b\""}` {
		t.Errorf("a folder that ends in a quote: %s", got)
	}
	if p := (&Entry{ID: "postgres-mcp"}).Probe(); p == nil || p.Tool != "query" || !p.Backed {
		t.Errorf("probe of postgres-mcp: %+v", p)
	}
	var v Verify
	if err := json.Unmarshal([]byte(`{"probe":null,"backing":"nobody"}`), &v); err != nil {
		t.Fatal(err)
	}
	e := &Entry{ID: "memory-mcp", Verify: v}
	if p := e.Probe(); p != nil {
		t.Errorf("a probe of null is %+v", p)
	}
	if _, err := e.Backing(); err == nil {
		t.Error("an unknown backing service is taken")
	}
	if b, err := (&Entry{ID: "x", Verify: Verify{Backing: json.RawMessage(`"postgres-mcp"`)}}).Backing(); err != nil || b == nil || b.Alias != "qa-db" {
		t.Errorf("backing by id: %+v, %v", b, err)
	}
}
