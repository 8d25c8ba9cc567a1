package main

import (
	"strings"
	"testing"
	"time"
)

// exampleReport is a small report with all that tables can show.
func exampleReport() *report {
	return &report{
		Machine: machine{CPU: "Abacus", Cores: 2, Kernel: "linux 6", Go: "1.26", Node: "20.1", Load: "0.1 0.2 0.3"},
		Date:    time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
		Rounds:  3,
		Peers:   map[string]string{goSDK: "example.com/go-sdk 1.8.0"},
		LeftOut: []string{"mcp-go is left out: no network"},
		Cases: []result{
			{Group: groupStdio, Name: "echo", Unit: cpuTime, Servers: []measured{
				{Name: ourName, Samples: []sample{{CPU: 900, Wall: 3 * time.Microsecond}, {CPU: 1100, Wall: 2 * time.Microsecond}, {CPU: 1000, Wall: time.Second}}},
				{Name: limitLoop, Aim: aim{Ratio: 1.2}, Samples: []sample{{CPU: 500, Wall: 2500}}},
				{Name: goSDK, Aim: aim{Ratio: 1.0 / 100}, Samples: []sample{{CPU: 250 * time.Microsecond, Wall: time.Millisecond}}},
			}},
			{Group: groupMemory, Name: "idle", Unit: residentBytes, Servers: []measured{
				{Name: ourName, Aim: aim{Most: 10 << 20}, Samples: []sample{{Bytes: 5 << 19}}},
			}},
			{Group: groupGenerate, Name: "1,000 commands", Unit: wallTime, Servers: []measured{
				{Name: ourName, Aim: aim{Most: float64(5 * time.Second)}, Samples: []sample{{CPU: 2500 * time.Millisecond, Wall: 4 * time.Second}}},
			}},
		},
	}
}

func TestPrintTable(t *testing.T) {
	t.Parallel()
	const want = `2 cores of Abacus, linux 6, Go 1.26, Node.js 20.1; load 0.1 0.2 0.3; 2026-11-30; medians of 3 rounds, interleaved
a ratio is mcpgen's number by that of the server

case                     server      CPU      wall     size      ratio   aim         met
stdio/echo               mcpgen      1.00 µs  3.00 µs                                
                         limit loop  500 ns   2.50 µs            2.00    ≤ 1.2       no
                         go-sdk      250 µs   1.00 ms            0.0040  ≤ 1/100     yes
memory/idle              mcpgen                        2.50 MiB          ≤ 10.0 MiB  yes
generate/1,000 commands  mcpgen      2.50 s   4.00 s                     ≤ 5.00 s    yes

3 of 4 aims are met
mcp-go is left out: no network
`
	var b strings.Builder
	if err := exampleReport().printTable(&b); err != nil || b.String() != want {
		t.Errorf("got\n%s\n%v, want\n%s", b.String(), err, want)
	}
}

func TestPrintReadme(t *testing.T) {
	t.Parallel()
	const want = `## Numbers

Measured on 30 November 2026 by ` + "`make bench`" + ` on a machine with 2 cores of Abacus, linux 6, Go 1.26, Node.js 20.1,
against example.com/go-sdk 1.8.0. The load of the machine was 0.1 when it began. All servers were measured in turn
in one run, 3 times, builds less often; these are medians. In parentheses: how many times mcpgen's number that is.

mcp-go is left out: no network

`
	var b strings.Builder
	if err := exampleReport().printReadme(&b); err != nil {
		t.Fatal(err)
	}
	got := b.String()
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant it to begin with\n%s", got, want)
	}
	for _, part := range []string{
		"|  | mcpgen | limit loop | go-sdk |\n| --- | ---: | ---: | ---: |\n| echo | 1.00 µs | 500 ns (0.50×) | 250 µs (250×) |\n",
		"|  | mcpgen |\n| --- | ---: |\n| idle | 2.50 MiB |\n",
		"Aims, of which 3 of 4 are met:\n",
		"| stdio: echo, by limit loop | ≤ 1.2 | 2.00 | no |\n| stdio: echo, by go-sdk | ≤ 1/100 | 0.0040 | yes |\n" +
			"| memory: idle | ≤ 10.0 MiB | 2.50 MiB | yes |\n| generate: 1,000 commands | ≤ 5.00 s | 4.00 s | yes |\n",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("got\n%s\nwant in it\n%s", got, part)
		}
	}
}

func TestFormat(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "", 1: "1 ns", 999: "999 ns", 1000: "1.00 µs", 12_345: "12.3 µs", 123_456: "123 µs", 1_500_000: "1.50 ms",
		2 * time.Second: "2.00 s", 90 * time.Second: "90.0 s", 2000 * time.Second: "2000 s",
	} {
		if got := formatTime(d); got != want {
			t.Errorf("formatTime(%d) = %q, want %q", d, got, want)
		}
	}
	for x, want := range map[float64]string{0.004: "0.0040", 0.0999: "0.0999", 0.5: "0.50", 1.234: "1.23", 12.34: "12.34"} {
		if got := formatRatio(x); got != want {
			t.Errorf("formatRatio(%v) = %q, want %q", x, got, want)
		}
	}
	for n, want := range map[int]string{1: "1", 999: "999", 1000: "1,000", 100_000: "100,000", 1_000_001: "1,000,001"} {
		if got := commas(n); got != want {
			t.Errorf("commas(%d) = %q, want %q", n, got, want)
		}
	}
}
