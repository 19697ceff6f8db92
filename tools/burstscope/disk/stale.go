package disk

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"time"
)

// The temporary files of writeWith tell who writes them: a hash of the host, and the number of the process there.
// A process that is killed leaves its file.

const writingFormat = ".writing-%08x-%d-%08x"

var writingPattern = regexp.MustCompile(`^\.writing-(?:([0-9a-f]{8})-([0-9]{1,10})-[0-9a-f]{8}|[0-9a-f]{16})$`)

func writingName(host uint32, process int, number uint32) string {
	return fmt.Sprintf(writingFormat, host, process, number)
}

// staleAfter is the age from which a file is stale whose process cannot be asked: that of another host, or of an earlier
// version [ours]. Writing takes seconds; a trace takes longer, and its file grows until it ends.
const staleAfter = 7 * 24 * time.Hour

// thisHost is a hash of the host's name and of what numbers its processes: containers of one host may have
// numbers of their own.
var thisHost = sync.OnceValue(func() uint32 {
	h := fnv.New32a()
	name, _ := os.Hostname()
	space, _ := os.Readlink("/proc/self/ns/pid")
	fmt.Fprint(h, name, space)
	return h.Sum32()
})

// isStale reports whether a file is what a killed process has left.
func isStale(name string, age time.Duration, host uint32, alive func(process int) bool) bool {
	m := writingPattern.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	process, err := strconv.Atoi(m[2])
	if err != nil || m[1] != fmt.Sprintf("%08x", host) {
		return age > staleAfter
	}
	return !alive(process)
}

var looked sync.Map // at folders, by name

// RemoveStale removes the files that killed processes have left in a folder, once in a process.
func RemoveStale(folder string) {
	if _, again := looked.LoadOrStore(folder, true); again {
		return
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return // it does not exist yet, or who writes to it says what is wrong
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && isStale(e.Name(), time.Since(info.ModTime()), thisHost(), alive) {
			_ = os.Remove(filepath.Join(folder, e.Name())) // another process may have removed it
		}
	}
}
