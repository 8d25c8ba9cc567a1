package main

import "time"

// A place is a server in a case.
type place struct{ group, name, server string }

// What ours may cost, as a ratio to who does the least there can be.
const (
	nearLimit = 1.2
	nearRaw   = 1.1
	nearBare  = 1.15
	nearEmpty = 1.2
	nearExec  = 1.2
	flat      = 1.1 // what is the same but for noise
)

// aims are what the numbers should not be above. A ratio is ours to that of the server.
var aims = map[place]aim{
	{groupStdio, taskEcho.at(many), limitLoop}:   {Ratio: nearLimit},
	{groupStdio, taskEcho.at(many), goSDK}:       {Ratio: 1.0 / 100},
	{groupStdio, taskNumbers.at(many), jsonLoop}: {Ratio: 1.0 / 6},
	{groupStdio, taskNumbers.at(many), goSDK}:    {Ratio: 1.0 / 30},

	{groupStdio, taskPool.at(one), rawClient}:  {Ratio: nearRaw},
	{groupStdio, taskPool.at(many), rawClient}: {Ratio: nearRaw},
	{groupStdio, taskAdd.at(one), rawClient}:   {Ratio: nearRaw},
	{groupStdio, taskAdd.at(many), rawClient}:  {Ratio: nearRaw},
	{groupStdio, taskSum.at(one), rawClient}:   {Ratio: nearRaw},
	{groupStdio, taskSum.at(many), rawClient}:  {Ratio: nearRaw},
	{groupStdio, taskList.at(one), rawClient}:  {Ratio: nearRaw},

	{groupWeb, taskEcho.at(one), bareHandler}:     {Ratio: nearBare},
	{groupWeb, taskEcho.at(many), bareHandler}:    {Ratio: nearBare},
	{groupModern, taskEcho.at(one), bareHandler}:  {Ratio: nearBare},
	{groupModern, taskEcho.at(many), bareHandler}: {Ratio: nearBare},

	{groupList, "echo, one of 1,000 tools, 64 in flight", ofOne}: {Ratio: flat},

	{groupStart, startPure, emptyProgram}:     {Ratio: nearEmpty},
	{groupStart, startPool, emptyProgram}:     {Ratio: nearEmpty},
	{groupStart, startPureHTTP, emptyProgram}: {Ratio: nearEmpty},
	{groupStart, startPoolHTTP, emptyProgram}: {Ratio: nearEmpty},

	{groupCLI, cliName(one, cpuTime), osExec}:  {Ratio: nearExec},
	{groupCLI, cliName(one, wallTime), osExec}: {Ratio: nearExec},
	{groupCLI, cliName(8, cpuTime), osExec}:    {Ratio: nearExec},
	{groupCLI, cliName(8, wallTime), osExec}:   {Ratio: nearExec},

	{groupMemory, memoryIdle, ourName}: {Most: 10 << 20},
	{groupSize, sizeStdio, ourName}:    {Most: 3e6},
	{groupSize, sizeWeb, ourName}:      {Most: 8e6},

	{groupGenerate, "1,000 commands", ourName}: {Most: float64(5 * time.Second)},
}
