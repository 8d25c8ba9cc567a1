package client

import (
	"encoding/base64"
	"strings"
)

// headerValue writes a name as the value of a header: as it is, or in base64 if a header
// cannot carry it (mcp-protocol.md 11.4).
func headerValue(name string) string {
	plain := name != "" && strings.TrimSpace(name) == name && !strings.HasPrefix(name, "=?base64?")
	for i := range len(name) {
		plain = plain && name[i] >= 0x20 && name[i] < 0x7f
	}
	if plain {
		return name
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(name)) + "?="
}
