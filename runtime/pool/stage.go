package pool

import (
	"syscall"
	"time"

	"github.com/mcpgen/mcpgen/runtime/shm"
)

// A Stage is how the pools of a range of compiler releases are driven
// (pool-protocol-next.md 0). The variables below are the table of all that differs; nothing
// else in the runtime asks for a version. A server refers to one of them, and what only
// another needs is not part of its binary.
type Stage struct {
	scheme *shm.Scheme // names and volumes of shared memory
	folder dirRules    // names of run directories, and what is written there

	// inline is MORLOC_INLINE_SIZE, whatever the manifest says; 0 goes by the manifest.
	inline int64
	// libraries returns the folders that LD_LIBRARY_PATH must have; nil if none.
	libraries func(env []string) []string
	// lifeline makes the pipe by which pools notice our end; nil if they do not.
	lifeline func() (*lifeline, error)
	// release gives back a result in shared memory that was read; nil if pools free it.
	release func(a *shm.Area, address int) error
	// deathSignal is what the kernel sends a pool when we end.
	deathSignal syscall.Signal
	// deathWait is how long a leader may outlive a worker whose death ends the pool; 0 if
	// it replaces workers.
	deathWait time.Duration
}

// anySize makes pools send every result inside of the reply, where nothing has to be given
// back (pool-protocol-next.md 0.3).
const anySize = 1 << 40

// StageA is 0.98 and 0.99.0: results of some size come in shared memory, which pools free
// with the next message, and replies are cut if they are long.
var StageA = Stage{
	scheme:      &shm.Numbered,
	folder:      dirRules{name: numberedDir, sweep: sweepStale},
	deathSignal: syscall.SIGKILL, // pools with workers ask for SIGTERM instead, and end them
}

// StageA1 is 0.99.1: as before, but builds hold no absolute paths.
var StageA1 = Stage{
	scheme:      &shm.Numbered,
	folder:      dirRules{name: numberedDir, sweep: sweepStale},
	libraries:   libraryPath,
	deathSignal: syscall.SIGKILL,
}

// StageB is 0.100 to 0.108, by best effort: replies are complete at any size. How shared
// memory is made is not known, so pools start one after the other and make it.
var StageB = Stage{
	scheme:      &shm.Unsettled,
	folder:      dirRules{name: taggedDir, sweep: sweepOwned, own: writeOwner, note: noteGroup},
	inline:      anySize,
	libraries:   libraryPath,
	deathSignal: syscall.SIGKILL,
}

// StageD is from 0.109 on.
var StageD = Stage{
	scheme:      &shm.Tagged,
	folder:      dirRules{name: taggedDir, sweep: sweepOwned, own: writeOwner, note: noteGroup},
	inline:      anySize,
	libraries:   libraryPath,
	lifeline:    newLifeline,
	release:     (*shm.Area).Release,
	deathSignal: syscall.SIGTERM, // pools do not ask for one; they pass this on to workers
	deathWait:   500 * time.Millisecond,
}

// dirRules are what differs about run directories.
type dirRules struct {
	name  func() string                         // a new base name
	sweep func()                                // removes those that killed servers left
	own   func(folder string) error             // writes whose the folder is; may be nil
	note  func(folder string, p *process) error // writes down the group of a pool; may be nil
}
