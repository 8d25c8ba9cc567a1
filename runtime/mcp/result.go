package mcp

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unsafe"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
)

// appendResult appends the reply to a call. The value is JSON; in the content block it is
// text, so it is copied there with its quotes escaped.
func appendResult(dst, id, value []byte, structured bool) []byte {
	dst = append(dst, replyHead...)
	dst = append(dst, id...)
	dst = append(dst, resultTextHead...)
	dst = jsonx.AppendEscaped(dst, value)
	if structured {
		dst = append(dst, `"}],"structuredContent":`...)
		dst = append(dst, value...)
		return append(dst, `,"isError":false}}`+"\n"...)
	}
	return append(dst, `"}],"isError":false}}`+"\n"...)
}

// appendToolError appends the reply to a call that failed.
func appendToolError(dst, id []byte, text string) []byte {
	dst = append(dst, replyHead...)
	dst = append(dst, id...)
	dst = append(dst, resultTextHead...)
	text = strings.ToValidUTF8(text, "\uFFFD")
	dst = jsonx.AppendEscaped(dst, unsafe.Slice(unsafe.StringData(text), len(text)))
	return append(dst, `"}],"isError":true}}`+"\n"...)
}

// appendMedia appends the reply to a call whose result is bytes of a media type: the block
// depends on the type's family (tools.md 9).
func appendMedia(dst, id []byte, revision Revision, mime string, data []byte) []byte {
	dst = append(dst, replyHead...)
	dst = append(dst, id...)
	dst = append(dst, `,"result":{"content":[{"type":"`...)
	family, _, _ := strings.Cut(mime, "/")
	switch {
	case family == "text":
		dst = append(dst, `text","text":"`...)
		dst = jsonx.AppendEscaped(dst, bytes.ToValidUTF8(data, []byte("\uFFFD")))
		dst = append(dst, `"}]`...)
	case family == "image", family == "audio" && revision.hasAudio():
		dst = append(dst, family...)
		dst = append(dst, `","data":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, data)
		dst = append(dst, `","mimeType":`...)
		dst = jsonx.AppendString(dst, mime)
		dst = append(dst, `}]`...)
	default:
		dst = append(dst, `resource","resource":{"uri":"`+resourceURI+`","mimeType":`...)
		dst = jsonx.AppendString(dst, mime)
		dst = append(dst, `,"blob":"`...)
		dst = base64.StdEncoding.AppendEncode(dst, data)
		dst = append(dst, `"}}]`...)
	}
	return append(dst, `,"isError":false}}`+"\n"...)
}

// reply appends a result that is put together from pieces of JSON.
func (c *Conn) reply(id []byte, result ...string) {
	out := append(c.out, replyHead...)
	out = append(out, id...)
	out = append(out, `,"result":`...)
	for _, piece := range result {
		out = append(out, piece...)
	}
	c.out = append(out, "}\n"...)
}

// fail appends an error. Without an id it is null, or from 2025-11-25 on left out.
func (c *Conn) fail(id []byte, code, text string) {
	out := append(c.out, `{"jsonrpc":"2.0"`...)
	if id != nil {
		out = append(append(out, `,"id":`...), id...)
	} else if !c.revision.omitsNullID() {
		out = append(out, `,"id":null`...)
	}
	out = append(append(out, `,"error":{"code":`...), code...)
	out = append(out, `,"message":`...)
	out = jsonx.AppendString(out, text)
	c.out = append(out, "}}\n"...)
}
