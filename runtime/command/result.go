package command

import (
	"bytes"
	"errors"
	"path/filepath"
	"strconv"
	"syscall"
	"unicode/utf8"
	"unsafe"

	"github.com/mcpgen/mcpgen/runtime/argv"
	"github.com/mcpgen/mcpgen/runtime/jsoncheck"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

var (
	errCanceled = errors.New("cancelled")
	errInternal = errors.New("internal error")
)

// answer answers the call by what has become of its process (cli-schema.md 8).
func (j *Job) answer() {
	answered := false
	defer func() {
		if fault := recover(); fault != nil {
			j.reply.LogPanic(fault)
			if !answered {
				j.fail(errInternal)
			}
		}
	}()
	stderr := describe(j.out.stderr)
	text, hasOutput := j.failure(stderr)
	if j.leaf == nil {
		answered = true
		if text != "" {
			j.reply.Unreadable(text)
		} else {
			j.reply.Contents(j.out.stdout)
		}
		return
	}
	if text == "" {
		j.succeed(stderr, &answered)
		return
	}
	j.blocks = append(j.blocks[:0], mcp.Block{Data: []byte(text)})
	if hasOutput && len(trim(j.out.stdout)) > 0 {
		j.blocks = append(j.blocks, j.stdout())
	}
	answered = true
	j.reply.Blocks(j.blocks, nil, true)
}

// succeed answers with what the process has written.
func (j *Job) succeed(stderr []byte, answered *bool) {
	value, fault := j.structured()
	j.blocks = j.blocks[:0]
	if fault != "" {
		j.blocks = append(j.blocks, mcp.Block{Data: []byte("Output does not match outputSchema: " + fault)})
	}
	j.blocks = append(j.blocks, j.stdout())
	if len(stderr) > 0 {
		j.blocks = append(j.blocks, mcp.Block{Data: stderr})
	}
	*answered = true
	j.reply.Blocks(j.blocks, value, fault != "")
}

// stdout returns the content block of standard output.
func (j *Job) stdout() mcp.Block {
	b := mcp.Block{Data: j.out.stdout}
	if !utf8.Valid(b.Data) {
		b.URI, b.MIME = "mcpgen://stdout/"+j.leaf.Name, "application/octet-stream"
	}
	return b
}

// structured returns what is sent as structuredContent, nil if that is nothing, or what is
// wrong with it.
func (j *Job) structured() (value []byte, fault string) {
	admitted := j.reply.Structured()
	published := j.leaf.Output != nil &&
		(admitted == mcp.StructuredAny || admitted == mcp.StructuredObject && !j.leaf.AnyOutput)
	text := trim(j.out.stdout)
	isObject := bytes.HasPrefix(text, []byte("{"))
	if !published && (admitted == mcp.StructuredNone || admitted == mcp.StructuredObject && !isObject) {
		return nil, ""
	}
	v, ok := jsoncheck.Parse(text)
	switch {
	case !ok && published:
		return nil, "no JSON on stdout"
	case !ok:
		return nil, ""
	case published:
		f := j.leaf.Output(v)
		if over := v.Overrun(); !over.OK() {
			f = over
		}
		if !f.OK() {
			return nil, f.Text()
		}
	}
	j.text = v.Append(j.text[:0])
	return j.text, ""
}

// failure returns why the run has failed, "" if it has not, and whether what the process has
// written to standard output matters then.
func (j *Job) failure(stderr []byte) (text string, hasOutput bool) {
	out := &j.out
	switch out.cause {
	case causeOutput:
		return "Output exceeded " + strconv.FormatInt(j.cli.MaxOutput, 10) + " bytes", false
	case causeCanceled:
		return errCanceled.Error(), false
	case causeStopping:
		return errStopping.Error(), false
	case causeTimeout:
		text = "Timed out after " + strconv.FormatInt(j.timeout.Milliseconds(), 10) + " ms"
		if len(stderr) > 0 {
			text += "\n" + string(stderr)
		}
		return text, true
	}
	switch {
	case out.err != nil:
		return j.cannotRun(), false
	case out.succeeded():
		return "", true
	case len(stderr) > 0:
		return string(stderr), true
	}
	return out.status(), true
}

// cannotRun returns why nothing could be run. Distant callers are not told of folders.
func (j *Job) cannotRun() string {
	name := j.words[0]
	detail := ": " + reason(j.out.err)
	if j.reply.IsDistant() && name != filepath.Base(name) {
		j.runner.log("Cannot run " + name + detail)
		name = filepath.Base(name)
	}
	return "Cannot run " + name + detail
}

// succeeded reports whether the process has ended by itself, with exit code 0.
func (o *outcome) succeeded() bool { return o.state != nil && o.state.Success() }

// status describes how the process has ended.
func (o *outcome) status() string {
	if o.state == nil {
		return "Unknown exit code"
	}
	status, ok := o.state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return "Exit code " + strconv.Itoa(o.state.ExitCode())
	}
	return "Killed by signal " + signalName(status.Signal())
}

// signalName returns the name of a signal, or its number if it has none.
func signalName(sig syscall.Signal) string {
	if name, ok := signalNames[sig]; ok {
		return name
	}
	return strconv.Itoa(int(sig))
}

// maxStderr is how much of standard error is told (cli-schema.md 8.3).
const maxStderr = 64 << 10

// describe returns what is told of standard error, as UTF-8. It may alias b.
func describe(b []byte) []byte {
	b = trim(b)
	truncated := len(b) > maxStderr
	if truncated {
		b = b[:maxStderr]
		for n := 1; n < utf8.UTFMax; n++ { // not a part of a character
			if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
				if !utf8.FullRune(tail) {
					b = b[:len(b)-n]
				}
				break
			}
		}
	}
	b = bytes.ToValidUTF8(b, []byte("\uFFFD"))
	if truncated {
		b = append(b[:len(b):len(b)], "\n[truncated]"...)
	}
	return b
}

// trim is [argv.Trim] in place.
func trim(b []byte) []byte {
	s := argv.Trim(unsafe.String(unsafe.SliceData(b), len(b)))
	return unsafe.Slice(unsafe.StringData(s), len(s))
}
