// Command conformance runs the official conformance suite of MCP, at a pinned version,
// against a generated server: once for the revisions with a handshake and once for the one
// without, on one running process. It compares what fails with two baseline files, in which
// every scenario stands that a server of tools alone must fail. Both a new failure and a
// scenario that has come to pass are errors, and so is the failure of a scenario that is
// not scored, unless it is about an extension.
//
// Run it with "go run ./examples/conformance" from the top of the repository, or "make
// conformance". The suite is installed from its registry, into a folder beside this file.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/mcpgen/mcpgen/examples/internal/launch"
)

const folder = "examples/conformance"

// revisions are those that the suite has frozen sets of scenarios for.
var revisions = []string{"2025-11-25", "2026-07-28"}

func main() {
	log.SetFlags(0)
	log.SetPrefix("conformance: ")
	verbose := flag.Bool("v", false, "print what the suite prints")
	flag.Parse()
	temp, err := os.MkdirTemp("", "mcpgen-conformance-")
	if err != nil {
		log.Fatal(err)
	}
	err = conformance(temp, *verbose)
	os.RemoveAll(temp)
	if err != nil {
		log.Fatal(err)
	}
}

func conformance(temp string, verbose bool) error {
	ctx := context.Background()
	suite, err := installSuite(ctx)
	if err != nil {
		return fmt.Errorf("the suite could not be installed; its registry has to answer, and nothing is skipped: %w", err)
	}
	fixture := filepath.Join(temp, "fixture")
	if err := launch.Command(ctx, "", "go", "build", "-tags", "conformance", "-o", fixture,
		"./"+folder+"/fixture-mcp"); err != nil {
		return err
	}
	// The suite knows its tools by their bare names.
	s, err := launch.Serve(ctx, fixture, "", "--tool-names=bare", "--logging")
	if err != nil {
		return err
	}
	var all []*outcome
	for _, revision := range revisions {
		o, err := suite.run(ctx, s.URL, revision, filepath.Join(temp, revision), verbose)
		if err != nil {
			_ = s.End() // the suite's error is the one to tell
			return err
		}
		all = append(all, o)
	}
	if err := s.End(); err != nil {
		return err
	}
	return judge(all)
}

// judge prints how the suite came out, and returns an error unless that is as expected.
func judge(all []*outcome) error {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "revision\tscenarios passed\tchecks passed\tfailed\tnot scored, passed")
	for _, o := range all {
		fmt.Fprintf(t, "%s\t%d/%d\t%d\t%d\t%d/%d\n", o.revision, o.passed(true), o.count(true),
			o.checks("SUCCESS"), o.checks("FAILURE"), o.passed(false), o.count(false))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	wrong := false
	for _, o := range all {
		expected, err := readBaseline(filepath.Join(folder, "baseline-"+o.revision+".yml"))
		if err != nil {
			return err
		}
		for _, problem := range o.compare(expected) {
			fmt.Printf("%s: %s\n", o.revision, problem)
			wrong = true
		}
	}
	if wrong {
		return errors.New("not as the baseline files say")
	}
	return nil
}
