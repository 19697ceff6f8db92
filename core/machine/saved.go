package machine

import (
	"encoding/binary"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/tape"
)

// Saved is the state of a machine at a cycle. It is packed to a fraction of the machine's
// size, and shares equal pieces with the state saved before it.
type Saved struct {
	Cycle   sim.Cycle
	record  *tape.Record
	image   *mem.Packed
	sampler Sampler
}

// Save returns the machine's state. It shares equal pieces with before, the state saved
// last or nil. Saving does not change the machine.
func (m *Machine) Save(before *Saved) *Saved {
	m.settleMemory()
	var record *tape.Record
	var image *mem.Packed
	if before != nil {
		record, image = before.record, before.image
	}
	s := &Saved{Cycle: m.Now(), record: m.carrier().Save(m.state, record), image: m.job.Image.Pack(image)}
	if m.samples() {
		s.sampler = m.job.Sampler.Clone()
	}
	return s
}

// Bytes returns the size of the state without device memory, and how much of it is
// not zero.
func (s *Saved) Bytes() (all, used int) { return s.record.Bytes() }

// NewBytes returns the memory of s that it does not share with before, which may be nil.
func (s *Saved) NewBytes(before *Saved) int {
	if before == nil {
		return s.record.NewBytes(nil) + s.image.NewBytes(nil)
	}
	return s.record.NewBytes(before.record) + s.image.NewBytes(before.image)
}

// Load gives the machine a saved state of itself or of the machine whose Twin it is.
func (m *Machine) Load(s *Saved) {
	m.unpacked = m.job.Image.Unpack(s.image, m.unpacked)
	m.err = nil
	m.carrier().Load(m.state, s.record)
	if m.job.Sampler == nil {
		return
	}
	m.trainer.err = nil
	if s.sampler != nil {
		m.job.Sampler = s.sampler.Clone()
	}
	m.observe()
}

// Twin returns a machine of the same build with its own probe, ready to Load.
func (m *Machine) Twin(tap *probe.Tap) (*Machine, error) {
	job := m.job
	job.Tap, job.Observer = tap, nil
	job.Image = new(mem.Image)
	job.Image.CopyFrom(m.job.Image)
	return rebuild(m, job)
}

// rebuild builds m's machine again for a job with its own image.
func rebuild(m *Machine, job Job) (*Machine, error) {
	c := &Machine{spec: m.spec, job: job, amap: m.amap, arena: mem.NewArena(0), atomics: newAtomics(), localBase: m.localBase, localWords: m.localWords, code: m.code, parameters: m.parameters}
	room, err := c.fit()
	if err != nil {
		return nil, err
	}
	if err := c.buildSMs(room); err != nil {
		return nil, err
	}
	if err := c.buildMemory(); err != nil {
		return nil, err
	}
	c.wire()
	return c, nil
}

// Rest gives back the memory that only a running program needs, when the program has ended: on a
// large GPU a third of the machine's. What can be read stays as it is, but the machine cannot run
// on, and its Digest is another one. Its Twin can.
func (m *Machine) Rest() {
	for _, s := range m.sms {
		s.Rest()
	}
	for _, s := range m.slices {
		s.Rest()
	}
	for _, l := range m.packets {
		l.Rest()
	}
	for _, l := range m.pages {
		l.Rest()
	}
	for i := range m.blocks {
		m.blocks[i].Rest()
		m.fills[i].Rest()
	}
	for i := range m.grants {
		m.grants[i].Rest()
		m.dones[i].Rest()
	}
}

// Reach runs to exactly the given cycle, even beyond the end of the program.
func (m *Machine) Reach(until sim.Cycle) error {
	m.beside.start(m.job.Image)
	defer m.beside.stop()
	for m.err == nil && m.engine.Now() < until {
		m.step(until)
	}
	return m.err
}

// Work measures the work of the simulation: ticks of components plus warp instructions,
// which take about the same time each.
func (m *Machine) Work() uint64 { return m.Ticks() + m.WarpInstructions() }

// Digest names the machine's state at its cycle. It covers device memory, warps with
// their registers, stacks and scoreboards, shared memory, caches with tags, bytes and
// outstanding misses, the messages in links, crossbars and queues, DRAM banks with
// their timing, how blocks are stored, every counter, and which launch and CTAs run.
//
// It leaves out what depends on how far components have worked ahead of the present, which
// depends on observers and does not change results: how far that is, which places of pools are in use
// (tape.Name), and the contents of the pools, among them the bytes of lines in flight (tape.Tape.Hint). Wrong
// bytes there are in the digest once a cache, a register or memory holds them. It also leaves out the statistics
// of an unfinished sample, and the codes, which follow from the data read.
func (m *Machine) Digest() string {
	m.settleMemory()
	h := digest.New()
	var word [8]byte
	put := func(v uint64) {
		binary.LittleEndian.PutUint64(word[:], v)
		h.Write(word[:])
	}
	for _, v := range m.carrier().Sum(m.state) {
		put(v)
	}
	put(m.job.Image.Sum())
	return h.Hex()
}

// carrier is the tape that the machine's state goes through; it keeps its buffers.
func (m *Machine) carrier() *tape.Tape {
	if m.tape == nil {
		m.tape = tape.NewTape()
	}
	return m.tape
}

// state lists everything that changes while running, except the image and the sample.
func (m *Machine) state(t *tape.Tape) {
	sim.State(t, m.apart.engines, m.apart.components)
	if t.Loading() {
		m.apart.reset()
	}
	m.dispatcher.State(t)
	m.requests.State(t)
	m.replies.State(t)
	if m.walks != nil {
		m.walks.State(t)
	}
	if m.trainer != nil {
		tape.Value(t, &m.trainer.trained)
	}
	tape.Values(t, m.memStats)
	tape.Values(t, m.accessed)
	m.linkState(t)
	if m.stores != nil {
		t.Section()
		m.stores.State(t)
	}
	t.Section()
	m.arena.State(t)
	t.Section()
	m.atomics.State(t)
	for i := range m.sms {
		t.Section()
		m.sms[i].State(t)
	}
	for i := range m.slices {
		t.Section()
		m.slices[i].State(t)
	}
	for i := range m.memory {
		t.Section()
		m.memory[i].State(t)
	}
	m.figures.state(t)
	m.overlap.state(t)
}

func (m *Machine) linkState(t *tape.Tape) {
	for i := range m.packets {
		m.packets[i].State(t)
	}
	for i := range m.blocks {
		m.blocks[i].State(t)
		m.fills[i].State(t)
	}
	for i := range m.pages {
		m.pages[i].State(t)
	}
	for i := range m.grants {
		m.grants[i].State(t)
		m.dones[i].State(t)
	}
}

// samples reports whether symbol statistics are being collected.
func (m *Machine) samples() bool { return m.job.Sampler != nil && !m.trainer.trained }

// observe shows blocks to the sampler while it collects.
func (m *Machine) observe() {
	for _, c := range m.memory {
		if m.trainer.trained {
			c.SetObserver(nil)
		} else {
			c.SetObserver(m.job.Sampler)
		}
	}
}
