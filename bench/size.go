package main

import "os"

// Names of cases of sizes.
const (
	sizeStdio = "binary, standard input and output only"
	sizeWeb   = "binary, HTTP as well"
)

// sizeCases are sizes of stripped binaries.
func sizeCases() []*benchCase {
	narrow := &benchCase{group: groupSize, name: sizeStdio, unit: byteCount, rounds: 1}
	narrow.enter(ourName, sized(oursOf("bench", stdioOnly, ownCommands)))
	wide := &benchCase{group: groupSize, name: sizeWeb, unit: byteCount, rounds: 1}
	wide.enter(ourName, sized(ours()))
	for _, p := range peers {
		if p.name != typeScript { // which is not one file
			wide.enter(p.name, sized(p.with()))
		}
	}
	return []*benchCase{narrow, wide}
}

func sized(argv argvFunc) starter {
	return func(k *kit) (taker, error) {
		command, err := argv(k)
		if err != nil {
			return nil, err
		}
		return func() (sample, error) {
			info, err := os.Stat(command[0])
			if err != nil {
				return sample{}, err
			}
			return sample{Bytes: info.Size()}, nil
		}, nil
	}
}
