package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"
)

// printTable prints a report as one table, aims beside the numbers that they are about.
func (r *report) printTable(w io.Writer) error {
	fmt.Fprintf(w, "%s; load %s; %s; medians of %d rounds, interleaved\n", r.Machine, r.Machine.Load,
		r.Date.Format(time.DateOnly), r.Rounds)
	fmt.Fprint(w, "a ratio is mcpgen's number by that of the server\n\n")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "case\tserver\tCPU\twall\tsize\tratio\taim\tmet")
	for i := range r.Cases {
		c := &r.Cases[i]
		title := c.Group + "/" + c.Name
		for at := range c.Servers {
			s := &c.Servers[at]
			m := s.median()
			ratio := ""
			if at > 0 {
				ratio = formatRatio(c.ratio(at))
			}
			fmt.Fprintln(t, strings.Join([]string{title, s.Name, formatTime(m.CPU), formatTime(m.Wall), c.Unit.formatBytes(m.Bytes),
				ratio, c.Unit.formatAim(s.Aim), c.met(at)}, "\t"))
			title = ""
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if met, all := r.countAims(); all > 0 {
		fmt.Fprintf(w, "\n%d of %d aims are met\n", met, all)
	}
	for _, line := range r.LeftOut {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// countAims returns how many aims there are, and are met.
func (r *report) countAims() (met, all int) {
	for i := range r.Cases {
		for at := range r.Cases[i].Servers {
			switch r.Cases[i].met(at) {
			case "yes":
				met++
				all++
			case "no":
				all++
			}
		}
	}
	return met, all
}

// formatTime writes a time in three digits; "" if it is 0, which is not measured.
func formatTime(d time.Duration) string {
	for _, u := range []struct {
		unit time.Duration
		name string
	}{{time.Second, "s"}, {time.Millisecond, "ms"}, {time.Microsecond, "µs"}} {
		if d >= u.unit {
			return threeDigits(float64(d)/float64(u.unit)) + " " + u.name
		}
	}
	if d == 0 {
		return ""
	}
	return fmt.Sprintf("%d ns", d)
}

// formatBytes writes a size in three digits; "" if it is 0, which is not measured.
func (u unit) formatBytes(n int64) string {
	switch {
	case n == 0:
		return ""
	case u == residentBytes:
		return threeDigits(float64(n)/(1<<20)) + " MiB"
	default:
		return threeDigits(float64(n)/1e6) + " MB"
	}
}

// threeDigits writes a number with three digits, more if it has them before the point.
func threeDigits(x float64) string {
	digits := 2
	if x >= 1 {
		digits = max(0, 2-int(math.Log10(x)))
	}
	return fmt.Sprintf("%.*f", digits, x)
}

// formatRatio writes a ratio so that a small one can be compared with 1/100.
func formatRatio(x float64) string {
	if x < 0.1 {
		return fmt.Sprintf("%.4f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// formatAim writes an aim; "" if there is none.
func (u unit) formatAim(a aim) string {
	switch {
	case a.Ratio > 0 && a.Ratio < 1:
		return fmt.Sprintf("≤ 1/%.0f", 1/a.Ratio)
	case a.Ratio > 0:
		return fmt.Sprintf("≤ %v", a.Ratio)
	case a.Most > 0:
		return "≤ " + u.format(a.Most)
	}
	return ""
}
