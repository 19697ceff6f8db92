package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// bytesOfRun is the memory that a run is taken to need [ours]. Those of the shipped programs at the sizes of the claims
// need 30 to 200 MB, and caches of a machine have at most 256 MB (parameter.Check).
const bytesOfRun = 256 << 20

// Workers returns how many of units of work run at a time: the given number, but no more than there are, nor than the memory that
// is free holds. status hears of the latter.
func Workers(jobs, units int, status io.Writer) int {
	n := max(1, min(jobs, units))
	if free := freeBytes(); free > 0 && n > max(1, int(free/bytesOfRun)) {
		n = max(1, int(free/bytesOfRun))
		fmt.Fprintf(status, "--jobs: %d runs at a time, because %d MB of memory are free and a run is taken to need %d MB\n", n, free>>20, bytesOfRun>>20)
	}
	return n
}

// freeBytes is the memory that this process may still take, 0 if the system does not tell.
func freeBytes() uint64 {
	free := uint64(0)
	lower := func(n uint64) {
		if n > 0 && (free == 0 || n < free) {
			free = n
		}
	}
	if f, err := os.Open("/proc/meminfo"); err == nil {
		lower(availableOf(f))
		f.Close()
	}
	// The group of processes of a container or of a cluster's job (cgroup v2).
	if limit := numberIn("/sys/fs/cgroup/memory.max"); limit > 0 {
		if used := numberIn("/sys/fs/cgroup/memory.current"); used < limit {
			lower(limit - used)
		}
	}
	return free
}

// availableOf reads the memory that is available from the text of /proc/meminfo.
func availableOf(text io.Reader) uint64 {
	for lines := bufio.NewScanner(text); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemAvailable:"); ok {
			n, _ := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 54)
			return n << 10
		}
	}
	return 0
}

// numberIn reads a file with a number, 0 if it holds none.
func numberIn(name string) uint64 {
	b, err := os.ReadFile(name)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseUint(strings.TrimSpace(string(b)), 10, 64)
	return n
}
