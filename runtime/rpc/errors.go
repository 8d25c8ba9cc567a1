package rpc

// Codes of errors, as they are written.
const (
	CodeParse         = "-32700" // not JSON
	CodeInvalid       = "-32600" // not a request that may be made now
	CodeNoMethod      = "-32601" // unknown method
	CodeInvalidParams = "-32602" // params that do not fit the method
	CodeInternal      = "-32603" // a fault of the server
	CodeNoResource    = "-32002" // unknown resource, up to 2025-11-25
	CodeHeaders       = "-32020" // headers of a request that are not what its body says
	CodeCapability    = "-32021" // the client lacks a capability that a tool needs
	CodeRevision      = "-32022" // a revision of MCP that is not spoken
)

// Texts of errors of the envelope. Those that name something end before the name.
const (
	TextSyntax    = "invalid JSON"
	TextNotObject = "message must be a JSON object"
	TextTooLong   = "request line exceeds the maximum size"
	TextID        = "id must be a string or a number"
	TextVersion   = `jsonrpc must be "2.0"`
	TextNoMethod  = "missing 'method'"
	TextDuplicate = "duplicate member "
	TextUnknown   = "unknown method "
)
