package jsonx

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

// check runs the Lexer over one whole value.
func check(src []byte) error {
	l := Lexer{Src: src}
	l.Space()
	if err := l.Value(0); err != nil {
		return err
	}
	if l.Space(); l.Pos != len(src) {
		return ErrSyntax
	}
	return nil
}

func TestDepth(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"[", `{"a":`} {
		end := "]"
		inner := "1"
		if open != "[" {
			end = "}"
		}
		for depth, want := range map[int]error{MaxDepth: nil, MaxDepth + 1: ErrSyntax} {
			text := strings.Repeat(open, depth) + inner + strings.Repeat(end, depth)
			if err := check([]byte(text)); err != want {
				t.Errorf("%d levels of %s: %v, want %v", depth, open, err, want)
			}
		}
	}
}

// FuzzLexer compares the Lexer with encoding/json: the same texts are valid, and strings
// mean the same.
func FuzzLexer(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e+3,"x\n\u00e9\ud83d\ude00",true,false,null,{}]}`, ` [ ] `, `"\ud800"`, `01`, `1.`, `-`,
		`{"a":1,}`, `[1 2]`, "\"\x01\"", "\"\xff\"", `"\u12G4"`, `1e`, `nul`, `{"a" 1}`, `{1:2}`, "\ufeff1", `"\udc00\ud800"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		err := check(src)
		if err == ErrUTF8 || !utf8.Valid(src) {
			return // encoding/json repairs
		}
		valid := json.Valid(src)
		if valid && loneSurrogate(src) {
			return // encoding/json replaces
		}
		if valid != (err == nil) && bytes.Count(src, []byte("["))+bytes.Count(src, []byte("{")) < MaxDepth {
			t.Fatalf("%q: %v, encoding/json says valid is %v", src, err, valid)
		}
		if err != nil {
			return
		}
		src = bytes.TrimSpace(src)
		if src[0] != '"' {
			return
		}
		var want string
		if err := json.Unmarshal(src, &want); err != nil {
			t.Fatal(err)
		}
		l := Lexer{Src: src}
		raw, _ := l.Str()
		if got := string(AppendUnescaped(nil, raw)); got != want {
			t.Fatalf("%q is %q, want %q", src, got, want)
		}
		var back string
		if err := json.Unmarshal(AppendString(nil, want), &back); err != nil || back != want {
			t.Fatalf("AppendString(%q) = %s reads back as %q (%v)", want, AppendString(nil, want), back, err)
		}
	})
}

// loneSurrogate reports whether src holds an escape of half a pair that encoding/json
// would replace.
func loneSurrogate(src []byte) bool {
	for i := 0; i+1 < len(src); i++ {
		if src[i] != '\\' {
			continue
		}
		if r, ok := hex4(src[i:]); ok && 0xD800 <= r && r < 0xE000 {
			if _, n := escape(src[i:]); n == 0 {
				return true
			} else if n == 12 {
				i += 11
				continue
			}
		}
		i++
	}
	return false
}
