package command

import (
	"time"

	"github.com/mcpgen/mcpgen/runtime/argv"
	"github.com/mcpgen/mcpgen/runtime/jsonx"
	"github.com/mcpgen/mcpgen/runtime/mcp"
)

// A Job is one run of the program, from its words to the answer. It is used again.
type Job struct {
	// Argv takes the words that follow those of [CLI.Command].
	Argv argv.Words

	cli     *CLI
	runner  *runner
	call    *mcp.Call
	leaf    *Leaf // of a tool; nil: it is run for a resource
	timeout time.Duration
	fault   error // why it is not to be run, if its environment has all it needs
	words   []string
	stdin   []byte
	piped   bool // stdin is given

	reply   mcp.Reply
	process *process // of this call
	next    *Job     // in the queue
	size    int      // bytes of words and stdin
	out     outcome
	text    []byte // of the answer
	blocks  []mcp.Block
}

// Call begins a call of a leaf for c.
func (c *CLI) Call(call *mcp.Call, l *Leaf) *Job {
	j := c.begin(call, l.Timeout)
	j.leaf = l
	return j
}

func (c *CLI) begin(call *mcp.Call, timeout time.Duration) *Job {
	j := c.job()
	j.runner = c.runner
	j.call, j.leaf, j.fault = call, nil, nil
	j.timeout = deadline(timeout, j.runner.limit)
	j.stdin, j.piped = j.stdin[:0], false
	j.process = new(process)
	j.Argv.Reset(j.runner.style)
	return j
}

// Stdin makes data, which is copied, what the program reads from standard input. Without it
// that is empty.
func (j *Job) Stdin(data []byte) { j.stdin, j.piped = append(j.stdin, data...), true }

// Run runs the program when its turn has come, unless err says what is wrong with the
// arguments; the generated tool returns what it returns. Variables that are missing are told
// before err (cli-schema.md 6.1).
func (j *Job) Run(err error) error {
	r := j.runner
	switch {
	case err == jsonx.ErrNotObject:
	case r.isReady():
		err = r.refuse(j.leaf, err)
	case len(j.leaf.Env) > 0: // only then it is known what is to be told
		j.fault, err = err, nil
	}
	if err != nil {
		j.cli.release(j)
		return err
	}
	j.submit()
	return nil
}

// submit detaches the call and queues the job.
func (j *Job) submit() {
	j.words = j.Argv.AppendTo(append(j.words[:0], j.runner.command...))
	j.size = len(j.stdin)
	for _, word := range j.words {
		j.size += len(word)
	}
	j.call.Detach(&j.reply)
	j.call = nil
	j.reply.Beat(j)
	j.runner.submit(j)
}

// Ahead implements [mcp.Place].
func (j *Job) Ahead() (n int, waits bool) { return j.runner.queue.ahead(j) }

// Cancel implements [mcp.Canceler].
func (j *Job) Cancel() {
	if j.runner.queue.drop(j) {
		go j.refuse(errCanceled) // who cancels holds what answering takes
		return
	}
	j.process.end(causeCanceled)
}

// refuse answers a job that has no place, and never had one.
func (j *Job) refuse(err error) {
	j.fail(err)
	j.cli.release(j)
}

// fail answers a job that was not run.
func (j *Job) fail(err error) {
	if j.leaf == nil {
		j.reply.Unreadable(err.Error())
	} else {
		j.reply.Refuse(err)
	}
}

// run runs the program, with a place of the queue, and answers the call.
func (j *Job) run() {
	if err := j.runner.refuse(j.leaf, j.fault); err != nil {
		j.fail(err)
		return
	}
	j.runner.execute(j)
	j.answer()
}

// trim drops what should not be kept until the job is used again.
func (j *Job) trim() {
	j.Argv = argv.Words{}
	clear(j.words)
	clear(j.blocks)
	for _, b := range []*[]byte{&j.stdin, &j.out.stdout, &j.out.stderr, &j.text} {
		if cap(*b) > keepBuffer {
			*b = nil
		}
	}
}
