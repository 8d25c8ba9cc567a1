package manifest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcpgen/mcpgen/gen/manifest"
)

func TestParseOtherDocuments(t *testing.T) {
	t.Parallel()
	const want = "want the manifest.json of a Morloc program, its launcher, or the schema of a command-line program"
	tests := []struct{ name, text, want string }{
		{"empty", "", "1:1: the file is empty, " + want},
		{"blank", " \n\n", "3:1: the file is empty, " + want},
		{"byte order mark", "\xEF\xBB\xBF{}", "1:1: the file begins with a byte order mark; save it without one"},
		{"UTF-16", "\xFF\xFE{\x00}\x00", "1:1: the file is UTF-16, as some shells write what they redirect; save it as UTF-8"},
		{"cut short", sound[:200], "3:42: the document ends here, expected a key in quotes; the file is cut short"},
		{"not UTF-8", strings.Replace(sound, "demo", "d\xe9mo", 1), "1:11: not UTF-8: unexpected byte 0xE9"},
		{"trailing bytes", sound + "\nx", "23:1: unexpected data after the document"},
		{"program", "\x7fELF\x02\x01", "1:1: unexpected byte 0x7F, expected a value; " + want},
		{"source", "module foo (*)\n", "1:1: unexpected 'm', expected a value; " + want},
		{"array", "[1]", "1:1: the document is an array, " + want},
		{"number", "7", "1:1: the document is a number, " + want},
		{"empty object", "{}", "1:1: the object has neither build nor commands, " + want},
		{"another object", `{"openapi":"3.1.0"}`, `1:1: the object begins with key "openapi" and has neither build nor commands, ` + want},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := manifest.Parse("m.json", []byte(test.text), manifest.Options{AnyVersion: true})
			if err == nil || err.Error() != "m.json:"+test.want {
				t.Errorf("got  %v\nwant m.json:%s", err, test.want)
			}
		})
	}
}

func TestParseVersions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		version string
		ok      bool
	}{
		{"0.98.0", true}, {"0.98.2", true}, {"0.98.123", true},
		{"0.98", false}, {"0.98.", false}, {"0.98.2-rc1", false}, {"0.98.1.1", false}, {"0.980.1", false},
		{"0.99.1", true}, {"0.103.2", true}, {"0.109.0", true}, {"0.109.17", true},
		{"0.97.9", false}, {"0.110.0", false}, {"0.9.1", false}, {"0.1090.0", false}, {"0.99999999999999999999.1", false}, {"1.98.0", false}, {"", false}, {" 0.98.2", false}, {"v0.98.2", false},
	}
	for _, test := range tests {
		text := []byte(strings.Replace(sound, "0.98.2", test.version, 1))
		_, err := manifest.Parse("m.json", text, manifest.Options{})
		want := "m.json:1:62: build.morloc_version: manifest built with morloc " + test.version +
			", runtime is 0.98.x to 0.109.x; rebuild with the current compiler"
		if test.ok && err != nil || !test.ok && (err == nil || err.Error() != want) {
			t.Errorf("%q: %v", test.version, err)
		}
		m, err := manifest.Parse("m.json", text, manifest.Options{AnyVersion: true})
		if err != nil || m.Version != test.version {
			t.Errorf("%q with AnyVersion: %v", test.version, err)
		}
	}
	// Whatever else is wrong with it is not told of a manifest that is refused.
	text := strings.NewReplacer("0.98.2", "0.200.0", `"mid":1`, `"mid":"x"`).Replace(sound)
	_, err := manifest.Parse("m.json", []byte(text), manifest.Options{})
	var errs *manifest.Errors
	if !errors.As(err, &errs) || len(errs.Problems) != 1 {
		t.Errorf("got %v, want one problem", err)
	}
}
