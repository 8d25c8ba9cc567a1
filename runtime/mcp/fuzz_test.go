package mcp

import (
	"encoding/base64"
	"strings"
	"testing"
)

// FuzzEncodedHeader holds the reading of headers that may be in base64 against the writing of
// them: a text has one form in base64, and all that has not its marks is plain.
func FuzzEncodedHeader(f *testing.F) {
	for _, pair := range [][2]string{
		{"echo", "echo"}, {"=?base64?ZWNobw==?=", "echo"}, {"=?base64?ZWNobw?=", "echo"}, {"=?base64?ZWNobx==?=", "echo"},
		{"=?base64?=", "="}, {"=?base64??=", ""}, {"=?base64?ZWNo\nbw==?=", "echo"}, {"=?BASE64?ZWNobw==?=", "echo"}, {" echo", "echo"},
		{"=?base64?w6k=?=", "é"}, {"=?base64?ZWNobw==", "=?base64?ZWNobw=="}, {"", ""},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, header, body string) {
		want := header == body
		if len(header) >= len(base64Head+base64Tail) && strings.HasPrefix(header, "=?base64?") && strings.HasSuffix(header, "?=") {
			want = header == "=?base64?"+base64.StdEncoding.EncodeToString([]byte(body))+"?="
		}
		if got := equalsEncoded([]string{header}, []byte(body)); got != want {
			t.Errorf("equalsEncoded(%q, %q) = %v", header, body, got)
		}
		encoded := "=?base64?" + base64.StdEncoding.EncodeToString([]byte(body)) + "?="
		if !equalsEncoded([]string{encoded}, []byte(body)) || equalsEncoded([]string{encoded, encoded}, []byte(body)) {
			t.Errorf("equalsEncoded(%q, %q) is wrong", encoded, body)
		}
	})
}
