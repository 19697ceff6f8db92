package memctrl

import (
	"fmt"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/dram"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// everyClock is the slow twin of the joint schedule: a partition of GPGPU-Sim 3.2.1, as its
// source describes it, with counters that go down in every clock, a pipe of places, and
// lists that are searched.
type everyClock struct {
	cfg    Config
	timing dram.Timing
	arena  *mem.Arena
	in     *sim.Link[Request]
	out    *sim.Link[Reply]
	watch  dram.Watcher
	clock  uint64

	delay  []onTheWay
	next   *twinRequest // in front of the queue
	queue  []*twinRequest
	bank   [16]twinBank
	group  [8]struct{ ccdl, rtpl uint64 }
	prio   int
	pipe   []*twinRequest // nil = empty place
	length int            // shortest pipe
	back   []*twinRequest
	last   dram.Command // of columns

	ccd, rrd, rtw, wtr uint64
}

type onTheWay struct {
	request *twinRequest
	from    sim.Cycle
}

type twinRequest struct {
	Request
	row   uint32
	bank  int
	atoms int // to command
	left  int // to come out of the pipe
}

type twinBank struct {
	serving                            *twinRequest
	row                                uint32
	active                             bool
	rcd, rcdwr, ras, rc, rp, rtp, wtpc uint64
}

func (w *everyClock) Tick(now sim.Cycle) sim.Cycle {
	for ; w.clock <= w.cfg.Clock.Local(now); w.clock++ {
		w.partition(now, w.clock)
	}
	return now + 1
}

// partition is memory_partition_unit::dram_cycle.
func (w *everyClock) partition(now sim.Cycle, clock uint64) {
	if len(w.back) > 0 && w.out.CanSend(now) {
		q := w.back[0]
		w.back = w.back[1:]
		r := Reply{Addr: q.Addr, Tag: q.Tag, Ack: q.Write}
		if !q.Write {
			r.Data = w.arena.New()
		}
		w.out.Send(now, r)
	}
	w.device(clock)
	full := len(w.queue) >= w.cfg.Queue
	if r, ok := w.in.Peek(now); ok && !full {
		_, local := w.cfg.Map.Split(r.Addr)
		p := w.cfg.Map.Place(local)
		mag := w.cfg.Scheme.MAGBytes()
		q := &twinRequest{Request: *r, row: p.Row, bank: int(p.Bank), atoms: mem.LineBytes / mag}
		if r.Write {
			w.arena.Free(r.Data)
			q.atoms = 0
			for at := 0; at < mem.LineBytes; at += mag {
				some := false
				for k := at; k < at+mag; k++ {
					var one mem.ByteMask
					one.Set(k, 1)
					some = some || r.Mask.Covers(one)
				}
				if some {
					q.atoms++
				}
			}
		}
		q.left = q.atoms
		w.delay = append(w.delay, onTheWay{q, now + sim.Cycle(w.cfg.FixedLatencyCycles)})
		w.in.Drop(now)
	}
	if len(w.delay) > 0 && w.delay[0].from <= now && !full {
		if w.next != nil {
			panic("two requests in front of the queue")
		}
		w.next = w.delay[0].request
		w.delay = w.delay[1:]
	}
}

// device is dram_t::cycle.
func (w *everyClock) device(clock uint64) {
	t := &w.timing
	if t.Banks == 0 {
		w.timing, _ = w.cfg.DRAM.Resolve(w.cfg.Scheme.MAGBytes())
		w.length, w.last = int(t.CL), dram.Read
		w.pipe = make([]*twinRequest, t.CL)
	}
	if len(w.back) < w.cfg.ReturnQueue && len(w.pipe) > 0 {
		q := w.pipe[0]
		if w.pipe = w.pipe[1:]; len(w.pipe) < w.length {
			w.pipe = append(w.pipe, nil)
		}
		if q != nil {
			if q.left--; q.left == 0 && (!q.Write || q.Ack) {
				w.back = append(w.back, q)
			}
		}
	}
	w.schedule()
	issued := false
	start := w.prio
	for i := range w.bank {
		n := (i + start) % len(w.bank)
		b := &w.bank[n]
		g := &w.group[t.GroupOf(n)]
		q := b.serving
		if q == nil || issued {
			continue
		}
		column := b.active && b.row == q.row && w.ccd == 0 && g.ccdl == 0 && len(w.pipe) <= int(max(t.CL, t.WL))
		switch {
		case column && !q.Write && b.rcd == 0 && w.wtr == 0:
			w.column(dram.Read, n, clock, int(t.CL))
			w.ccd, g.ccdl, w.rtw, b.rtp, g.rtpl = t.CCDS, t.Distance(dram.Read, dram.Read, dram.SameGroup), t.Distance(dram.Read, dram.Write, dram.Anywhere), t.BurstCycles, t.RTPL
			issued = true
		case column && q.Write && b.rcdwr == 0 && w.rtw == 0:
			w.column(dram.Write, n, clock, int(t.WL))
			w.ccd, g.ccdl, w.wtr, b.wtpc = t.CCDS, t.Distance(dram.Write, dram.Write, dram.SameGroup), t.Distance(dram.Write, dram.Read, dram.Anywhere), t.Distance(dram.Write, dram.Precharge, dram.SameBank)
			issued = true
		case !b.active && w.rrd == 0 && b.rp == 0 && b.rc == 0:
			b.active, b.row = true, q.row
			w.rrd, b.rcd, b.rcdwr, b.ras, b.rc = t.Distance(dram.Activate, dram.Activate, dram.Anywhere), t.RCD, t.Distance(dram.Activate, dram.Write, dram.SameBank), t.Distance(dram.Activate, dram.Precharge, dram.SameBank), t.Distance(dram.Activate, dram.Activate, dram.SameBank)
			w.watch.Command(dram.Activate, n, b.row, clock)
			w.prio, issued = (n+1)%len(w.bank), true
		case b.active && b.row != q.row && b.ras == 0 && b.wtpc == 0 && b.rtp == 0 && g.rtpl == 0:
			b.active, b.rp = false, t.RP
			w.watch.Command(dram.Precharge, n, b.row, clock)
			w.prio, issued = (n+1)%len(w.bank), true
		}
	}
	down(&w.ccd, &w.rrd, &w.rtw, &w.wtr)
	for i := range w.bank {
		b := &w.bank[i]
		down(&b.rcd, &b.rcdwr, &b.ras, &b.rc, &b.rp, &b.rtp, &b.wtpc)
	}
	for i := range w.group {
		down(&w.group[i].ccdl, &w.group[i].rtpl)
	}
}

func down(counters ...*uint64) {
	for _, c := range counters {
		if *c > 0 {
			*c--
		}
	}
}

func (w *everyClock) column(cmd dram.Command, n int, clock uint64, latency int) {
	if cmd != w.last { // fifo_pipeline::set_min_length
		w.last, w.length = cmd, latency
		for len(w.pipe) > latency && w.pipe[len(w.pipe)-1] == nil {
			w.pipe = w.pipe[:len(w.pipe)-1]
		}
		for len(w.pipe) < latency {
			w.pipe = append(w.pipe, nil)
		}
	}
	b := &w.bank[n]
	if k := len(w.pipe) - 1; k >= 0 && w.pipe[k] == nil {
		w.pipe[k] = b.serving
	} else {
		w.pipe = append(w.pipe, b.serving)
	}
	w.watch.Command(cmd, n, b.row, clock)
	if b.serving.atoms--; b.serving.atoms == 0 {
		b.serving = nil
	}
}

// schedule is scheduler_frfcfs.
func (w *everyClock) schedule() {
	if w.next != nil && len(w.queue) < w.cfg.Queue {
		w.queue = append(w.queue, w.next)
		w.next = nil
	}
	for i := range w.bank {
		n := (i + w.prio) % len(w.bank)
		b := &w.bank[n]
		if b.serving != nil {
			continue
		}
		k := slices.IndexFunc(w.queue, func(q *twinRequest) bool { return q.bank == n && q.row == b.row })
		if k < 0 {
			k = slices.IndexFunc(w.queue, func(q *twinRequest) bool { return q.bank == n })
		}
		if k >= 0 {
			w.prio = (w.prio + 1) % len(w.bank)
			b.serving = w.queue[k]
			w.queue = slices.Delete(w.queue, k, k+1)
			return
		}
	}
}

// gtx480v3 is the DRAM of a partition of GPGPU-Sim 3.2.1's GTX 480: chips of 32 bits in
// step, and the bank groups that its shift makes.
func gtx480v3(chips int) dram.Spec {
	s := dram.GTX480()
	s.BankGroups, s.GroupOf = 2, dram.GroupHigh
	s.BytesPerCommandClock, s.BurstBytes = 16*chips, 32*chips
	return s
}

// jointConfig is the configuration of such a partition with one channel.
func jointConfig(tb testing.TB, channels int, clock sim.ClockRatio, scheme codec.Scheme, chips int) Config {
	cfg := testConfig(tb, channels, clock, scheme)
	cfg.DRAM, cfg.Schedule = gtx480v3(chips), ScheduleJoint
	cfg.ReturnQueue, cfg.FixedLatencyCycles = 16, DRAMFixedLatencyCycles
	return cfg
}

// commands is a watcher that records.
type commands []string

func (c *commands) Command(cmd dram.Command, bank int, row uint32, at uint64) {
	*c = append(*c, fmt.Sprint(at, " ", cmd, " bank ", bank, " row ", row))
}

// linkSizes are the capacities of the links of a slice.
type linkSizes struct{ toDRAM, fromDRAM int }

// putIn gives a rig of one channel a new engine with a memory and new links.
func (r *rig) putIn(memory sim.Clocked, n linkSizes) {
	r.engine = sim.Engine{}
	s, to := r.slice[0], r.engine.Add(memory)
	id := r.engine.Add(s)
	s.out = sim.Connect[Request](&r.engine, id, to, n.toDRAM, 1)
	s.in = sim.Connect[Reply](&r.engine, to, id, n.fromDRAM, 1)
}

// look makes the schedule look at all banks, whatever it knows of its next clock.
func (j *joint) look() { j.next, j.commandAt = j.done, j.done }

// The joint schedule gives the commands of the slow twin in the same clocks, and answers in
// the same cycles: for all ratios of clocks and sizes of queues, and when L2 takes no
// answers for a while.
func TestJointScheduleIsThatOfItsTwin(t *testing.T) {
	clocks := []sim.ClockRatio{sameClock, coreOverDRAM, {Num: 924, Den: 700}, {Num: 7392, Den: 700}, {Num: 300, Den: 700}}
	total, stalls := 0, uint64(0)
	for seed := range uint64(runsPerDevice()) {
		rnd := sim.NewRand(seed, 5)
		chips := 1 + rnd.Intn(2)
		cfg := jointConfig(t, 1, clocks[rnd.Intn(len(clocks))], codec.NewRaw(32*chips), chips)
		switch rnd.Intn(5) {
		case 0:
			cfg.DRAM.BankGroups, cfg.DRAM.CCDL = 1, 0
		case 1:
			cfg.DRAM.CL, cfg.DRAM.WL, cfg.DRAM.CDLR = 1, 1, 0
		case 2:
			cfg.DRAM.WL = 0
		case 3:
			// A pipe that writes make longer. Beyond CL + 2 a write may follow a read sooner than CCD, which the twin counts for
			// both kinds.
			cfg.DRAM.BankGroups, cfg.DRAM.CCDL, cfg.DRAM.WL = 1, 0, cfg.DRAM.CL+2
		}
		cfg.Queue = []int{16, 16, 1, 3}[rnd.Intn(4)]
		cfg.ReturnQueue = []int{16, 16, 1, 2}[rnd.Intn(4)]
		cfg.FixedLatencyCycles = []int{100, 100, 0, 7}[rnd.Intn(4)]
		links := linkSizes{[]int{8, 1}[rnd.Intn(2)], []int{8, 1}[rnd.Intn(2)]}
		deaf := sim.Cycle(rnd.Intn(2) * (1 + rnd.Intn(300)))
		v := traffic{requests: 400, lines: 8 << rnd.Intn(9), writes: rnd.Intn(9), gap: []int{0, 0, 3, 30}[rnd.Intn(4)], partial: rnd.Intn(2) == 0, seed: seed}

		fast, looks, slow := newRig(t, cfg, rigBytes), newRig(t, cfg, rigBytes), newRig(t, cfg, rigBytes)
		var did, want commands
		for _, r := range []*rig{fast, looks} {
			r.putIn(r.control, links)
			r.control.Attach(0, r.slice[0].out, r.slice[0].in)
		}
		looks.everyCycle(func(_ int, c *channel) { c.schedule.(*jointSchedule).device.look() })
		fast.control.Watch(0, &did)
		twin := &everyClock{cfg: cfg, arena: slow.arena, watch: &want}
		slow.putIn(twin, links)
		twin.in, twin.out = slow.slice[0].out, slow.slice[0].in
		for _, r := range []*rig{fast, looks, slow} {
			r.slice[0].deaf = deaf
			r.script(cfg, v, anyByte)
			r.engine.Seal()
		}
		until := sim.Cycle(0)
		for s := fast.slice[0]; s.next < len(s.script) || !fast.control.Idle() || s.in.Len() > 0; {
			until += 4000
			fast.engine.Advance(until)
		}
		slow.engine.Advance(until)
		looks.engine.Advance(until)
		fast.control.Settle(until)
		looks.control.Settle(until)
		if fast.stats != looks.stats {
			t.Fatalf("run %d (%+v): the counters differ from those of a schedule that looks at all banks in every cycle:\n%v\n%v", seed, v, fast.stats, looks.stats)
		}
		if cfg.FixedLatencyCycles > 0 { // otherwise the last clocks may yet get a request
			fast.laws(cfg)
		}
		for i := range want {
			if i >= len(did) || did[i] != want[i] {
				t.Fatalf("run %d (%+v): command %d is %v, want %v", seed, v, i, did[i:min(i+3, len(did))], want[i:min(i+3, len(want))])
			}
		}
		same := func(what string, a, b []received) {
			for i := range b {
				if i >= len(a) || a[i].at != b[i].at || a[i].tag != b[i].tag {
					t.Fatalf("run %d: %s %d differs", seed, what, i)
				}
			}
			if len(a) != len(b) {
				t.Fatalf("run %d: %d of %d %ss", seed, len(a), len(b), what)
			}
		}
		same("reply", fast.slice[0].replies, slow.slice[0].replies)
		same("acknowledgement", fast.slice[0].acks, slow.slice[0].acks)
		if len(did) != len(want) || len(did) < 300 {
			t.Fatalf("run %d: %d commands of %d", seed, len(did), len(want))
		}
		total += len(did)
		stalls += fast.control.channels[0].schedule.(*jointSchedule).device.stalls
	}
	if stalls == 0 {
		t.Error("the pipe never stood still")
	}
	t.Logf("%d commands, %d clocks without a move of the pipe", total, stalls)
}
