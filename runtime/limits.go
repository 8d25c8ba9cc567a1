package runtime

import (
	"errors"
	"flag"
	"math"
	"strconv"
	"strings"
	"time"
)

// limits are the flags that bound what a server takes on, and for how long.
type limits struct {
	callTimeout  time.Duration // 0: none
	startTimeout time.Duration
	drainTimeout time.Duration
	replicas     int
	maxQueue     int
	shmLimit     int64
}

// Defaults. That of drainTimeout is how long running calls have after the end of input, and
// the other one after a signal, which no flag changes (decision 13).
const (
	defaultStart   = time.Minute
	defaultDrain   = 30 * time.Second
	drainAtSignal  = 2 * time.Second
	defaultQueue   = 1024
	defaultShm     = 256 << 20
	maxReplicas    = 256
	maxQueueLength = 1 << 20
)

const poolTimeoutHelp = `  --call-timeout D        give up a call that has run, or waited for language pools, for
                          longer than D, as in 30s or 5m (default: never)
`

const timeoutHelp = `  --call-timeout D        give up a call that has run for longer than D, as in 30s or 5m
                          (default: never)
`

const limitHelp = `  --max-queue N           calls that may wait for their turn (default 1024)
  --drain-timeout D       how long calls may run on after the end of input
                          (default 30s)
`

const poolLimitHelp = `  --replicas N            sets of language pools, which run calls side by side
                          (default 1)
  --start-timeout D       how long language pools may take to start (default 60s)
  --shm-limit SIZE        shared memory, as in 256MiB, beyond which idle language
                          pools are restarted (default 256MiB)
`

// defaultLimits are those of a server without flags.
func defaultLimits() limits {
	return limits{
		startTimeout: defaultStart,
		drainTimeout: defaultDrain,
		replicas:     1,
		maxQueue:     defaultQueue,
		shmLimit:     defaultShm,
	}
}

// define adds the flags to a set that all servers have.
func (l *limits) define(set *flag.FlagSet) {
	set.Func("call-timeout", "", durationOf(&l.callTimeout, 1))
	set.Func("max-queue", "", numberOf(&l.maxQueue, maxQueueLength))
	set.Func("drain-timeout", "", durationOf(&l.drainTimeout, 0))
}

// defineForPools adds those of servers with language pools.
func (l *limits) defineForPools(set *flag.FlagSet) {
	set.Func("start-timeout", "", durationOf(&l.startTimeout, 1))
	set.Func("replicas", "", numberOf(&l.replicas, maxReplicas))
	set.Func("shm-limit", "", func(value string) (err error) {
		l.shmLimit, err = parseSize(value)
		return err
	})
}

// durationOf returns what reads a duration of at least min.
func durationOf(d *time.Duration, min time.Duration) func(string) error {
	return func(value string) error {
		v, err := time.ParseDuration(value)
		if err != nil || v < min {
			return errors.New("want a duration like 30s or 5m")
		}
		*d = v
		return nil
	}
}

// numberOf returns what reads a number from 1 to max.
func numberOf(n *int, max int) func(string) error {
	return func(value string) error {
		v, err := strconv.Atoi(value)
		if err != nil || v < 1 || v > max {
			return errors.New("want a number from 1 to " + strconv.Itoa(max))
		}
		*n = v
		return nil
	}
}

// parseSize reads a number of bytes.
func parseSize(text string) (int64, error) {
	unit := int64(1)
	digits := text
	for name, size := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
		if number, ok := strings.CutSuffix(text, name); ok {
			digits, unit = number, size
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return 0, errors.New("want a size like 256MiB")
	}
	return n * unit, nil
}
