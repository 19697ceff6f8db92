package mem

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
)

// heapBytes is how much of the heap may have huge pages [ours]: a run on `h200` takes 300 MB.
const heapBytes = 512 << 20

// HugePages lets the heap have pages of 2 MB, where Linux gives them to who asks. A large GPU's registers, caches
// and memory are touched all over: with pages of 4 kB a tenth of a run is spent on making them, and two threads wait
// for each other there (core/BENCHMARKS.md). It takes a block of the heap, marks its addresses, and leaves the
// block to the garbage collector: what the heap has there later may have huge pages.
var HugePages = sync.OnceFunc(func() {
	if !helps() {
		return
	}
	_ = syscall.Madvise(make([]byte, heapBytes), syscall.MADV_HUGEPAGE) // nothing depends on it
	runtime.GC()
})

// helps reports whether huge pages have to be asked for, and whether nothing bounds the addresses of the process,
// which a block counts by its size.
func helps() bool {
	const unbounded = 16 << 30
	mode, _ := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled")
	counted, _ := os.ReadFile("/proc/sys/vm/overcommit_memory")
	var addresses syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_AS, &addresses)
	return strings.Contains(string(mode), "[madvise]") && !strings.HasPrefix(string(counted), "2") &&
		err == nil && addresses.Cur >= unbounded && debug.SetMemoryLimit(-1) >= unbounded
}
