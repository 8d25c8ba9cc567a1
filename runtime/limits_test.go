package runtime

import (
	"flag"
	"io"
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	t.Parallel()
	want := limits{startTimeout: time.Minute, drainTimeout: 30 * time.Second, replicas: 1, maxQueue: 1024, shmLimit: 256 << 20}
	if got := defaultLimits(); got != want {
		t.Errorf("without flags: %+v", got)
	}
	for _, tt := range []struct {
		args []string
		want limits
	}{
		{[]string{"--call-timeout=1ns", "--drain-timeout=0s", "--start-timeout=1h", "--replicas=256", "--max-queue=1", "--shm-limit=1"},
			limits{1, time.Hour, 0, 256, 1, 1}},
		{[]string{"--call-timeout", "1m30s", "--shm-limit", "3KiB"}, limits{90 * time.Second, time.Minute, 30 * time.Second, 1, 1024, 3 << 10}},
		{[]string{"--shm-limit", "2GiB"}, limits{0, time.Minute, 30 * time.Second, 1, 1024, 2 << 30}},
	} {
		l := defaultLimits()
		set := flag.NewFlagSet("", flag.ContinueOnError)
		l.define(set)
		l.defineForPools(set)
		if err := set.Parse(tt.args); err != nil || l != tt.want {
			t.Errorf("%q: %+v, %v", tt.args, l, err)
		}
	}
}

func TestLimitErrors(t *testing.T) {
	t.Parallel()
	for _, arg := range []string{
		"--call-timeout=0s", "--call-timeout=-1s", "--call-timeout=5", "--call-timeout=", "--drain-timeout=-1ns", "--start-timeout=0s",
		"--replicas=0", "--replicas=257", "--replicas=two", "--max-queue=0", "--max-queue=1048577",
		"--shm-limit=0", "--shm-limit=-1MiB", "--shm-limit=MiB", "--shm-limit=1.5GiB", "--shm-limit=10MB", "--shm-limit=9223372036854775807KiB",
	} {
		var l limits
		set := flag.NewFlagSet("", flag.ContinueOnError)
		set.SetOutput(io.Discard)
		l.define(set)
		l.defineForPools(set)
		if err := set.Parse([]string{arg}); err == nil {
			t.Errorf("%s: no error: %+v", arg, l)
		}
	}
}
