package mcp

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unsafe"

	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/rpc"
)

// appendResult appends the reply to a call. The value is JSON; in the content block it is
// text, so it is copied there with its quotes escaped.
func appendResult(dst []byte, f *frame, id, value []byte, structured bool) []byte {
	dst = append(dst, replyHead...)
	dst = append(dst, id...)
	dst = append(dst, f.text...)
	dst = jsonx.AppendEscaped(dst, value)
	if !structured {
		return append(dst, f.said...)
	}
	dst = append(dst, `"}],"structuredContent":`...)
	dst = append(dst, value...)
	return append(dst, f.ok...)
}

// appendStringResult is appendResult for a string, whose JSON text it does not take.
func appendStringResult(dst []byte, f *frame, id []byte, s string) []byte {
	dst = append(dst, replyHead...)
	dst = append(dst, id...)
	dst = append(dst, f.text...)
	dst = jsonx.AppendNested(dst, s)
	return append(dst, f.said...)
}

// appendToolError appends the reply to a call that failed.
func appendToolError(dst []byte, f *frame, id []byte, text string) []byte {
	dst = append(dst, replyHead...)
	dst = append(dst, id...)
	dst = append(dst, f.text...)
	text = strings.ToValidUTF8(text, "\uFFFD")
	dst = jsonx.AppendEscaped(dst, unsafe.Slice(unsafe.StringData(text), len(text)))
	return append(dst, f.wrong...)
}

// appendFault appends the reply to a call whose tool returned an error. Which reply tells
// what is wrong with arguments depends on the revision (design decision 4).
func appendFault(dst []byte, revision Revision, f *frame, id []byte, err error) []byte {
	_, wrong := err.(jsonx.ArgumentError)
	if wrong && !revision.argumentsToModel() || err == jsonx.ErrNotObject {
		return appendError(dst, revision, id, rpc.CodeInvalidParams, err.Error(), nil)
	}
	return appendToolError(dst, f, id, err.Error())
}

// A Block is a content block of a result: text, which is UTF-8, or bytes of a media type, in
// a resource that is embedded under a URI.
type Block struct {
	Data []byte
	URI  string
	MIME string // "" is text
}

// appendBlocks appends the reply to a call whose result is made of blocks.
func appendBlocks(dst []byte, f *frame, id []byte, blocks []Block, structured []byte, failed bool) []byte {
	dst = append(dst, replyHead...)
	dst = append(dst, id...)
	dst = append(dst, f.open...)
	dst = append(dst, `"content":[`...)
	for i := range blocks {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = blocks[i].append(dst)
	}
	dst = append(dst, ']')
	if structured != nil {
		dst = append(append(dst, `,"structuredContent":`...), structured...)
	}
	if failed {
		return append(dst, f.bad...)
	}
	return append(dst, f.ok...)
}

func (b *Block) append(dst []byte) []byte {
	if b.MIME != "" {
		return appendEmbedded(append(dst, `{"type":"`...), b.URI, b.MIME, b.Data)
	}
	dst = append(dst, `{"type":"text","text":"`...)
	dst = jsonx.AppendEscaped(dst, b.Data)
	return append(dst, `"}`...)
}

// appendEmbedded appends a block of an embedded resource, from its type on.
func appendEmbedded(dst []byte, uri, mime string, data []byte) []byte {
	dst = append(dst, `resource","resource":{"uri":`...)
	dst = jsonx.AppendString(dst, uri)
	dst = jsonx.AppendString(append(dst, `,"mimeType":`...), mime)
	dst = append(dst, `,"blob":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, data)
	return append(dst, `"}}`...)
}

// appendMedia appends the reply to a call whose result is bytes of a media type: the block
// depends on the type's family (tools.md 9).
func appendMedia(dst []byte, f *frame, id []byte, revision Revision, mime string, data []byte) []byte {
	dst = append(dst, replyHead...)
	dst = append(dst, id...)
	dst = append(dst, f.open...)
	dst = append(dst, `"content":[{"type":"`...)
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
		dst = append(appendEmbedded(dst, resourceURI, mime, data), ']')
	}
	return append(dst, f.ok...)
}

// reply appends a result that is put together from pieces of JSON, its members.
func (c *Conn) reply(id []byte, members ...string) {
	out := append(c.out, replyHead...)
	out = append(out, id...)
	out = append(out, c.frame.open...)
	for _, piece := range members {
		out = append(out, piece...)
	}
	c.out = append(out, c.frame.end...)
}

// fail appends an error. Without an id it is null, or from 2025-11-25 on left out.
func (c *Conn) fail(id []byte, code, text string) { c.failWith(id, code, text, nil) }

// failWith is fail for an error with data, JSON text.
func (c *Conn) failWith(id []byte, code, text string, data []byte) {
	c.out = appendError(c.out, c.revision, id, code, text, data)
}

func appendError(dst []byte, revision Revision, id []byte, code, text string, data []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0"`...)
	if id != nil {
		dst = append(append(dst, `,"id":`...), id...)
	} else if !revision.omitsNullID() {
		dst = append(dst, `,"id":null`...)
	}
	dst = append(append(dst, `,"error":{"code":`...), code...)
	dst = append(dst, `,"message":`...)
	dst = jsonx.AppendString(dst, text)
	if data != nil {
		dst = append(append(dst, `,"data":`...), data...)
	}
	return append(dst, "}}\n"...)
}

// ErrorWithoutID returns the error for a message that was not looked at, of a client that
// speaks a revision, or 0 if that is not known.
func ErrorWithoutID(revision Revision, code, text string) []byte {
	return appendError(nil, revision, nil, code, text, nil)
}
