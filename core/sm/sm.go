package sm

import (
	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Env is what an SM shares with the machine around it.
type Env struct {
	// Launches of the program, in order. A Grant names one by its index.
	Launches []*ptx.Launch
	Image    *mem.Image
	Arena    *mem.Arena
	Atomics  *mem.Pool[ptx.AtomicBatch]
	Tap      *probe.Tap
	// SliceOf maps a line address to the L2 slice in front of its channel.
	SliceOf func(mem.Addr) int
	// LocalBase is where the local memory of this SM's warps starts in the image.
	LocalBase mem.Addr
	// LocalWords is the local memory of a thread in 4-byte words.
	LocalWords int
	SMs        int
	// Code and Parameters say, for each launch, where its kernel's instructions and
	// its parameters lie in the image. They are not used without the caches for
	// them.
	Code, Parameters []mem.Addr
	// CoreMHz turns cycles into the nanoseconds of %globaltimer.
	CoreMHz uint64
}

// SM is one streaming multiprocessor.
type SM struct {
	config *Config
	env    Env
	id     int
	grants *sim.Link[Grant]
	done   *sim.Link[Done]
	out    *sim.Link[mem.Packet]
	in     *sim.Link[mem.Packet]

	l1        *cache.L1
	icache    *cache.ReadOnly
	constants *cache.ReadOnly

	schedulerOf [MaxWarps]uint8 // of each slot

	warps []warpSlot
	ctas  []ctaSlot
	exec  ptx.Env

	lastAlloc mem.Allocation // where the last address was found

	schedule
	frontend
	slots
	lsu
	residency
	counting

	fault *ptx.Fault
	Stats stat.Set
}

// schedule is what the schedulers look at each cycle, apart from the warps'
// large states.
type schedule struct {
	// readyAt is the first cycle at which a warp's next instruction has its
	// operands; Never while it waits for memory, a barrier or a fence.
	readyAt [MaxWarps]sim.Cycle
	unit    [MaxWarps]Unit // of the next instruction
	// at is where a warp stands: the next instruction, or the barrier, fence or
	// exit that holds it.
	at      [MaxWarps]int32
	order   [MaxSchedulers][MaxWarps]uint8
	resides [MaxSchedulers]int   // warps in order
	greedy  [MaxSchedulers]int16 // slot issued last, -1 if none
	// residents and active are sets of slots: the scheduler's warps, and those it
	// chooses among under PolicyTwoLevel.
	residents, active [MaxSchedulers]uint64
	// A scheduler whose warps all wait looks again in cycle sleeps, or when one of
	// them or the load/store unit has changed.
	sleeps  [MaxSchedulers]sim.Cycle
	changed [MaxSchedulers]bool
	// together says that a warp's next instruction could go with the one before.
	together [MaxWarps]bool
	aluFree  [MaxSchedulers]sim.Cycle
	free     [numUnits]sim.Cycle // of the shared units
	causes   uint32              // requests numbered so far, for the probe
	readiness
}

// warpSlot is the place of one resident warp.
type warpSlot struct {
	warp  *ptx.Warp
	ready []sim.Cycle // per score ID: when its value may be used
	warpState
}

type warpState struct {
	instructions uint64
	cta          int16
	loads        int16 // memory operations whose values are under way
	constants    int16 // of these, reads of .param and .const
	stores       int32 // stores and reductions not yet acknowledged
	live         bool
	exited       bool
	atBarrier    bool
	atFence      bool
}

type ctaSlot struct {
	cta *ptx.CTA
	ctaState
}

type ctaState struct {
	number  uint32
	first   int16 // first warp slot
	warps   int16
	running int16 // warps that have not exited
	live    bool
}

// residency is what the SM runs at present.
type residency struct {
	launch    int32
	live      int // resident warps
	accounted sim.Cycle
	stalled   stat.Counter // what the cycles since accounted count as
	busy      bool         // stalled is valid: no instruction was issued
	looked    bool         // a scheduler has looked at its warps in this tick
	blames    bool         // stalled and blamed hold for as long as no scheduler looks
}

// New returns an SM without work and without links.
func New(c *Config, id int, e Env) *SM {
	if c.Warps > MaxWarps || c.Schedulers > MaxSchedulers || c.Warps%c.Schedulers != 0 ||
		c.Fetch.Cache.MSHRs > maxMisses || c.Constant.Cache.MSHRs > maxMisses || c.Policy >= NumPolicies ||
		c.Policy == PolicyTwoLevel && c.ActiveWarps < 1 {
		panic("sm: configuration out of range")
	}
	m := &SM{
		config: c, env: e, id: id,
		l1: cache.NewL1(c.L1), icache: cache.NewReadOnly(c.Fetch.Cache), constants: cache.NewReadOnly(c.Constant.Cache),
		warps: make([]warpSlot, c.Warps), ctas: make([]ctaSlot, c.CTAs),
		residency: residency{launch: -1},
	}
	for i := range m.readyAt {
		m.readyAt[i] = never
	}
	for i := range m.schedulerOf {
		m.schedulerOf[i] = uint8(i % c.Schedulers)
	}
	for i := range m.greedy {
		m.greedy[i] = -1
		m.doing[i] = reasonIdle
	}
	m.lsu.init(c)
	m.counting.init(e.Launches)
	m.exec.SMID, m.exec.SMCount, m.exec.WarpSlots, m.exec.ClockMHz = uint32(id), uint32(e.SMs), uint32(c.Warps), e.CoreMHz
	return m
}

// Attach connects the SM: CTAs from and to the dispatcher, packets to and from
// the crossbars.
func (m *SM) Attach(grants *sim.Link[Grant], done *sim.Link[Done], out, in *sim.Link[mem.Packet]) {
	m.grants, m.done, m.out, m.in = grants, done, out, in
}

// Fault returns the error that stopped the SM, nil while all is well.
func (m *SM) Fault() *ptx.Fault { return m.fault }

// Tick receives replies and CTAs, moves the load/store unit by one line and lets
// each scheduler issue one instruction.
func (m *SM) Tick(now sim.Cycle) sim.Cycle {
	m.account(now)
	if m.fault != nil {
		return never
	}
	if p, ok := m.in.Peek(now); ok {
		m.reply(now, p)
		m.in.Drop(now)
	}
	if g, ok := m.grants.Peek(now); ok {
		m.start(now, *g)
		m.grants.Drop(now)
	}
	// What is still on its way counts whether or not something came now: its wake
	// is forgotten if this tick was asked for before it.
	next := max(sim.Min(m.in.NextReady(), m.grants.NextReady()), now+1)
	if m.misses.n > 0 {
		m.sendMisses(now)
	}
	if m.length > 0 && !m.l1Full {
		queued := m.length
		next = sim.Min(next, m.loadStore(now))
		if m.length < queued {
			m.changed = [MaxSchedulers]bool{true, true, true, true}
		}
	}
	issued := false
	m.looked = false
	for s := 0; s < m.config.Schedulers; s++ {
		ok, at := m.dispatch(now, s)
		issued = issued || ok
		next = sim.Min(next, at)
	}
	if m.fault != nil {
		return never
	}
	m.classify(issued)
	if m.lsuPending() && !m.l1Full {
		// Something entered the queue in this cycle.
		next = sim.Min(next, max(m.lsuFree, now+1))
	}
	return next
}

// account charges the cycles since the last tick to what the SM did then.
func (m *SM) account(now sim.Cycle) {
	elapsed := uint64(now - m.accounted)
	m.accounted = now
	if elapsed == 0 {
		return
	}
	m.countSlots(elapsed)
	m.Stats[stat.L1OutstandingCycles] += elapsed * uint64(m.l1.Outstanding())
	if m.live == 0 {
		return
	}
	m.Stats[stat.SMActiveCycles] += elapsed
	if m.busy {
		m.Stats[m.stalled] += elapsed
		m.counts[m.blamed].StallCycles += elapsed
	} else {
		// The tick itself issued; cycles slept since were operand latency.
		m.Stats[stat.StallPipelineCycles] += elapsed - 1
		m.counts[m.blamed].StallCycles += elapsed - 1
	}
}

// classify remembers why nothing was issued in this tick.
func (m *SM) classify(issued bool) {
	m.busy = !issued
	if issued {
		m.blames = false
	} else if m.live > 0 && (m.looked || !m.blames) {
		m.blames = true
		m.blame()
	}
}
