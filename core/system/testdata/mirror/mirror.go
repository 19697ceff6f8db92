// Package mirror is a toy: every second block lies in a memory that answers after a fixed time. It shows what a backing
// needs: this folder, and a row of scheme.Systems.
package mirror

import (
	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/energy"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/tape"
)

// System is the row.
var System = system.System{
	Entries: []system.Entry{entry},
	Counters: func() []stat.Group {
		return []stat.Group{{First: Placed, After: stat.ControllerWrites, Infos: []stat.Info{
			{Name: "mirrorBlocks", Unit: "blocks", Doc: "Blocks that lie in the mirror, for each access."},
		}}}
	},
	Charges: func() []energy.Charge {
		return []energy.Charge{{Part: "mirror", Title: "Mirror", Counter: Placed, Path: "backing.mirror",
			Source: "a test", Femtojoules: blockFemtojoules, If: Placed}}
	},
}

// Placed counts the accesses to the mirror.
const Placed = stat.NumCounters - 1

// blockFemtojoules is the energy of one.
const blockFemtojoules = 1000

var entry = system.Entry{
	Group: "backing", Name: "mirror", Title: "Mirror", About: "Every second block lies elsewhere.",
	Blocks: system.BlocksRaw, Linked: true,
	Settings: []system.Setting{
		{Name: "cycles", Title: "time", Unit: "DRAM cycles", Low: 1, High: 1000, Default: 300, About: "Time of an access."},
	},
	Configure: func(p system.Part, _ *parameter.GPU, job *machine.Job) error { return configure(p, job, 0) },
	Watches:   func(system.Part) bool { return true },
	Watch:     func(int, *mem.Image, codec.Scheme) system.Watcher { return new(watcher) },
	Report:    func() system.Report { return new(Report) },
	Idle: func(_ system.Part, c *system.Counts) string {
		if c.Moved() > 0 {
			return ""
		}
		return "did nothing: " + system.NothingMoved
	},
}

// Report is what the toy says of a run.
type Report struct {
	Launches int    `json:"launches"` // that the prepass saw end
	Mirrored uint64 `json:"mirrored"` // blocks
}

// Fill implements system.Report.
func (r *Report) Fill(ran *system.Ran) bool {
	for _, s := range ran.Machine.Storages() {
		s := s.(*storage)
		r.Launches = s.launches
		r.Mirrored += s.mirrored
	}
	return true
}

// Given implements system.Report.
func (r *Report) Given(name string) (float64, bool) {
	return float64(r.Mirrored), name == "deviceBytes"
}

// watcher counts the launches of a run without timing.
type watcher struct{ launches int }

func (w *watcher) Launch(launch int, _ *mem.Image) (enough bool) {
	w.launches = launch
	return launch > 0
}

func (w *watcher) Configure(p system.Part, _ *parameter.GPU, job *machine.Job) error {
	return configure(p, job, w.launches)
}

func configure(p system.Part, job *machine.Job, launches int) error {
	job.Backing = func(_ *memctrl.Config, image *mem.Image) (machine.Attach, error) {
		return func(c *memctrl.Config) (memctrl.Storage, machine.Link) {
			s := &storage{DeviceMemory: memctrl.NewDeviceMemory(c, image), launches: launches}
			return s, func(_ int, f memctrl.Front, _ *stat.Set) memctrl.Backing {
				return &backing{front: f, cycles: uint64(p.Int("cycles"))}
			}
		}, nil
	}
	return nil
}

// storage places every second block behind the link, and reports each.
type storage struct {
	*memctrl.DeviceMemory
	launches int
	mirrored uint64
	last     bool
}

func (s *storage) Read(b memctrl.Block, line *mem.Line) memctrl.Placed {
	return s.place(b, s.DeviceMemory.Read(b, line))
}

func (s *storage) Write(b memctrl.Block, line *mem.Line, mask mem.ByteMask) memctrl.Placed {
	return s.place(b, s.DeviceMemory.Write(b, line, mask))
}

func (s *storage) place(b memctrl.Block, p memctrl.Placed) memctrl.Placed {
	if s.last = b.Addr/mem.LineBytes%2 == 1; s.last {
		p.Parts[memctrl.InDevice], p.Parts[memctrl.InLink] = 0, p.Parts[memctrl.InDevice]
		s.mirrored++
	}
	return p
}

func (s *storage) Changed(c *stat.Set) (memctrl.Happening, bool) {
	if s.last {
		c[Placed]++
	}
	return memctrl.Happening{Kind: probe.KindEntry, A: 1}, s.last
}

// backing completes each transfer after a fixed time.
type backing struct {
	front  memctrl.Front
	cycles uint64
	order  []transfer
}

type transfer struct {
	at    uint64
	index int16
}

func (b *backing) CatchUp(uint64)                        {}
func (b *backing) Take(int16, *memctrl.Transfer, uint64) {}
func (b *backing) Start(i int16, from uint64)            { b.order = append(b.order, transfer{from, i}) }
func (b *backing) LeadCycles() uint64                    { return b.cycles }
func (b *backing) Settle(uint64)                         {}
func (b *backing) State(t *tape.Tape)                    { tape.List(t, &b.order) }
func (b *backing) Describe(memctrl.Class) memctrl.Happening {
	return memctrl.Happening{Kind: probe.KindLink, A: 7}
}

func (b *backing) Due(bool) uint64 {
	if len(b.order) == 0 {
		return ^uint64(0)
	}
	return b.order[0].at
}

func (b *backing) Run(before uint64) (stopped bool) {
	for b.Due(true) < before {
		t := b.order[0]
		b.order = b.order[1:]
		if b.front.Moved(memctrl.InLink, t.index, memctrl.Moved{First: t.at, Column: t.at, Last: t.at, End: t.at +
			b.cycles}) {
			return true
		}
	}
	return false
}
