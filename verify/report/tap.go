package report

import (
	"fmt"
	"strings"
)

// TAP writes results by version 14 of the Test Anything Protocol, in the order given.
func TAP(results []Result) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "TAP version 14\n1..%d\n", len(results))
	for i, r := range results {
		point := fmt.Sprintf("ok %d - %s", i+1, escapeTAP(r.AppID))
		switch r.Score {
		case Pass:
			fmt.Fprintln(&b, point)
		case Skip:
			fmt.Fprintf(&b, "%s # SKIP %s\n", point, escapeTAP(r.Notes))
		case Warn:
			fmt.Fprintf(&b, "not %s # TODO %s\n", point, escapeTAP(r.Notes))
		default:
			fmt.Fprintf(&b, "not %s\n  ---\n", point)
			for _, member := range [][2]string{
				{"score", string(r.Score)}, {"class", r.Class}, {"failKind", string(r.FailKind)}, {"notes", r.Notes},
			} {
				value, _ := marshal(member[1]) // JSON texts are YAML texts
				fmt.Fprintf(&b, "  %s: %s\n", member[0], value)
			}
			b.WriteString("  ...\n")
		}
	}
	return []byte(b.String())
}

// escapeTAP keeps a text on its line and out of the directives.
func escapeTAP(s string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(clean(s))
}
