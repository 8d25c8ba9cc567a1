package report

import (
	"encoding/xml"
	"fmt"
	"strings"
)

type suite struct {
	XMLName  xml.Name   `xml:"testsuite"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Time     string     `xml:"time,attr"`
	Cases    []testcase `xml:"testcase"`
}

type testcase struct {
	Class      string      `xml:"classname,attr"`
	Name       string      `xml:"name,attr"`
	Time       string      `xml:"time,attr"`
	Properties *properties `xml:"properties"`
	Failure    *outcome    `xml:"failure"`
	Error      *outcome    `xml:"error"`
	Skipped    *skipped    `xml:"skipped"`
	Out        *text       `xml:"system-out"`
}

type properties struct {
	List []property `xml:"property"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type outcome struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

type text struct {
	Text string `xml:",chardata"`
}

// JUnit writes results as a test suite, in the order given.
func JUnit(layer Layer, results []Result, on FailOn) ([]byte, error) {
	name := fmt.Sprintf("mcpgen.verify.layer%d", layer)
	s := suite{Name: name, Tests: len(results)}
	var total int64
	for _, r := range results {
		total += r.DurationMS
		c := testcase{Class: name, Name: legal(r.AppID), Time: inSeconds(r.DurationMS)}
		notes := legal(r.Notes)
		switch r.Score {
		case Fail:
			c.Failure = &outcome{r.Class, notes}
		case Error, Timeout:
			c.Error = &outcome{string(r.FailKind), notes}
			s.Errors++
		case Skip:
			c.Skipped = &skipped{notes}
			s.Skipped++
		case Warn:
			c.Properties = &properties{[]property{{"warn", r.Class}}}
			c.Out = &text{notes}
			if on.Includes(Warn) {
				c.Failure = &outcome{r.Class, notes}
			}
		}
		if c.Failure != nil {
			s.Failures++
		}
		s.Cases = append(s.Cases, c)
	}
	s.Time = inSeconds(total)
	body, err := xml.MarshalIndent(s, "", "  ")
	return append([]byte(xml.Header), append(body, '\n')...), err
}

func inSeconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }

// legal replaces the characters that XML 1.0 does not have.
func legal(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r', r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r <= 0xfffd, r >= 0x10000:
			return r
		}
		return '\uFFFD'
	}, s)
}
