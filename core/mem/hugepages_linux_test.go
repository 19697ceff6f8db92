package mem

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"
)

// TestHugePages: what is allocated after the call may have huge pages, and the heap is as small as before.
func TestHugePages(t *testing.T) {
	if !helps() {
		t.Skip("this system has nothing to be asked for: it gives huge pages to all or to none, or counts addresses")
	}
	HugePages()
	b := make([]byte, 32<<20)
	flags := flagsOf(t, uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	if !strings.Contains(flags+" ", " hg ") {
		t.Errorf("32 MB have the flags %s", flags)
	}
	runtime.KeepAlive(b)
	b = nil
	runtime.GC()
	var s runtime.MemStats
	if runtime.ReadMemStats(&s); s.HeapInuse > heapBytes/8 {
		t.Errorf("the heap has %d MB", s.HeapInuse>>20)
	}
}

// flagsOf returns the flags of the mapping that holds an address.
func flagsOf(t *testing.T, at uintptr) string {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	in := false
	for lines := bufio.NewScanner(bytes.NewReader(maps)); lines.Scan(); {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			in = from <= at && at < to
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && in {
			return flags
		}
	}
	t.Fatalf("no mapping holds %#x", at)
	return ""
}
