// Command bench measures servers that mcpgen builds, in one interleaved run against peers on
// the same machine: loops and handlers that do the least there is to do (limit, raw, barehttp,
// empty), plain ones on encoding/json (stdjson, barehttp -json), and servers on the libraries of
// others (peers).
//
//	go run ./bench [-run REGEXP] [-rounds N] [-quick] [-peers=false] [-readme] [-o FILE]
//	go run ./bench -from FILE [-readme]
//
// It prints medians over the rounds, ratios, and the aims; only ratios within a run mean
// anything. The raw data is kept, and -from prints the tables of that. It has to be run in the root of
// the repository, on Linux.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("bench: ")
	if err := bench(); err != nil {
		log.Fatal(err)
	}
}

func bench() error {
	var (
		pattern = flag.String("run", "", "measure only cases whose group/name matches this `regexp`")
		list    = flag.Bool("list", false, "list the cases and exit")
		rounds  = flag.Int("rounds", 0, "`rounds`, of which medians are taken (default 7; 3 with -quick)")
		quick   = flag.Bool("quick", false, "shorter measurements")
		peers   = flag.Bool("peers", true, "measure go-sdk, mcp-go and the TypeScript SDK as well, which come from their registries")
		readme  = flag.Bool("readme", false, "print the section of README.md instead of the table")
		out     = flag.String("o", "", "`file` for the raw data (default bench/results/DATE.json)")
		from    = flag.String("from", "", "measure nothing, print what this `file` of raw data says")
	)
	flag.Parse()
	cases, err := regexp.Compile(*pattern)
	if err != nil || flag.NArg() > 0 || *rounds < 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *list {
		for _, c := range allCases() {
			fmt.Println(c.path())
		}
		return nil
	}
	o := options{cases: cases, rounds: cmp.Or(*rounds, 7), slice: 200 * time.Millisecond, quick: *quick, peers: *peers}
	if *quick {
		o.rounds, o.slice = cmp.Or(*rounds, 3), 40*time.Millisecond
	}
	var r *report
	if *from != "" {
		r, err = readReport(*from)
	} else {
		r, err = measure(o, *out)
	}
	if err != nil {
		return err
	}
	if *readme {
		return r.printReadme(os.Stdout)
	}
	return r.printTable(os.Stdout)
}

// measure makes a run and keeps its raw data in a file.
func measure(o options, file string) (*report, error) {
	if _, err := os.Stat("bench/peers/go.mod"); err != nil {
		return nil, fmt.Errorf("run it in the root of the repository: %w", err)
	}
	dir, err := os.MkdirTemp("", "mcpgen-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	k := newKit(dir, o)
	defer k.close()
	r, err := run(ctx, k, allCases(), o)
	if err != nil {
		return nil, err
	}
	file = cmp.Or(file, filepath.Join("bench", "results", r.Date.Format("2006-01-02T150405Z")+".json"))
	if err := r.write(file); err != nil {
		return nil, err
	}
	log.Print("raw data: ", file)
	return r, nil
}
