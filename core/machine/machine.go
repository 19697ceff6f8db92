// Package machine connects the parts of a GPU into a machine that runs a program. No
// other package imports all parts. A Machine is plain state, built from parameter.GPU,
// which is immutable data.
package machine

import (
	"fmt"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/noc"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// Job is the work of a machine.
type Job struct {
	Launches []*ptx.Launch
	// Order has the checks that the host makes between launches; nil = none.
	Order *ptx.Order
	// Image is device memory as the host has filled it. The machine changes it.
	Image  *mem.Image
	Scheme codec.Scheme
	// Coding replaces the latencies of the scheme; nil = its own.
	Coding *memctrl.Coding
	// L1 makes the parts that keep the lines of the L1s; nil = cache.Plain in each SM.
	L1 func() (cache.Stores, error)
	// Loads makes the policy of an SM for load misses; nil = every miss is fetched.
	Loads func(e sm.LoadEnv) sm.LoadPolicy
	// Backing makes the storages and links of the controllers; nil = every block lies in
	// device memory.
	Backing Backing
	// Placed reports whether the backing places the bytes of an address, which takes arithmetic in its translation;
	// nil = of none.
	Placed func(mem.Addr) bool
	Tap    *probe.Tap // nil = off
	// Observer sees every block that crosses a controller; nil = none.
	Observer memctrl.Observer
	// Sampler collects symbol statistics at the start of the run and then
	// provides the scheme (online probabilities); nil = Scheme from the start.
	Sampler  Sampler
	Paranoid bool // check that compression changes only what it may
	// CycleLimit ends a run that takes longer, 0 = DefaultCycleLimit.
	CycleLimit sim.Cycle
	// ResidentLimitBytes ends a run when its pages of device memory take more room than the
	// host has; 0 = no limit.
	ResidentLimitBytes uint64
	// Unordered says that the observer minds no order among the blocks of different controllers.
	Unordered bool
	// Threads is how many threads may work on the run; 0 and 1 are the caller's alone. It changes no results (see beside).
	Threads int
	// Alone is how many ticks of SMs and windows of controllers the caller does alone before the other threads start.
	Alone int
}

// Backing makes what the controllers of a machine share, such as a link. first configures the first of them.
type Backing func(first *memctrl.Config, image *mem.Image) (Attach, error)

// Attach makes the storage and the link of a controller, and may change its configuration before.
type Attach func(c *memctrl.Config) (memctrl.Storage, Link)

// Link makes the backing behind the link of a channel (numbered within its controller)
// that works for a front and counts in s; nil = no link.
type Link func(channel int, f memctrl.Front, s *stat.Set) memctrl.Backing

// Sampler is the online estimation of E2MC (section III-B): blocks stay raw until a given
// number of thread instructions has run.
type Sampler interface {
	memctrl.Observer
	ThreadInstructions() uint64
	// Scheme is called once, when the sample is complete.
	Scheme() (codec.Scheme, error)
	// Clone returns an independent copy, for saved states.
	Clone() Sampler
	// AppendBinary appends the sample to b, and Parse returns a sampler with such a sample.
	AppendBinary(b []byte) []byte
	Parse(b []byte) (Sampler, error)
}

// DefaultCycleLimit ends runs that would never end [ours].
const DefaultCycleLimit sim.Cycle = 2_000_000_000

// Machine is a GPU with a program.
type Machine struct {
	spec *parameter.GPU
	job  Job

	engine     sim.Engine
	apart      apart
	beside     beside
	period     func() // of the recorder
	recorded   bool   // there is one
	dispatcher *sm.Dispatcher
	// What the host wakes when it has checked.
	dispatcherID, trainerID, walksID sim.ID
	sms                              []*sm.SM
	requests                         *noc.Crossbar
	replies                          *noc.Crossbar
	walks                            *cache.Walks // nil if translating addresses takes no time
	slices                           []*cache.L2
	memory                           []*memctrl.Controller
	memStats                         []stat.Set
	stores                           cache.Stores // nil without Job.L1
	trainer                          *trainer
	tape                             *tape.Tape    // of Save, Load and Digest, nil before
	unpacked                         *mem.Unpacked // of Load, nil before

	arena   *mem.Arena
	atomics *mem.Pool[arith.AtomicBatch]
	amap    dram.AddressMap
	packets []*sim.Link[mem.Packet]
	pages   []*sim.Link[mem.Addr] // to and from the shared TLB
	blocks  []*sim.Link[mem.BlockRequest]
	fills   []*sim.Link[mem.BlockReply]
	grants  []*sim.Link[sm.Grant]
	dones   []*sim.Link[sm.Done]

	// accessed are the blocks that the controllers had accepted by the end of each launch; nil without
	// a backing.
	accessed []memctrl.Accesses
	figures  launchFigures
	overlap  overlap
	stuck    stuck

	localBase  mem.Addr
	localWords int
	code       []mem.Addr // of each launch
	parameters []mem.Addr

	err error
}

// linkDepth is the number of packets a port buffers (GPGPU-Sim's
// input_buffer_size of the fly network is 256 flits; 64 packets of up to 4).
const linkDepth = 64

// New builds the machine for a job. The error names the part that does not fit.
func New(spec *parameter.GPU, job Job) (*Machine, error) {
	if len(job.Launches) == 0 {
		return nil, fmt.Errorf("machine: nothing to launch")
	}
	if job.CycleLimit == 0 {
		job.CycleLimit = DefaultCycleLimit
	}
	if job.L1 != nil && spec.SM.L1.Local == cache.LocalBack {
		return nil, fmt.Errorf("machine: sm.l1.local is back, but only an L1 without a scheme keeps lines that L2 does not have: use through")
	}
	mem.HugePages()
	amap, err := dram.ParseAddressMap(spec.AddressMap, spec.Slices(), spec.AddressHash)
	if err != nil {
		return nil, err
	}
	m := &Machine{spec: spec, job: job, amap: amap, arena: mem.NewArena(4096), atomics: newAtomics()}
	room, err := m.fit()
	if err != nil {
		return nil, err
	}
	if m.localBase, m.localWords, err = m.allocateLocal(); err != nil {
		return nil, err
	}
	if err := m.allocateCode(); err != nil {
		return nil, err
	}
	if err := m.buildSMs(room); err != nil {
		return nil, err
	}
	if err := m.buildMemory(); err != nil {
		return nil, err
	}
	m.wire()
	return m, nil
}

// fit returns how many CTAs of each launch an SM takes.
func (m *Machine) fit() ([]int, error) {
	room := make([]int, len(m.job.Launches))
	for i, l := range m.job.Launches {
		if err := l.Validate(); err != nil {
			return nil, fmt.Errorf("machine: launch %d: %w", i, err)
		}
		n, limit := m.spec.SM.Occupancy(l)
		if n == 0 {
			return nil, fmt.Errorf("machine: launch %d: no room for the %s of a CTA", i, limit)
		}
		room[i] = n
	}
	return room, nil
}

// allocateLocal reserves local memory for every warp that the machine can hold. Pages are
// allocated when they are written.
func (m *Machine) allocateLocal() (base mem.Addr, _ int, err error) {
	words, name := localWords(m.job.Launches)
	if words == 0 {
		return ^mem.Addr(0), 0, nil // above all addresses
	}
	a, err := m.job.Image.AllocSparse("local memory", localBytes(m.spec, m.job.Launches))
	if err != nil {
		return 0, 0, fmt.Errorf("machine: kernel %s has %d bytes of local memory a thread, and %s holds %d threads: %w. Use less local memory or a machine with fewer SMs",
			name, words*4, m.spec.Name, m.spec.SMs*m.spec.SM.Warps*ptx.MaxLanes, err)
	}
	return a.Base, words, nil
}

// localWords returns the local memory of a thread in 4-byte words, and the kernel that
// needs it.
func localWords(launches []*ptx.Launch) (words int, kernel string) {
	for _, l := range launches {
		if n := (l.Kernel.LocalBytes + 3) / 4; n > words {
			words, kernel = n, l.Kernel.Name
		}
	}
	return words, kernel
}

// localBytes returns the device memory reserved for the local memory of all threads
// that a machine can hold.
func localBytes(g *parameter.GPU, launches []*ptx.Launch) uint64 {
	words, _ := localWords(launches)
	return uint64(g.SMs*g.SM.Warps*words) * mem.LineBytes
}

func newAtomics() *mem.Pool[arith.AtomicBatch] { return mem.NewPool[arith.AtomicBatch](64) }

func (m *Machine) buildSMs(room []int) error {
	m.split()
	spec, newStore := m.spec, cache.Plain
	if m.job.L1 != nil {
		var err error
		if m.stores, err = m.job.L1(); err != nil {
			return err
		}
		newStore = m.stores.New
	}
	config := spec.SM
	if m.job.L1 != nil || m.job.Loads != nil {
		// A stored line would have to be coded anew, and a guessed one would hold bytes that
		// are no guess.
		config.L1.Stores = cache.StoreDrop
	}
	exec := &execute.Env{SMCount: uint32(spec.SMs), WarpSlots: uint32(config.Warps), ClockMHz: spec.CoreMHz}
	clusters, steps := new(sm.Clusters), sm.NewSteps(&config, m.job.Launches)
	threads := m.job.Threads
	if m.stores != nil || m.job.Loads != nil {
		threads = 1 // what a policy makes for an SM may count the SMs before it
	}
	m.sms = make([]*sm.SM, spec.SMs)
	sim.Each(threads, spec.SMs, func(i int) {
		m.sms[i] = sm.New(&config, i, sm.Env{
			Launches: m.job.Launches, Image: m.job.Image, Arena: m.arena, Atomics: m.atomics, Tap: m.apart.taps.sms[i], Steps: steps, Exec: exec,
			SliceOf:   m.amap.Channel,
			LocalBase: m.localBase + mem.Addr(i*spec.SM.Warps*m.localWords)*mem.LineBytes, LocalWords: m.localWords,
			Code: m.code, Parameters: m.parameters,
			L1Store: newStore, Loads: m.job.Loads, Memory: m.memoryLine, L1Stays: m.l1Stays(), Clusters: clusters,
			TLB: &spec.TLB, Placed: m.job.Placed,
		})
	})
	m.dispatcher = sm.NewDispatcher(m.job.Launches, room, spec.SMs, sim.Cycle(spec.LaunchGapCycles), spec.CTAIntervalMillicycles, m.apart.taps.dispatcher)
	latency, rate := spec.Link()
	m.dispatcher.Link = sm.HostLink{LatencyCycles: sim.Cycle(latency), BytesPerKilocycles: rate}
	first, err := m.job.Order.Next(0, m.job.Image.Read)
	if err != nil {
		return err
	}
	m.dispatcher.Start(m.job.Order, first)
	if m.job.Backing != nil {
		m.accessed = make([]memctrl.Accesses, len(m.job.Launches))
	}
	m.figures = newLaunchFigures(m.job.Launches)
	m.dispatcher.Ended = m.launchEnded
	if ptx.Streamed(m.job.Launches) {
		m.overlap = newOverlap(spec.SMs, len(m.figures.kernels))
		m.dispatcher.Changes = m.changing
	}
	m.requests = noc.New(noc.Requests, spec.Xbar, spec.XbarClock(), spec.SMs, spec.Slices(), m.apart.taps.requests)
	m.replies = noc.New(noc.Replies, spec.Xbar, spec.XbarClock(), spec.Slices(), spec.SMs, m.apart.taps.replies)
	return nil
}

func (m *Machine) buildMemory() error {
	spec := m.spec
	config := spec.L2
	// Under online probabilities blocks are compressed later in the run.
	config.WholeBlocks = m.job.Scheme.Compressed() || m.job.Sampler != nil
	m.slices = make([]*cache.L2, spec.Slices())
	sim.Each(m.job.Threads, spec.Slices(), func(i int) {
		upper := 2*i >= spec.Slices() // of the two parts of L2
		m.slices[i] = cache.NewL2(config, i, cache.L2Env{
			Arena: m.arena, Atomics: m.atomics, Image: m.job.Image, Tap: m.apart.taps.slices[i/spec.Channels], LineOf: m.lineOf,
			Holds: func(a mem.Addr) bool { return m.amap.Channel(a) == i },
			Far:   func(sm uint16) bool { return 2*int(sm) >= spec.SMs != upper },
		})
	})
	m.memStats, m.memory = make([]stat.Set, spec.Controllers), make([]*memctrl.Controller, spec.Controllers)
	threads := m.job.Threads
	if m.job.Backing != nil {
		threads = 1 // the ports of a link are numbered as channels ask for them
	}
	var attach Attach
	faults := make([]error, spec.Controllers)
	sim.Each(threads, spec.Controllers, func(i int) { faults[i] = m.buildController(i, &attach) })
	for _, err := range faults {
		if err != nil {
			return err
		}
	}
	return nil
}

// buildController makes a controller. The first one gets attach from the backing, if there is one.
func (m *Machine) buildController(i int, attach *Attach) (err error) {
	spec := m.spec
	c := memctrl.Preset(spec.DRAM, m.amap, i*spec.Channels, spec.Channels, spec.DRAMClock(), int(spec.DRAMMHz), m.job.Scheme)
	spec.Controller.Configure(&c)
	// The latency of memory is the mean over both parts of L2.
	c.FixedLatencyCycles = max(0, c.FixedLatencyCycles-spec.L2.FarCycles/2)
	c.SectorFill = spec.L2.SectorFill
	c.Paranoid, c.Coding = m.job.Paranoid, m.job.Coding
	env := memctrl.Env{Image: m.job.Image, Arena: m.arena, Tap: m.apart.taps.controllers[i], Stats: &m.memStats[i]}
	if m.job.Backing != nil {
		if *attach == nil {
			if *attach, err = m.job.Backing(&c, m.job.Image); err != nil {
				return err
			}
		}
		env.Storage, env.Link = (*attach)(&c)
	}
	if m.memory[i], err = memctrl.New(c, env); err != nil {
		return err
	}
	if m.job.Sampler != nil {
		m.memory[i].SetObserver(m.job.Sampler)
	} else if m.job.Observer != nil {
		m.memory[i].SetObserver(m.job.Observer)
	}
	return nil
}

// lineOf numbers lines by their place in their channel, so that all sets of a
// slice are used whatever the number of channels.
func (m *Machine) lineOf(a mem.Addr) uint64 {
	_, local := m.amap.Split(a)
	return local / mem.LineBytes
}

// wire adds the components to the engine and connects them.
func (m *Machine) wire() {
	spec, e := m.spec, &m.engine
	f := m.apart.front
	add := func(e *sim.Engine, c sim.Clocked) sim.ID {
		id := e.Add(c)
		m.apart.components = append(m.apart.components, sim.Placed{Engine: e, ID: id})
		return id
	}
	dispatcher := add(f, m.dispatcher)
	m.dispatcherID = dispatcher
	var smID, sliceID, memID []sim.ID
	for _, s := range m.sms {
		if m.stores != nil {
			smID = append(smID, add(f, s.Metered()))
		} else {
			smID = append(smID, add(f, s))
		}
	}
	requests, replies := add(f, m.requests), add(e, m.replies)
	if spec.TLB.On {
		m.walks = cache.NewWalks(&spec.TLB, spec.SMs)
		m.walksID = add(f, m.walks)
	}
	for i, s := range m.slices {
		part := m.apart.of(i / spec.Channels)
		if clock := spec.L2Clock(); clock.Num == clock.Den {
			sliceID = append(sliceID, add(part, s))
		} else {
			s.StayAwake()
			sliceID = append(sliceID, add(part, &sim.Domain{Component: s, Clock: clock}))
		}
	}
	for i, c := range m.memory {
		memID = append(memID, add(m.apart.of(i), c))
	}
	if m.job.Sampler != nil {
		m.trainer = &trainer{machine: m}
		m.trainerID = add(e, m.trainer)
	}
	packets := func(of *sim.Engine, from sim.ID, at *sim.Engine, to sim.ID, room, latency int) *sim.Link[mem.Packet] {
		l := sim.ConnectApart[mem.Packet](of, from, at, to, room, sim.Cycle(latency))
		m.packets = append(m.packets, l)
		return l
	}
	for i, s := range m.sms {
		grant := sim.Connect[sm.Grant](f, dispatcher, smID[i], spec.SM.CTAs, 1)
		done := sim.Connect[sm.Done](f, smID[i], dispatcher, spec.SM.CTAs*2, 1)
		m.grants, m.dones = append(m.grants, grant), append(m.dones, done)
		m.dispatcher.Attach(i, grant, done)
		out := packets(f, smID[i], f, requests, smQueue+spec.SM.L1.PassCycles, 1)
		in := packets(e, replies, f, smID[i], linkDepth+spec.ReplyLatencyCycles-1, spec.ReplyLatencyCycles-1)
		m.requests.AttachInput(i, out)
		m.replies.AttachOutput(i, in)
		if m.apart.on {
			in.Behind(f.Advance)
			m.apart.replies = append(m.apart.replies, in)
		}
		s.Attach(grant, done, out, in)
		m.translate(s, smID[i])
		s.ClusterWake(func(at sim.Cycle) { f.Wake(smID[i], at) })
		if m.stores == nil && m.job.Loads == nil && !sm.Clustered(m.job.Launches) && !m.overlap.on && m.walks == nil {
			s.WorkAhead(f, m.dispatcher, func() bool { return !m.samples() })
		}
	}
	for i, s := range m.slices {
		latency := spec.RequestLatencyCycles - 1 + spec.L2LatencyCycles
		ctl := i / spec.Channels
		part := m.apart.of(ctl)
		in := packets(f, requests, part, sliceID[i], linkDepth+latency, latency)
		in.Bound(spec.L2.RequestQueuePackets)
		out := packets(part, sliceID[i], e, replies, spec.L2.ReplyQueuePackets, 1)
		if m.apart.on {
			out.Behind(m.catchUp)
			m.apart.parts[ctl].out = append(m.apart.parts[ctl].out, out)
		}
		m.requests.AttachOutput(i, in)
		m.replies.AttachInput(i, out)
		down := sim.Connect[mem.BlockRequest](part, sliceID[i], memID[ctl], spec.L2.DRAMQueueBlocks, 1)
		up := sim.Connect[mem.BlockReply](part, memID[ctl], sliceID[i], 2*linkDepth, 1)
		m.blocks, m.fills = append(m.blocks, down), append(m.fills, up)
		s.Attach(in, out, down, up)
		m.memory[ctl].Attach(i%spec.Channels, down, up)
	}
	if len(m.sms)+len(m.slices) <= fewLinks {
		fill(m.packets)
		fill(m.blocks)
		fill(m.fills)
	}
	for _, e := range m.apart.engines {
		e.Seal()
	}
	m.spread(smID[0])
}

// translate connects an SM with the shared TLB, if there is one.
func (m *Machine) translate(s *sm.SM, id sim.ID) {
	if m.walks == nil {
		return
	}
	f, c := m.apart.front, &m.spec.TLB
	asks := sim.Connect[mem.Addr](f, id, m.walksID, c.L1.Misses, sim.Cycle(c.L2.AskCycles()))
	answers := sim.Connect[mem.Addr](f, m.walksID, id, c.L1.Misses, sim.Cycle(c.L2.AnswerCycles()))
	m.pages = append(m.pages, asks, answers)
	m.walks.Attach(asks, answers)
	s.AttachTLB(asks, answers)
}

// fewLinks is up to how many SMs and slices of L2 the links have all their places from the start [ours], so that a run on
// such a GPU allocates nothing. All GPUs before Pascal have fewer.
const fewLinks = 64

func fill[T any](links []*sim.Link[T]) {
	for _, l := range links {
		l.Fill()
	}
}

// smQueue is the number of packets between the load/store unit and the crossbar
// (GPGPU-Sim's ejection and injection buffers of a cluster, 8).
const smQueue = 8
