// Package shm looks after the shared memory of a set of language pools: it makes the first
// volume before the pools start, reads the values that pools leave there, and removes what
// they leave behind (pool-protocol 5).
//
// The volumes of a set are files, normally in /dev/shm; a [Scheme] says how the releases of
// the compiler name and lay them out. Only pools write to them once they run: an [Area] maps
// them read-only, never locks or allocates, and frees only what [Area.Release] is told to.
// What it returns is memory that a pool may change at any time after the next message to the
// set, so values are copied out before that.
//
// Shared memory exists on Linux only; elsewhere [Create] says so.
package shm
