package main

import (
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// wallSamples returns samples of these wall times.
func wallSamples(times ...time.Duration) []sample {
	var all []sample
	for _, t := range times {
		all = append(all, sample{Wall: t})
	}
	return all
}

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		samples []sample
		want    time.Duration
	}{
		{"one", wallSamples(7), 7},
		{"odd", wallSamples(9, 1, 5), 5},
		{"even", wallSamples(8, 2, 4, 100), 6},
		{"outlier", wallSamples(1, 1, 1, 1, 1_000_000), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := measured{Samples: test.samples}
			if got := m.median(); got != (sample{Wall: test.want}) {
				t.Errorf("got %v, want %v of wall time and nothing else", got, test.want)
			}
		})
	}
	m := measured{Samples: []sample{{CPU: 1, Wall: 30, Bytes: 9}, {CPU: 3, Wall: 10, Bytes: 8}, {CPU: 2, Wall: 20, Bytes: 7}}}
	if got, want := m.median(), (sample{CPU: 2, Wall: 20, Bytes: 8}); got != want {
		t.Errorf("each part by itself: got %v, want %v", got, want)
	}
}

func TestMet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name        string
		unit        unit
		ours, other sample
		aim         aim // of the other, if a ratio
		ratio       float64
		met         string
	}{
		{"no aim", cpuTime, sample{CPU: 10}, sample{CPU: 20}, aim{}, 0.5, ""},
		{"met", cpuTime, sample{CPU: 10, Wall: 99}, sample{CPU: 20, Wall: 1}, aim{Ratio: 0.6}, 0.5, "yes"},
		{"just met", wallTime, sample{Wall: 12}, sample{Wall: 10}, aim{Ratio: 1.2}, 1.2, "yes"},
		{"missed", byteCount, sample{Bytes: 13}, sample{Bytes: 10}, aim{Ratio: 1.2}, 1.3, "no"},
		{"nothing measured", cpuTime, sample{CPU: 13}, sample{}, aim{}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := result{Unit: test.unit, Servers: []measured{
				{Samples: []sample{test.ours}}, {Samples: []sample{test.other}, Aim: test.aim},
			}}
			if ratio, met := r.ratio(1), r.met(1); ratio != test.ratio || met != test.met {
				t.Errorf("ratio %v, met %q, want %v, %q", ratio, met, test.ratio, test.met)
			}
		})
	}
	for most, want := range map[float64]string{12: "yes", 10: "yes", 9: "no"} {
		r := result{Unit: residentBytes, Servers: []measured{{Aim: aim{Most: most}, Samples: []sample{{Bytes: 10}}}}}
		if got := r.met(0); got != want {
			t.Errorf("10 bytes, at most %v: met %q, want %q", most, got, want)
		}
	}
}

// TestFile reads a report that was written.
func TestFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "sub", "raw.json")
	want := exampleReport()
	if err := want.write(file); err != nil {
		t.Fatal(err)
	}
	got, err := readReport(file)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	want.Cases[0].Servers[1].Samples = nil
	if err := want.write(file); err != nil {
		t.Fatal(err)
	}
	if _, err := readReport(file); err == nil {
		t.Error("a server without samples is no error")
	}
}
