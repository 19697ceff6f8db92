package machine

import (
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
)

// checkEvery is the number of cycles between two checks of faults and limits. It does not
// change results: a fault ends the run at its own cycle.
const checkEvery = 1024

// Advance runs until the given cycle, the end of the program or an error,
// whichever is first, and reports whether the run is over. The slicing of a run does not
// change its results.
func (m *Machine) Advance(until sim.Cycle) (done bool, err error) {
	m.beside.start(m.job.Image)
	defer m.beside.stop()
	for m.err == nil && m.engine.Now() < until {
		if m.Done() {
			return true, nil
		}
		m.step(until)
	}
	return m.Done() || m.err != nil, m.err
}

// Run runs to the end.
func (m *Machine) Run() error {
	_, err := m.Advance(sim.Never - checkEvery)
	return err
}

// Done reports whether all launches have ended and all writes have been
// performed.
func (m *Machine) Done() bool { return m.dispatcher.Finished() && m.idle() }

// Finished reports whether all launches have ended. Memory may still be at work.
func (m *Machine) Finished() bool { return m.dispatcher.Finished() }

func (m *Machine) check() {
	for _, s := range m.sms {
		if f := s.Fault(); f != nil {
			f.Explain(m.job.Image, m.Read)
			m.err = f
			return
		}
	}
	if m.trainer != nil && m.trainer.err != nil {
		m.err = m.trainer.err
		return
	}
	if limit := m.job.ResidentLimitBytes; limit > 0 && m.job.Image.ResidentBytes() > limit {
		m.err = fmt.Errorf("machine: by cycle %d the program has written %d MB of device memory, but there is room for %d MB here: use a smaller size, or run it with the command line",
			m.engine.Now(), (m.job.Image.ResidentBytes()+1<<20-1)>>20, limit>>20)
		return
	}
	if m.dispatcher.Finished() || m.dispatcher.Waits() {
		return
	}
	if m.idle() {
		m.err = fmt.Errorf("machine: deadlock at cycle %d: no component has work left: %s", m.engine.Now(), m.waiting())
		return
	}
	if f := m.endless(); f != nil {
		m.err = f
		return
	}
	if m.engine.Now() >= m.job.CycleLimit {
		m.err = fmt.Errorf("machine: the program has not ended after %d cycles: %s", m.engine.Now(), m.waiting())
	}
}

// waiting describes which parts wait for which.
func (m *Machine) waiting() string {
	var b strings.Builder
	launch, left := m.dispatcher.Launch()
	fmt.Fprintf(&b, "launch %d has %d CTAs left", launch, left)
	shown := 0
	for i, s := range m.sms {
		if text := s.Waiting(); text != "" && shown < 4 {
			fmt.Fprintf(&b, "; SM %d: %s", i, text)
			shown++
		}
	}
	for i, s := range m.slices {
		if n := s.Outstanding(); n > 0 {
			fmt.Fprintf(&b, "; L2 slice %d waits for %d blocks of DRAM", i, n)
		}
	}
	for i, c := range m.memory {
		for k := range m.spec.Channels {
			if !c.Idle() {
				fmt.Fprintf(&b, "; channel %d: %s", i*m.spec.Channels+k, c.Waiting(k, m.engine.Now()))
			}
		}
	}
	return b.String()
}

// Now returns the current cycle; Cycles the cycle at which the last launch ended
// (so far: the current one).
func (m *Machine) Now() sim.Cycle { return m.engine.Now() }
func (m *Machine) Cycles() sim.Cycle {
	if !m.dispatcher.Finished() {
		return m.engine.Now()
	}
	last := m.dispatcher.Last()
	if last < 0 {
		return 0 // the host has left out all launches
	}
	_, end := m.dispatcher.Span(last)
	return end
}

// LaunchSpan returns the cycles in which a launch began and ended, 0 if it has not.
func (m *Machine) LaunchSpan(i int) (begin, end sim.Cycle) { return m.dispatcher.Span(i) }

// LaunchAccesses returns the blocks that the controllers accepted during a launch that has ended, and
// those of them with a part behind a link; zero without a backing.
func (m *Machine) LaunchAccesses(i int) memctrl.Accesses {
	if m.overlap.on || i >= len(m.accessed) || m.accessed[i] == (memctrl.Accesses{}) {
		return memctrl.Accesses{}
	}
	a := m.accessed[i]
	if i > 0 {
		a.All, a.Linked = a.All-m.accessed[i-1].All, a.Linked-m.accessed[i-1].Linked
	}
	return a
}

// LaunchBegan reports whether a launch has begun. The checks of the host may leave launches out.
func (m *Machine) LaunchBegan(i int) bool { return m.dispatcher.Began(i) }

func (m *Machine) accesses() (a memctrl.Accesses) {
	for _, c := range m.memory {
		one := c.Accesses()
		a.All, a.Linked = a.All+one.All, a.Linked+one.Linked
	}
	return a
}

// Launches returns the number of launches of the program.
func (m *Machine) Launches() int { return len(m.job.Launches) }

// Stores returns what Job.L1 made for this machine, nil without it.
func (m *Machine) Stores() cache.Stores { return m.stores }

// Spec returns what the machine was built from.
func (m *Machine) Spec() *parameter.GPU { return m.spec }

// Image returns the contents of DRAM. While L2 holds dirty lines the program sees other
// bytes: use Read for them.
func (m *Machine) Image() *mem.Image { return m.job.Image }

// AddressMap returns the map from addresses to channels, banks and rows.
func (m *Machine) AddressMap() *dram.AddressMap { return &m.amap }

