// Package memctrl models a memory controller with its DRAM channels. It has three
// parts with small interfaces between them: a Storage knows the bytes of each block, its
// stored size and the places of its bursts; a Backing moves bursts (the scheduler of a
// DRAM channel is one); and the channel in front of them accepts requests, looks up
// metadata, adds the time of compressor and decompressor, and answers. Package dram knows
// when each DRAM command is legal.
package memctrl

import (
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// Controller is one memory controller with its DRAM channels.
//
// DRAM time is derived from the base clock. A tick brings all channels up to the current
// cycle and jumps from event to event, so the times of ticks do not change the results.
type Controller struct {
	cfg       Config
	env       Env
	timing    dram.Timing
	storage   Storage
	paged     Paged     // storage if it has a page table, or nil
	reporting Reporting // storage if its accesses change more than bytes, or nil
	channels  []channel
	schedules []schedule // of the channels
	metadata  metadataCache
	clock     uint64 // the last DRAM cycle that has begun, for messages between channels
	coding    coding
	lossy     Lossy
	watched   bool     // a channel is watched, so every tick is one of all channels
	recorder  Recorder // nil = none
}

// coding is the current scheme and the next one.
type coding struct {
	scheme     codec.Scheme
	next       codec.Scheme
	switchAt   sim.Cycle
	compressed bool
	compress   uint64 // latencies in DRAM cycles
	decompress uint64
}

// New returns a controller. Call SyncAllocations once memory is allocated, and
// Attach for every channel before the first tick.
func New(cfg Config, env Env) (*Controller, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	t, err := cfg.DRAM.Resolve(cfg.Scheme.MAGBytes())
	if err != nil {
		return nil, err
	}
	if cfg.Schedule == ScheduleJoint && env.Link != nil {
		return nil, fmt.Errorf("memctrl: memory behind a link needs the drain schedule")
	}
	c := &Controller{cfg: cfg, env: env, timing: t, channels: make([]channel, cfg.Channels)}
	c.metadata.init(&c.cfg.Metadata, cfg.Channels, &c.cfg.Map)
	for i := range c.channels {
		c.channels[i].init(c, i)
	}
	c.use(cfg.Scheme)
	if c.storage = env.Storage; c.storage == nil {
		c.storage = NewDeviceMemory(&c.cfg, env.Image)
	}
	c.paged, _ = c.storage.(Paged)
	c.reporting, _ = c.storage.(Reporting)
	return c, nil
}

// use makes a scheme the current one, with its compressors and decompressors. If latencies
// are set explicitly, no block waits for a unit.
func (c *Controller) use(s codec.Scheme) {
	t, cfg := s.Timing(), &c.cfg
	for i := range c.channels {
		ch := &c.channels[i]
		ch.compressors, ch.decompressors = units{}, units{}
		if cfg.Coding == nil && s.Compressed() {
			ch.compressors = newUnits(t.Compressors, t.MHz, cfg)
			ch.decompressors = newUnits(t.Decompressors, t.MHz, cfg)
		}
	}
	if cfg.Coding != nil {
		t.CompressCycles, t.DecompressCycles = cfg.Coding.CompressCycles, cfg.Coding.DecompressCycles
	}
	c.coding = coding{
		scheme: s, switchAt: sim.Never, compressed: s.Compressed(),
		compress:   commandCycles(t.CompressCycles, t.MHz, cfg.CommandMHz),
		decompress: commandCycles(t.DecompressCycles, t.MHz, cfg.CommandMHz),
	}
}

// commandCycles converts cycles of another clock to cycles of the command clock, rounded
// up: data that are ready within a command cycle are used in the next cycle.
func commandCycles(cycles, mhz, commandMHz int) uint64 {
	return (uint64(cycles)*uint64(commandMHz) + uint64(mhz) - 1) / uint64(mhz)
}

// Storage returns what knows the blocks of the controller.
func (c *Controller) Storage() Storage { return c.storage }

// Use gives the controller other places for lines in flight, of the same arena.
func (c *Controller) Use(a *mem.Arena) { c.env.Arena = a }

// Attach connects a channel (numbered within the controller) to its L2 slice.
func (c *Controller) Attach(channel int, in *sim.Link[Request], out *sim.Link[Reply]) {
	c.channels[channel].in, c.channels[channel].out = in, out
}

// SetObserver makes o see every block; nil ends it.
func (c *Controller) SetObserver(o Observer) { c.storage.Observe(o) }

// Watch makes w see every command of a channel (numbered within the controller),
// such as a dram.Checker; nil ends it.
func (c *Controller) Watch(channel int, w dram.Watcher) {
	c.channels[channel].schedule.port().watch = w
	c.watched = true // a watcher may act on what it sees, so it sees commands as soon as it can
}

// SetScheme makes s the scheme for requests accepted from cycle from on. Blocks stored
// before are encoded again on their next read; under StrictSwitch they stay raw until
// rewritten. s must have the same MAG as the earlier scheme.
func (c *Controller) SetScheme(s codec.Scheme, from sim.Cycle) {
	if s.MAGBytes() != c.timing.BurstBytes {
		panic("memctrl: a new scheme cannot change the size of a burst")
	}
	c.coding.next, c.coding.switchAt = s, from
}

// Switched makes s the current scheme at once, as it is after SetScheme, for a state that was
// saved later in a run and is loaded next.
func (c *Controller) Switched(s codec.Scheme) {
	c.coding.next = s
	c.switchScheme()
}

// Switching reports whether SetScheme has named a scheme that is not the current one yet.
func (c *Controller) Switching() bool { return c.coding.switchAt != sim.Never }

// Scheme returns the current scheme.
func (c *Controller) Scheme() codec.Scheme { return c.coding.scheme }

// Tick brings the controller up to cycle now and returns when it has something
// to do next.
func (c *Controller) Tick(now sim.Cycle) sim.Cycle {
	local := c.cfg.Clock.Local(now)
	c.clock = local
	first := local
	if c.cfg.Schedule == ScheduleJoint {
		first = c.firstClock(now)
	}
	next := sim.Never
	if c.independent() {
		for _, s := range c.schedules {
			next = min(next, s.tick(now, first, local))
		}
		return next
	}
	// All channels run before any accepts: a metadata line evicted for one channel
	// may become a write of another.
	for _, s := range c.schedules {
		s.begin(now, first, local)
	}
	if now >= c.coding.switchAt {
		c.switchScheme()
	}
	for clock := first; clock <= local; clock++ {
		for _, s := range c.schedules {
			s.step(now, clock)
		}
		for _, s := range c.schedules {
			s.accept(now, clock)
		}
	}
	exact := c.exact(now)
	for _, s := range c.schedules {
		next = min(next, s.next(now, local, exact))
	}
	return next
}

// exact reports whether channels must take every step in its cycle: a watcher gets every event at its time, links are
// shared, a channel may wait for metadata that another reads, and a step of one channel may make room in the metadata
// cache for a request of another.
func (c *Controller) exact(now sim.Cycle) bool {
	if c.env.Tap.On() || c.env.Link != nil {
		return true
	}
	if !c.coding.compressed || c.metadata.perfect {
		return false
	}
	if c.metadata.consecutive != nil {
		return true
	}
	for i := range c.channels {
		if c.channels[i].in.NextReady() <= now {
			return true
		}
	}
	return false
}

// independent reports whether no channel needs to know anything of another one: they share no link, no
// metadata line can be evicted for another channel, and no observer watches.
func (c *Controller) independent() bool {
	return !c.watched && c.env.Link == nil && !c.env.Tap.On() && c.coding.switchAt == sim.Never &&
		(len(c.channels) == 1 || !c.coding.compressed || c.metadata.perfect)
}

func (c *Controller) switchScheme() {
	c.use(c.coding.next)
	c.storage.Use(c.coding.scheme)
}

// SyncAllocations reads the image's allocations and their regions, and makes room
// for blocks allocated since; the state of older blocks stays.
func (c *Controller) SyncAllocations() { c.storage.Allocated() }

// ResetBlocks forgets how blocks are stored and reads the image's allocations
// and their regions. The machine calls it once memory is allocated and filled.
func (c *Controller) ResetBlocks() {
	c.storage.Allocated()
	c.storage.ForgetAll()
}

// Forget makes the controller read a line's contents again after the host has written
// it. It ignores lines of other controllers.
func (c *Controller) Forget(addr mem.Addr) {
	if b := c.block(addr); b.Channel >= 0 && b.Channel < len(c.channels) {
		c.storage.Forget(b)
	}
}

// Stored returns how the line at addr, which must belong to this controller, is
// stored; ok is false before the first access.
func (c *Controller) Stored(addr mem.Addr) (s codec.Stored, ok bool) {
	return c.storage.Stored(c.block(addr))
}

// block returns the block of a line. Its channel is not the controller's own if it
// is below 0 or too large.
func (c *Controller) block(addr mem.Addr) Block {
	n, local := c.cfg.Map.Split(addr)
	return Block{Addr: mem.LineAddr(addr), Channel: n - c.cfg.FirstChannel, Local: local}
}
