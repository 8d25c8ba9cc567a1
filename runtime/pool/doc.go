// Package pool runs the language pools of a program and calls them. It knows packets and
// processes, and nothing of the protocol that the calls come from.
//
// # Design
//
// A [Fleet] is what serves a program: one set, or several replicas of it, behind one queue. A
// set is all pools of the program, started together, in one run directory and with one
// basename of shared memory. It has one goroutine, which owns all of that:
//
//	Do ──> queue ─┬─> goroutine ──> exchange ──> Finisher
//	              │     │   ▲
//	         more sets  │   │ died
//	          start, restart, end
//	                    ▼   │
//	                  generation: processes, shared memory, connection
//
// The invariant to know: one exchange at a time in a set, pings included, from the connect
// until [Finisher.Finish] has returned. Overlap gives wrong values without any error
// (pool-protocol 5.5), and a result in shared memory is gone with the next message
// (5.4). Calls that run side by side need several sets.
//
// The queue gives clients turns and hands out exchanges to sets that ask for them, so the
// least loaded is the one that gets the next. A set asks only when its pools answer; one
// whose pools cannot be started asks only if that is so for all, and fails what it gets. What
// sets share is the queue alone: a crash in one is nothing to the exchanges of the others.
//
// A goroutine that gives exchanges to the fleet, and has nothing else to do until there is input
// for it, may take the place of a set's goroutine that is idle: see [Fleet.Help]. On a pair of
// streams, that halves the CPU time of a call of a quick pool.
//
// An exchange that is under way is stopped by ending the pools of its set and starting them
// anew: when its limit is over, or when nobody waits for it and another waits for the set.
//
// A generation is one start of the processes. Each leader has a goroutine that waits for
// it. When a leader dies, whatever the others do, the generation is over: the connection
// is cut, so the call in flight fails, all process groups are killed, and the next
// generation starts under a fresh basename in the same run directory. Calls that arrive
// meanwhile wait. A set that cannot be started fails its calls at once until a pause, which
// grows, is over; the next call then tries again. Beside another set that serves, it tries
// again by itself.
//
// Nothing is left behind. Pools are killed by process group and, if the server dies first,
// by the kernel; what then still lies about (the run directory, shared memory, pools that
// would not die) is found and removed by the next server that starts.
//
// Releases of the compiler differ in how pools are named, started, kept and told: a [Stage]
// says how, and the table of them is the only place that does.
//
// Connections are blocking sockets used with plain system calls, not the runtime's
// poller: it costs half the CPU time of an exchange and no allocation. Another goroutine
// ends a blocked read with shutdown(2).
//
// Pools run on Linux only. Elsewhere every call fails and says so.
package pool
