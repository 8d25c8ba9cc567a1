// Package shm looks after the shared memory of a set of language pools: it makes volume 0
// before the pools start, reads the values that pools leave there, and removes what they
// leave behind (pool-protocol 5).
//
// The volumes of a set are files called <basename>_<index>, normally in /dev/shm. Only
// pools write to them once they run: an [Area] maps them read-only and never locks,
// allocates or frees. What it returns is memory that a pool may change at any time after
// the next message to the set, so values are copied out before that.
//
// Shared memory exists on Linux only; elsewhere [Create] says so.
package shm
