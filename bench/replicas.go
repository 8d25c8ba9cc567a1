package main

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// replicaCases replay one load on servers with several copies of their pool: calls that
// wait for 2 ms, as those do that ask a service.
func replicaCases() []*benchCase {
	c := &benchCase{group: groupReplicas, name: "calls that wait 2 ms in a pool, 64 in flight", unit: wallTime}
	wait := callLoad("waitPool", `\"hello\"`, hello)
	for _, n := range []int{1, 2, 4} {
		name := "mcpgen, " + fmt.Sprint(n) + " replica"
		if n > 1 {
			name += "s"
		}
		c.enter(name, stdio(wait, many, replicated(n)))
	}
	return []*benchCase{c}
}

// replicated is ours with so many copies of the pool, if it has the flag for that.
func replicated(n int) argvFunc {
	return func(k *kit) ([]string, error) {
		argv, err := ours("--replicas", fmt.Sprint(n))(k)
		if err != nil {
			return nil, err
		}
		help, err := exec.Command(argv[0], "--help").CombinedOutput()
		if err != nil {
			return nil, err
		}
		if !strings.Contains(string(help), "--replicas") {
			return nil, &leftOut{"mcpgen with replicas", errors.New("the server has no flag --replicas")}
		}
		return argv, nil
	}
}
