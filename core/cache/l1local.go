package cache

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// Local is how L1 treats stores to local memory. No other SM reads it, so L1 may keep it.
type Local uint8

const (
	// LocalThrough sends them to L2, as stores to global memory.
	LocalThrough Local = iota
	// LocalBack keeps a store that hits: its line is written to L2 when it leaves (GPGPU-Sim
	// 3.2.1, gpu-cache.cc, data_cache::wr_hit_global_we_local_wb). A store that misses goes to L2
	// and takes no line. Lines are not sectored then.
	LocalBack
	NumLocals
)

// LocalNames are the names of the treatments, in their order.
var LocalNames = [NumLocals]string{"through", "back"}

// keptLines are the lines of an L1 that L2 does not have.
type keptLines struct {
	addr []mem.Addr // per entry: the kept line, or NoLine
	n    int
	// victim is the kept line that had to leave for the last miss, until Victim takes it.
	victim  mem.Line
	leaving mem.Addr
	left    bool
}

func (k *keptLines) init(entries int) {
	k.addr = make([]mem.Addr, entries)
	k.clear()
}

func (k *keptLines) clear() {
	for i := range k.addr {
		k.addr[i] = NoLine
	}
	k.n = 0
}

func (k *keptLines) keep(e int, a mem.Addr) {
	if k.addr[e] == NoLine {
		k.n++
	}
	k.addr[e] = a
}

func (k *keptLines) forget(e int) {
	if k.addr[e] != NoLine {
		k.n--
	}
	k.addr[e] = NoLine
}

func (k *keptLines) leave(e int, line *mem.Line) {
	k.victim, k.leaving, k.left = *line, k.addr[e], true
	k.forget(e)
}

func (k *keptLines) state(t *tape.Tape) {
	if len(k.addr) > 0 {
		tape.Values(t, k.addr)
		tape.Value(t, &k.n)
	}
}

// Keeps reports whether L1 holds lines that L2 does not have, so that a miss may send two packets.
func (l *L1) Keeps() bool { return l.kept.n > 0 }

// Keep gives bytes of a store to local memory to the line, and reports whether L1 holds it: then
// L2 gets them only when the line leaves. No line may be kept under LocalThrough.
func (l *L1) Keep(now sim.Cycle, a mem.Addr, data *mem.Line, mask mem.ByteMask) bool {
	e, held := l.store.Find(a)
	if e < 0 || held != mem.FullMask.Sectors() {
		return false
	}
	line, _ := l.store.Read(now, e)
	merged := *line
	merged.Merge(data, mask)
	l.store.Fill(now, e, &merged, held)
	l.store.Use(now, e, Hit, mem.EvictDefault)
	l.kept.keep(e, a)
	return true
}

// Victim takes the kept line that had to leave for the last miss, if any. The bytes are valid
// until the next call.
func (l *L1) Victim() (a mem.Addr, line *mem.Line, ok bool) {
	k := &l.kept
	ok, k.left = k.left, false
	return k.leaving, &k.victim, ok
}
