package manifest

import (
	"strconv"
	"strings"

	"github.com/mcpgen/mcpgen/gen/ir"
)

// Versions names the compilers whose manifests are read, as messages say it.
const Versions = "0.98.x to 0.109.x"

// A Release is the version of a compiler, 0.minor.patch.
type Release struct{ minor, patch int }

// oldest and newest bound the minor versions that are read (manifest-next.md 1). Beyond
// them the rules of the nearest one apply, if reading is asked for (decision 36).
const oldest, newest = 98, 109

// stages says, for releases in ascending order, from which on pools are driven in another
// way (pool-protocol-next.md 0.1). It is the only place that compares versions for that.
var stages = []struct {
	from  Release
	stage ir.Stage
}{
	{Release{98, 0}, ir.StageA},
	{Release{99, 1}, ir.StageA1},
	{Release{100, 0}, ir.StageB},
	{Release{103, 0}, ir.StageC},
	{Release{109, 0}, ir.StageD},
}

// Manifests have these from a release on.
var (
	keyedArguments = Release{103, 0} // each argument has a key
	blockRecords   = Release{103, 0} // records of fixed width are hashed as one block
)

// ParseRelease reads a version, 0.minor.patch in decimal digits.
func ParseRelease(version string) (r Release, ok bool) {
	rest, ok := strings.CutPrefix(version, "0.")
	minor, patch, found := strings.Cut(rest, ".")
	if !ok || !found || !isNumber(minor) || !isNumber(patch) {
		return Release{}, false
	}
	r.minor, _ = strconv.Atoi(minor) // the largest int if there are too many digits
	r.patch, _ = strconv.Atoi(patch)
	return r, true
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// IsKnown reports whether r is one of the releases that [Versions] names.
func (r Release) IsKnown() bool { return r.minor >= oldest && r.minor <= newest }

// IsOlder reports whether r came before the releases that are read.
func (r Release) IsOlder() bool { return r.minor < oldest }

func (r Release) before(other Release) bool {
	return r.minor < other.minor || r.minor == other.minor && r.patch < other.patch
}

// HasKeys reports whether compilers of r write a key for each argument.
func (r Release) HasKeys() bool { return !r.before(keyedArguments) }

// HasBlockRecords reports whether programs of r hash records of fixed width as one block.
func (r Release) HasBlockRecords() bool { return !r.before(blockRecords) }

// Stage returns how the pools of programs of r are driven.
func (r Release) Stage() ir.Stage {
	stage := stages[0].stage
	for _, s := range stages {
		if !r.before(s.from) {
			stage = s.stage
		}
	}
	return stage
}

// releaseOf returns the release by whose rules a version is read: a version of another form
// is taken to be newer than all.
func releaseOf(version string) Release {
	if r, ok := ParseRelease(version); ok {
		return r
	}
	return Release{minor: newest + 1}
}
