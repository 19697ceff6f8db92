package cache

import "github.com/burstscope/burstscope/core/mem"

// Launches is what happens to the lines of L1 between two launches.
type Launches uint8

const (
	// LaunchesForget drops all of them.
	LaunchesForget Launches = iota
	// LaunchesKeep keeps lines whose bytes still equal memory. GPGPU-Sim 3.2.1 keeps stale ones too
	// (gpgpu_flush_l1_cache 0), which holds no bytes; here a program would read them.
	LaunchesKeep
	NumLaunches
)

// LaunchesNames are the names of what happens, in their order.
var LaunchesNames = [NumLaunches]string{"forget", "keep"}

// KeepCurrent drops every line between two launches that is not as memory has it, or lies at an address from local
// on, where the threads that own it have ended. memory reads a line as L2 and DRAM hold it. No load may be
// outstanding.
func (l *L1) KeepCurrent(local mem.Addr, memory func(a mem.Addr, line *mem.Line)) {
	for e, waits := range l.waits {
		a := l.store.Line(e)
		if a == NoLine {
			continue
		}
		line, sectors := l.store.Bytes(e)
		var newest mem.Line
		if a < local && waits == 0 {
			memory(a, &newest)
			both := newest
			both.Merge(line, mem.SectorMask(sectors))
			if both == newest {
				continue
			}
		}
		l.dropEntry(e)
	}
}

// Begin tells the store which launch begins; its lines stay.
func (l *L1) Begin(launch int) { l.store.Begin(launch) }
