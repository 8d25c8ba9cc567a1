package pool

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Spec is what the manifest says about one pool.
type Spec struct {
	Lang   string   // label in messages: "py"
	Exec   []string // command; the last element is relative to Config.Dir
	Socket string   // base name of the socket: "pipe-py"
	Hash   string   // MORLOC_POOL_HASH; may be empty
}

// A Config says how a fleet is run.
type Config struct {
	Stage    *Stage // how the program's pools are driven
	Program  string // prefix of lines on stderr
	Pools    []Spec // all pools of the program, in the manifest's order
	Dir      string // absolute path of the program's folder
	Manifest string // absolute path of the manifest; may be empty

	InlineSize int64  // bytes up to which results come inline; -1, and above 131,072: 65,536
	TmpDir     string // the manifest's folder for temporary results; "" leaves it to the pools

	Replicas int // complete sets of pools; 0 is one
	MaxQueue int // exchanges that may wait; 0 is 1,024

	StartTimeout time.Duration // 0 is a minute
	ShmLimit     int64         // bytes of shared memory that make an idle set restart; 0 is 256 MiB

	Env    []string  // environment that pools inherit; nil is that of this process
	Stderr io.Writer // for our lines and what pools print; nil is os.Stderr
}

const (
	defaultInlineSize   = 1 << 16
	maxInlineSize       = 1 << 17 // pools cut replies of more than about 219,000 bytes
	defaultStartTimeout = time.Minute
	defaultShmLimit     = 256 << 20
)

// withDefaults returns c with all values set.
func (c Config) withDefaults() Config {
	if c.InlineSize < 0 || c.InlineSize > maxInlineSize {
		c.InlineSize = defaultInlineSize
	}
	if c.Stage != nil && c.Stage.inline > 0 {
		c.InlineSize = c.Stage.inline
	}
	if c.Replicas <= 0 {
		c.Replicas = 1
	}
	if c.MaxQueue <= 0 {
		c.MaxQueue = defaultQueue
	}
	if c.StartTimeout <= 0 {
		c.StartTimeout = defaultStartTimeout
	}
	if c.ShmLimit <= 0 {
		c.ShmLimit = defaultShmLimit
	}
	if c.Env == nil {
		c.Env = os.Environ()
	}
	if c.Stderr == nil {
		c.Stderr = os.Stderr
	}
	return c
}

// notInherited are variables that pools do not get from our own environment: they are set
// for each pool, or would make pools look for a launcher that is not there, or send results
// in a form that loses some, or are secret (pool-protocol 1.3).
var notInherited = map[string]bool{
	"MORLOC_POOL_HASH":        true,
	"MORLOC_INLINE_SIZE":      true,
	"MORLOC_MANIFEST_PATH":    true,
	"MORLOC_QUIET":            true,
	"MORLOC_NO_SHM":           true,
	"MORLOC_NEXUS_PATH":       true,
	"MORLOC_NEXUS_STDIO_SOCK": true,
	"MORLOC_MCP_TOKEN":        true,
	"MORLOC_LIFELINE":         true,
	"MORLOC_STDOUT_STAGE":     true,
	"MORLOC_BENCH_RECORDS":    true,
}

// environment returns the environment of a pool.
func (c *Config) environment(p Spec) []string {
	env := make([]string, 0, len(c.Env)+5)
	for _, entry := range c.Env {
		name, _, _ := strings.Cut(entry, "=")
		if !notInherited[name] && (name != "MORLOC_TMPDIR" || c.TmpDir == "") {
			env = append(env, entry)
		}
	}
	env = append(env,
		"MORLOC_POOL_HASH="+p.Hash,
		"MORLOC_INLINE_SIZE="+strconv.FormatInt(c.InlineSize, 10),
		"MORLOC_QUIET=1")
	if c.Manifest != "" {
		env = append(env, "MORLOC_MANIFEST_PATH="+c.Manifest)
	}
	if c.TmpDir != "" {
		env = append(env, "MORLOC_TMPDIR="+c.TmpDir)
	}
	if c.Stage.libraries != nil {
		env = appendLibraries(env, c.Stage.libraries(c.Env))
	}
	return env
}

// command returns the command of a pool. Its last element, a file of the program, is found
// whatever the working directory; the others are left as they are.
func (c *Config) command(p Spec) []string {
	argv := slices.Clone(p.Exec)
	last := len(argv) - 1
	if !filepath.IsAbs(argv[last]) {
		argv[last] = filepath.Join(c.Dir, argv[last])
	}
	return argv
}

// check says what is wrong with a pool before it is started.
func (c *Config) check(p Spec) error {
	if len(p.Exec) == 0 || p.Socket != filepath.Base(p.Socket) {
		return startError(p.Lang, "its entry in the manifest is not complete", "")
	}
	argv := c.command(p)
	if _, err := os.Stat(argv[len(argv)-1]); err != nil {
		return startError(p.Lang, "its file is missing; run `morloc make` again", ": "+err.Error())
	}
	return nil
}
