// Command interop drives generated servers with clients that others have written: the
// official SDKs for TypeScript, Python and Go, and mark3labs/mcp-go. Each client runs
// against each program over each transport and in each era it knows, makes the calls of
// cases.json, and prints what it got; this program compares that with what is expected and
// prints a table.
//
// Run it with "go run ./examples/interop" from the top of the repository, or "make
// interop". Clients are installed from their registries, into folders beside them.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// folder is where the clients and programs are.
const folder = "examples/interop"

func main() {
	log.SetFlags(0)
	log.SetPrefix("interop: ")
	only := flag.String("client", "", "run only clients whose name contains this")
	parallel := flag.Int("parallel", 3, "runs at the same time")
	flag.Parse()
	temp, err := os.MkdirTemp("", "mcpgen-interop-")
	if err != nil {
		log.Fatal(err)
	}
	err = interop(temp, *only, *parallel)
	os.RemoveAll(temp)
	if err != nil {
		log.Fatal(err)
	}
}

func interop(temp, only string, parallel int) error {
	ctx := context.Background()
	programs, err := readPrograms(filepath.Join(folder, "cases.json"))
	if err != nil {
		return err
	}
	var chosen []*client
	for i := range clients {
		if c := &clients[i]; strings.Contains(c.name, only) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return fmt.Errorf("no client is called %q", only)
	}
	for _, c := range chosen {
		if err := c.prepare(ctx, temp); err != nil {
			return err
		}
	}
	if err := buildPrograms(ctx, programs, temp); err != nil {
		return err
	}
	rows := plan(chosen, programs, temp)
	execute(ctx, rows, parallel)
	return printTable(os.Stdout, rows)
}

// A row of the table: a client in an era.
type row struct {
	client *client
	era    string
	runs   []*run
}

// plan returns the rows of the table, with runs that are still to be made.
func plan(clients []*client, programs []*program, temp string) []*row {
	var rows []*row
	for _, c := range clients {
		for _, era := range c.eras {
			r := &row{client: c, era: era}
			for _, p := range programs {
				for _, transport := range []string{stdio, http} {
					mark := fmt.Sprintf("%s-%s-%s-%s", c.name, era, p.Name, transport)
					r.runs = append(r.runs, &run{
						client: c, program: p, era: era, transport: transport,
						mark: mark, dir: filepath.Join(temp, mark),
					})
				}
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// execute makes all runs, a few at a time.
func execute(ctx context.Context, rows []*row, parallel int) {
	var wg sync.WaitGroup
	turns := make(chan struct{}, max(parallel, 1))
	for _, r := range rows {
		for _, x := range r.runs {
			wg.Go(func() {
				turns <- struct{}{}
				defer func() { <-turns }()
				x.execute(ctx)
			})
		}
	}
	wg.Wait()
}