// Ticks returns the component ticks executed, for benchmarks.
func (m *Machine) Ticks() (ticks uint64) {
	for _, e := range m.apart.engines {
		ticks += e.Ticks()
	}
	return ticks
}

// WarpInstructions returns the instructions issued so far; cheaper than Stats.
func (m *Machine) WarpInstructions() uint64 {
	n := uint64(0)
	for _, s := range m.sms {
		n += s.Stats[stat.WarpInstructions]
	}
	return n
}

// ThreadInstructions returns the thread instructions issued so far.
func (m *Machine) ThreadInstructions() uint64 { return m.threadInstructions() }

func (m *Machine) threadInstructions() uint64 {
	n := uint64(0)
	for _, s := range m.sms {
		n += s.Stats[stat.ThreadInstructions]
	}
	return n
}

// Stats returns the counters of all parts, up to now.
func (m *Machine) Stats() stat.Set {
	t, memory := m.frontStats(m.Cycles()), m.memoryStats()
	t.Add(&memory)
	return t
}

// frontStats returns the counters of the SMs and the crossbar of requests at cycle end. No SM that has work may be
// ahead of it.
func (m *Machine) frontStats(end sim.Cycle) stat.Set {
	t := m.sharedStats()
	for _, s := range m.sms {
		set := s.StatsUntil(end)
		t.Add(&set)
	}
	return t
}

// sharedStats returns the counters of the parts of the front that SMs share.
func (m *Machine) sharedStats() stat.Set {
	t := m.requests.Stats
	if m.walks != nil {
		t.Add(&m.walks.Stats)
	}
	return t
}

// memoryStats returns the counters of the other parts, up to now.
func (m *Machine) memoryStats() stat.Set {
	t := m.replies.Stats
	m.settleMemory()
	for _, s := range m.slices {
		t.Add(&s.Stats)
	}
	for i := range m.memStats {
		t.Add(&m.memStats[i])
	}
	t[stat.DRAMCycles] = m.spec.DRAMClock().Local(m.Cycles()) * uint64(m.spec.Slices())
	return t
}

// Settle brings every part up to the present, and emits the events before it. It changes
// nothing else.
func (m *Machine) Settle() { m.settleMemory() }

// settleMemory brings L2 and DRAM up to the present: a slice may sleep while it refuses requests, commands may
// lag behind, and channels without work refresh when they wake. It changes nothing else.
func (m *Machine) settleMemory() {
	for _, s := range m.slices {
		s.Settle(m.Cycles())
	}
	for _, c := range m.memory {
		c.Settle(m.Cycles())
	}
	m.job.Tap.Gather()
}

// ForEachDirty calls f with every L2 line that holds bytes newer than DRAM's.
func (m *Machine) ForEachDirty(f func(a mem.Addr, line *mem.Line, dirty mem.ByteMask)) {
	for _, s := range m.slices {
		s.ForEachDirty(f)
	}
}

// Read copies device memory at address a into dst as the host sees it: through
// L2. The machine must be done, or DRAM's queues may hold newer bytes.
func (m *Machine) Read(a mem.Addr, dst []byte) {
	m.job.Image.Read(a, dst)
	end := a + uint64(len(dst))
	m.ForEachDirty(func(at mem.Addr, line *mem.Line, dirty mem.ByteMask) {
		if at+mem.LineBytes <= a || at >= end {
			return
		}
		var newest mem.Line
		m.job.Image.ReadLine(at, &newest)
		newest.Merge(line, dirty)
		from, to := max(a, at), min(end, at+mem.LineBytes)
		copy(dst[from-a:to-a], newest[from-at:to-at])
	})
}

// memoryLine copies a line as L2 and DRAM hold it now, for counters. Stores on their way to
// L2 are not in it.
func (m *Machine) memoryLine(a mem.Addr, line *mem.Line) {
	m.job.Image.ReadLine(a, line)
	m.slices[m.amap.Channel(a)].Newest(a, line)
}

// L1 returns how the L1 of an SM is filled; ok is false if there is no such SM.
func (m *Machine) L1(sm int) (o cache.Occupancy, ok bool) {
	if sm < 0 || sm >= len(m.sms) {
		return o, false
	}
	return m.sms[sm].L1(), true
}

// LoadPolicies returns the load policies of the SMs, nil if every miss is fetched.
func (m *Machine) LoadPolicies() []sm.LoadPolicy {
	var list []sm.LoadPolicy
	for _, s := range m.sms {
		if p := s.Loads(); p != nil {
			list = append(list, p)
		}
	}
	return list
}

// Leaks reports lines and batches in flight that were never freed, an error in the
// simulator. The machine must be done.
func (m *Machine) Leaks() error {
	if n := m.arena.Live(); n != 0 {
		return fmt.Errorf("machine: %d lines were never freed", n)
	}
	if n := m.atomics.Live(); n != 0 {
		return fmt.Errorf("machine: %d atomic batches were never freed", n)
	}
	return nil
}

// Storages returns what knows the blocks of each controller.
func (m *Machine) Storages() []memctrl.Storage {
	var list []memctrl.Storage
	for _, c := range m.memory {
		list = append(list, c.Storage())
	}
	return list
}

// Stored returns how the block at line address a lies in DRAM; ok is false if no
// controller has seen it.
func (m *Machine) Stored(a mem.Addr) (s codec.Stored, ok bool) {
	return m.memory[m.amap.Channel(a)/m.spec.Channels].Stored(a)
}
