package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// printTable prints how many of the checks of each run were passed, then what was wrong,
// which is an error.
func printTable(w io.Writer, rows []*row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "client\trevision")
	for _, x := range rows[0].runs {
		fmt.Fprintf(t, "\t%s, %s", x.program.Name, x.transport)
	}
	fmt.Fprintln(t)
	notices, passed, made := 0, 0, 0
	for _, r := range rows {
		fmt.Fprintf(t, "%s %s\t%s", r.client.name, r.client.version, r.revisions())
		for _, x := range r.runs {
			fmt.Fprintf(t, "\t%d/%d", x.passed(), x.checks)
			passed, made = passed+x.passed(), made+x.checks
			notices += x.notices
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(w, "%d of %d checks passed; %d notices of progress\n", passed, made, notices)
	for _, r := range rows {
		for _, x := range r.runs {
			for _, problem := range x.problems {
				fmt.Fprintf(w, "\n%s %s, %s, %s, %s: %s\n",
					x.client.name, x.client.version, x.era, x.program.Name, x.transport, problem)
			}
		}
	}
	if passed < made {
		return errors.New("not as expected")
	}
	return nil
}

// revisions are those that the runs of a row have agreed on, or the era if there is none.
func (r *row) revisions() string {
	var all []string
	for _, x := range r.runs {
		if x.revision != "" && !strings.Contains(strings.Join(all, " "), x.revision) {
			all = append(all, x.revision)
		}
	}
	if all == nil {
		return r.era
	}
	return strings.Join(all, " ")
}
