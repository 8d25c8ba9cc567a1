package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"html/template"
	"strings"
	"time"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"tools":   toolCounts,
	"seconds": func(ms int64) string { return strings.TrimSpace(seconds(ms)) },
	"server":  serverName,
	"exit":    func(e *Exit) string { return exitLine(*e) },
	"finding": findingLine,
	"join":    func(list []string) string { return strings.Join(list, ", ") },
	"legal":   visible,
	"listing": func(raw json.RawMessage) string {
		var b bytes.Buffer
		if json.Indent(&b, raw, "", "  ") != nil {
			return ""
		}
		return shorten(b.String(), 200_000)
	},
}).Parse(pageText))

// visible replaces the control characters that a page would not show.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' {
			return '\uFFFD'
		}
		return r
	}, text)
}

// HTML writes results as one page that needs nothing else, the worst first.
func HTML(results []Result, when time.Time) ([]byte, error) {
	type count struct {
		Score  Score
		Number int
	}
	counts := Count(results)
	var shown []count
	for _, s := range Scores {
		if counts[s] > 0 {
			shown = append(shown, count{s, counts[s]})
		}
	}
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		When    string
		Total   int
		Counts  []count
		Results []Result
	}{when.UTC().Format("2006-01-02 15:04 UTC"), len(results), shown, Sorted(results)})
	return b.Bytes(), err
}
