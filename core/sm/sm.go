package sm

import (
	"math/bits"
	"slices"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// Env holds the parts that an SM shares with the machine.
type Env struct {
	// Launches of the program, in order. A Grant names one by its index.
	Launches []*ptx.Launch
	Image    *mem.Image
	Arena    *mem.Arena
	Atomics  *mem.Pool[arith.AtomicBatch]
	Tap      *probe.Tap
	Steps    Steps // of the launches
	// Exec is what an instruction is executed with. All SMs of a machine have the same, which stays in the host's caches.
	Exec *execute.Env
	// SliceOf maps a line address to the L2 slice in front of its channel.
	SliceOf func(mem.Addr) int
	// LocalBase is where the local memory of this SM's warps starts in the image, above all addresses if there is none.
	LocalBase mem.Addr
	// LocalWords is the local memory of a thread in 4-byte words.
	LocalWords int
	// Code and Parameters are, for each launch, the addresses of its kernel's instructions
	// and of its parameters in the image. Only the instruction cache and the constant cache
	// use them.
	Code, Parameters []mem.Addr
	// L1Store makes the store of the L1; Loads decides about load misses.
	L1Store cache.NewStore
	Loads   func(LoadEnv) LoadPolicy // nil: every miss is fetched
	// Memory reads a line as L2 and DRAM hold it now.
	Memory func(a mem.Addr, line *mem.Line)
	// L1Stays: L1 keeps its lines at the beginning of a launch; KeepCurrent has dropped the others.
	L1Stays bool
	// Clusters are the clusters of all SMs.
	Clusters *Clusters
	// TLB sizes the translation of addresses.
	TLB *cache.TLBConfig
	// Placed reports whether a storage places the bytes of an address, which takes arithmetic; nil = of none.
	Placed func(mem.Addr) bool
}

// Tools are what an SM works with and keeps nothing in between two ticks.
type Tools struct {
	Exec    *execute.Env
	Arena   *mem.Arena
	Atomics *mem.Pool[arith.AtomicBatch]
}

// Tools returns what the SM works with.
func (m *SM) Tools() Tools { return Tools{m.exec, m.env.Arena, m.env.Atomics} }

// TickWith is Tick with other tools, for a thread that has its own.
func (m *SM) TickWith(t *Tools, now sim.Cycle) sim.Cycle {
	own := m.Tools()
	m.use(t)
	next := m.Tick(now)
	m.use(&own)
	return next
}

func (m *SM) use(t *Tools) { m.exec, m.env.Arena, m.env.Atomics = t.Exec, t.Arena, t.Atomics }

// SM is one streaming multiprocessor. Its parts own their state: the frontend fetches
// instructions, the schedulers choose warps, the load/store unit performs memory
// instructions, the account charges cycles. The SM holds the warps and takes an
// instruction through the parts.
type SM struct {
	config *Config
	env    Env
	grants *sim.Link[Grant]
	done   *sim.Link[Done]
	in     *sim.Link[mem.Packet]
	port   port

	frontend   frontend
	schedulers schedulers
	lsu        loadStore
	texture    *textureUnit // nil if the program has no textures
	tensor     *tensorUnit  // nil until an operation of wgmma
	copies     copyUnit
	others     bool // it has texture or places for copies
	account    account
	meter      meter

	warps []warpSlot
	steps []step // of the present launch
	ctas  []ctaSlot
	exec  *execute.Env

	fetches bool   // of config.Fetch: it takes time
	limit   uint64 // config.WarpInstructionLimit
	residency

	ahead ahead
	wake  func(at sim.Cycle) // for a cluster
	fault *execute.Fault
	Stats stat.Set
}

// warpSlot is the place of one resident warp.
type warpSlot struct {
	warp  *execute.Warp
	ready []sim.Cycle // per score ID: when its value may be used
	warpState
	_ [8]byte // to a line of the host's caches
}

type warpState struct {
	instructions uint64
	cta          int16
	loads        int16 // memory operations without their values yet
	constants    int16 // the loads among them that read .param or .const
	stores       int32 // stores and reductions not yet acknowledged
	live         bool
	exited       bool
	atBarrier    bool
	fence        uint8 // what it waits for at a fence (ptx.FenceStores and its kin)
}

type ctaSlot struct {
	cta *execute.CTA
	ctaState
}

type ctaState struct {
	number  uint32
	first   int16 // first warp slot
	warps   int16
	running int16 // warps that have not exited
	live    bool
}

// residency is the present work of the SM.
type residency struct {
	launch int32
	live   int // resident warps
}

// New returns an SM without work and without links.
func New(c *Config, id int, e Env) *SM {
	if c.Warps > MaxWarps || c.Schedulers > MaxSchedulers || c.Warps%c.Schedulers != 0 ||
		c.Fetch.Cache.MSHRs > maxMisses || c.Constant.Cache.MSHRs > maxMisses || c.Policy >= NumPolicies ||
		c.Policy == PolicyTwoLevel && c.ActiveWarps < 1 {
		panic("sm: configuration out of range")
	}
	m := &SM{config: c, env: e, exec: e.Exec, residency: residency{launch: -1}, warps: make([]warpSlot, c.Warps), ctas: make([]ctaSlot, c.CTAs)}
	m.fetches, m.limit = c.Fetch.Width > 0, c.WarpInstructionLimit
	m.port = port{sm: uint16(id), sliceOf: e.SliceOf, flitBytes: c.FlitBytes}
	m.port.translator = newTranslator(&m.env, &m.Stats)
	m.frontend = frontend{config: &c.Fetch, icache: cache.NewReadOnly(c.Fetch.Cache), port: &m.port, slot: &m.schedulers.slot, stats: &m.Stats}
	m.schedulers.init(c)
	m.meter.schedulers = uint64(c.Schedulers)
	m.account.init(e.Launches)
	m.lsu = loadStore{
		config: c, env: &m.env, core: m, port: &m.port, warps: m.warps, counts: &m.account, stats: &m.Stats,
		l1: cache.NewL1(c.L1, e.L1Store, cache.StoreEnv{Stats: &m.Stats, Meter: &m.meter}), constants: cache.NewReadOnly(c.Constant.Cache),
	}
	var policy LoadPolicy
	if e.Loads != nil {
		policy = e.Loads(LoadEnv{SM: id, Stats: &m.Stats, Memory: e.Memory})
	}
	m.lsu.loads = newLoadsAsked(policy, m.lsu.l1, c.L1.MSHRs)
	m.lsu.opQueue.init(c)
	if slices.ContainsFunc(e.Launches, func(l *ptx.Launch) bool { return len(l.Textures) > 0 }) {
		m.texture, m.others = newTextureUnit(m, c), true
	}
	return m
}

// Attach connects the SM: CTAs from and to the dispatcher, packets to and from
// the crossbars.
func (m *SM) Attach(grants *sim.Link[Grant], done *sim.Link[Done], out, in *sim.Link[mem.Packet]) {
	m.grants, m.done, m.port.out, m.in = grants, done, out, in
}

// AttachTLB connects the SM with the shared TLB.
func (m *SM) AttachTLB(asks, answers *sim.Link[mem.Addr]) {
	t := m.port.translator
	t.asks, t.answers, t.out = asks, answers, m.port.out
}

// Loads returns the load policy, nil if every miss is fetched.
func (m *SM) Loads() LoadPolicy { return m.lsu.loads.policy }

// KeepCurrent drops the lines of L1 that are not as memory has them. A launch has ended.
func (m *SM) KeepCurrent() { m.lsu.l1.KeepCurrent(m.env.LocalBase, m.env.Memory) }

// L1 returns how the SM's L1 is filled, and which of its lines were predicted.
func (m *SM) L1() cache.Occupancy {
	o, lines := m.lsu.l1.Occupancy()
	for i, g := range m.lsu.loads.guessed {
		if t := &o.Tags[i]; t.Data && g.addr == lines[i] {
			t.Predicted, t.Wrong = true, !g.wrong.Empty()
		}
	}
	return o
}

// Fault returns the error that stopped the SM, or nil.
func (m *SM) Fault() *execute.Fault { return m.fault }

// cycle does the work of one cycle and returns the cycle of the next work. It receives replies and
// CTAs, moves the load/store unit by one line and lets each scheduler issue one instruction.
func (m *SM) cycle(now sim.Cycle) sim.Cycle {
	m.charge(now)
	if m.fault != nil {
		return never
	}
	if now >= m.ahead.arrives {
		if p, ok := m.in.Peek(now); ok {
			m.reply(now, p)
			m.in.Drop(now)
		}
		if g, ok := m.grants.Peek(now); ok {
			m.start(now, *g)
			m.grants.Drop(now)
		}
		m.ahead.arrives = sim.Min(m.in.NextReady(), m.grants.NextReady())
	}
	// Count packets in flight even if nothing arrived now: the wake of a later packet is
	// lost if this tick was asked for first.
	next := max(m.ahead.arrives, now+1)
	if m.port.misses.n > 0 {
		m.port.sendMisses(now)
	}
	if m.port.translator != nil {
		next = sim.Min(next, m.port.translator.step(now))
	}
	if m.lsu.pending() && !m.lsu.stuck {
		full := m.lsu.full()
		next = sim.Min(next, m.lsu.step(now))
		if full && !m.lsu.full() {
			m.schedulers.changeAll()
		}
	}
	if m.others {
		next = sim.Min(next, m.stepOthers(now))
	}
	q := &m.schedulers
	q.looked = false
	q.issued = false
	for s := range q.sets[:q.number] {
		// One that sleeps knows until when nothing changes.
		at := q.sleeps[s]
		if now >= at {
			if q.policy != PolicyTwoLevel {
				at = m.scheduleSets(now, s, &q.sets[s])
			} else {
				at = m.schedule(now, s)
			}
		}
		next = min(next, at)
	}
	if m.fault != nil {
		return never
	}
	m.classify(q.issued)
	if !m.lsu.waits() {
		// Something entered the queue in this cycle.
		next = sim.Min(next, max(m.lsu.freeAt, now+1))
	}
	if m.others && m.texture != nil && m.texture.pending() {
		next = sim.Min(next, max(m.texture.freeAt, now+1))
	}
	return next
}

// stepOthers does the work of a cycle of the units that few programs have.
func (m *SM) stepOthers(now sim.Cycle) (next sim.Cycle) {
	next = never
	if m.texture != nil && m.texture.pending() {
		next = m.texture.step(now)
	}
	if m.copies.live > 0 {
		next = sim.Min(next, m.stepCopies(now))
	}
	return next
}

// full reports whether no memory instruction can issue.
func (m *SM) full() bool { return m.lsu.full() || m.texture != nil && m.texture.full() }

// reply takes a packet from L2.
func (m *SM) reply(now sim.Cycle, p *mem.Packet) {
	exhausted := m.lsu.exhausted()
	switch p.Kind {
	case mem.PacketData:
		switch i := int(p.Tag &^ tagKinds); p.Tag & tagKinds {
		case tagInstruction:
			m.instructionsArrived(now, i)
			m.env.Arena.Free(p.Data)
		case tagConstant:
			m.lsu.arrivedConstant(i)
			m.env.Arena.Free(p.Data)
		case tagTexture:
			m.texture.arrived(now, p)
		default:
			m.lsu.arrivedData(now, p)
		}
	case mem.PacketAck:
		m.stored(now, int(p.Tag))
	case mem.PacketOld:
		m.lsu.arrivedOld(now, p)
	}
	if exhausted {
		m.schedulers.changeAll() // an op may have become free
	}
	if m.env.Tap.On() {
		m.env.Tap.Emit(probe.Event{Cycle: now, Addr: p.Addr, Req: p.Cause, A: uint32(p.Kind), Unit: m.port.sm, Kind: probe.KindReply})
	}
}

// instructionsArrived lets warps that waited for an MSHR's line fetch again.
func (m *SM) instructionsArrived(now sim.Cycle, mshr int) {
	for _, warps := range m.frontend.arrived(mshr) {
		for x := warps; x != 0; x &= x - 1 {
			slot := bits.TrailingZeros64(x)
			m.frontend.fetch(now, slot, m.pcOf(slot), now)
			m.resume(now, slot)
		}
	}
}

// charge adds the cycles since the last tick to the counters of the reason noted then.
func (m *SM) charge(now sim.Cycle) {
	c := &m.account
	elapsed := uint64(now - c.accounted)
	c.accounted = now
	if elapsed == 0 {
		return
	}
	m.countSlots(elapsed)
	m.Stats[stat.L1OutstandingCycles] += elapsed * uint64(m.lsu.l1.Outstanding())
	if m.live == 0 {
		return
	}
	m.Stats[stat.SMActiveCycles] += elapsed
	if c.busy {
		m.Stats[c.stalled] += elapsed
		c.counts[c.blamed].StallCycles += elapsed
	} else if elapsed > 1 {
		// The tick itself issued; cycles slept since were operand latency.
		m.Stats[stat.StallPipelineCycles] += elapsed - 1
		c.counts[c.blamed].StallCycles += elapsed - 1
	}
}

// classify notes the reason why nothing was issued in this tick.
func (m *SM) classify(issued bool) {
	c := &m.account
	c.busy = !issued
	if issued {
		c.blames = false
	} else if m.live > 0 && (m.schedulers.looked || !c.blames) {
		c.blames = true
		m.blame()
	}
}
