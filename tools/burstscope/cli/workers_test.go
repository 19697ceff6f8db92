package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestWorkers: no more runs at a time than there are, or than memory holds; no number is too large.
func TestWorkers(t *testing.T) {
	for _, c := range []struct{ jobs, units, most int }{{1, 5, 1}, {3, 2, 2}, {1 << 62, 7, 7}, {1_000_000_000, 1, 1}, {4, 0, 1}} {
		if n := Workers(c.jobs, c.units, io.Discard); n < 1 || n > c.most {
			t.Errorf("--jobs %d of %d: %d at a time", c.jobs, c.units, n)
		}
	}
	var status bytes.Buffer
	if free := freeBytes(); free > 0 {
		if n := Workers(1<<62, 1<<30, &status); n > int(free/bytesOfRun)+8 || !strings.Contains(status.String(), "MB of memory are free") {
			t.Errorf("%d at a time with %d MB\n%s", n, free>>20, status.String())
		}
	}
	if n := availableOf(strings.NewReader("MemTotal:       24 kB\nMemAvailable:   2048 kB\n")); n != 2<<20 {
		t.Errorf("%d bytes", n)
	}
}
