package run

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

const requestsHelp = `usage: burstscope requests SCENARIO --out FILE [--as dramsim3|ramulator2] [--set path=value]...
                           [--limit N] [--quiet]
       burstscope requests replay FILE --out SCENARIO.msgpack [--bytes N] [--preset NAME]

Writes every burst that a run moves between controllers and DRAM as a trace for another
simulator of DRAM, or makes a scenario that repeats the requests of such a trace.

  --out    the file to write; compressed if the name of a trace ends in .gz
  --as     dramsim3: ADDRESS READ|WRITE CYCLE, the cycle in clocks of the DRAM at which the
           burst is on the bus; ramulator2: LD|ST ADDRESS (its frontend LoadStoreTrace)
  --limit  bursts to write, default 10000000; later ones are left out and counted

Bursts have memory.mag bytes. Under compression the trace has those bursts that are left,
and lines of metadata too.

replay   one thread for each request of a trace in either form makes an access of 4 bytes
         at its address, past L1; 32 requests make a warp. --bytes (32) is the size of a
         request in the trace: 64 makes an access to both sectors. Cycles are not kept

examples:
  burstscope requests dct --out dct.trace
  burstscope requests tp --set memory.codec=bdi --set memory.approximation=none \
      --as ramulator2 --out tp.trace.gz
  burstscope requests replay dct.trace --out again.msgpack
  burstscope run again.msgpack
`

// requestForms write a burst in the form of another simulator; at is its clock of DRAM.
var requestForms = map[string]func(b []byte, addr uint64, write bool, at uint64) []byte{
	// DRAMsim3, trace-based CPU: hexadecimal address, READ or WRITE, cycle.
	"dramsim3": func(b []byte, addr uint64, write bool, at uint64) []byte {
		b = strconv.AppendUint(append(b, "0x"...), addr, 16)
		if write {
			b = append(b, " WRITE "...)
		} else {
			b = append(b, " READ "...)
		}
		return append(strconv.AppendUint(b, at, 10), '\n')
	},
	// Ramulator 2, LoadStoreTrace: LD or ST, address.
	"ramulator2": func(b []byte, addr uint64, write bool, _ uint64) []byte {
		if write {
			b = append(b, "ST 0x"...)
		} else {
			b = append(b, "LD 0x"...)
		}
		return append(strconv.AppendUint(b, addr, 16), '\n')
	},
}

func requestsVerb(args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "replay" {
		return replayVerb(args[1:], out)
	}
	flags := flag.NewFlagSet("requests", flag.ContinueOnError)
	sets := cli.SetFlag(flags)
	target := cli.FileFlag(flags, "out")
	form := "dramsim3"
	flags.Func("as", "", func(word string) error {
		if requestForms[word] == nil {
			return fmt.Errorf("use one of %s", strings.Join(cli.SortedKeys(requestForms), ", "))
		}
		form = word
		return nil
	})
	limit := flags.Uint64("limit", 10_000_000, "")
	quiet := flags.Bool("quiet", false, "")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "scenario")); err != nil {
		return err
	}
	if name == "" || *target == "" {
		return cli.Usagef("burstscope requests: name a scenario, and a file with --out")
	}
	s, err := cli.ScenarioWith(name, *sets)
	if err != nil {
		return err
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return err
	}
	m := NewMeter()
	if *quiet {
		m.Out = io.Discard
	}
	t := requestTrace{form: requestForms[form], mag: uint64(plan.Memory.MAG()), limit: *limit}
	if err := t.write(*target, plan, m); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d bursts of %d bytes, %d of them writes%s\n", *target, t.reads+t.writes, t.mag,
		t.writes, t.leftOut())
	return err
}

// requestTrace writes the bursts of a run.
type requestTrace struct {
	form                  func(b []byte, addr uint64, write bool, at uint64) []byte
	mag, limit            uint64
	coreMHz, dramMHz      uint64
	reads, writes, behind uint64 // behind: beyond the limit
	buf                   []byte
	held                  []busBurst
}

// busBurst is a burst at the cycle of its first beat.
type busBurst struct {
	cycle sim.Cycle
	addr  uint64
	write bool
}

func (t *requestTrace) leftOut() string {
	if t.behind == 0 {
		return ""
	}
	return fmt.Sprintf("; %d later bursts are left out: raise --limit", t.behind)
}

// A slice of the run has fewer events than the tap holds.
const (
	requestCycles = 1024
	requestEvents = 1 << 22
)

func (t *requestTrace) write(target string, plan *experiment.Plan, m *Meter) error {
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return err
	}
	return disk.WriteWith(target, func(w io.Writer) error {
		buffered := bufio.NewWriter(w)
		if !strings.HasSuffix(target, ".gz") {
			if err := t.run(study, plan, buffered, m); err != nil {
				return err
			}
			return buffered.Flush()
		}
		packed := gzip.NewWriter(buffered)
		if err := t.run(study, plan, packed, m); err != nil {
			return err
		}
		if err := packed.Close(); err != nil {
			return err
		}
		return buffered.Flush()
	})
}

func (t *requestTrace) run(study *experiment.Study, plan *experiment.Plan, out io.Writer, m *Meter) error {
	tap := probe.NewTap(requestEvents)
	r := study.Run(plan, experiment.Options{Tap: tap})
	for {
		done, err := r.Step(requestCycles)
		if err != nil {
			return err
		}
		if r.Machine() != nil {
			spec := r.Machine().Spec()
			t.coreMHz, t.dramMHz = uint64(spec.CoreMHz), uint64(spec.DRAMMHz)
			tap.Take(t.take)
			now := r.Machine().Now()
			if done {
				now = math.MaxUint64
			}
			t.flush(now)
			if _, err := out.Write(t.buf); err != nil {
				return err
			}
			t.buf = t.buf[:0]
		}
		if done {
			return nil
		}
		m.show(r.Progress)
	}
}

// take keeps the bursts among events; probe.KindRead has the layout of A.
func (t *requestTrace) take(events []probe.Event) {
	for i := range events {
		if e := &events[i]; e.Kind == probe.KindRead || e.Kind == probe.KindWrite {
			burst := uint64(e.A >> 8 & 0xff)
			t.held = append(t.held, busBurst{e.Cycle, e.Addr + burst*t.mag, e.Kind == probe.KindWrite})
		}
	}
}

// flush writes the bursts before a cycle, in order. A burst is an event when its command is decided, before it is on
// the bus; those of other channels may come later and be on the bus earlier, but not before the cycle that the
// machine has reached.
func (t *requestTrace) flush(before sim.Cycle) {
	slices.SortStableFunc(t.held, func(a, b busBurst) int { return cmp.Compare(a.cycle, b.cycle) })
	done := 0
	for ; done < len(t.held) && t.held[done].cycle < before; done++ {
		b := t.held[done]
		switch {
		case t.reads+t.writes == t.limit:
			t.behind++
			continue
		case b.write:
			t.writes++
		default:
			t.reads++
		}
		t.buf = t.form(t.buf, b.addr, b.write, uint64(b.cycle)*t.dramMHz/t.coreMHz)
	}
	t.held = slices.Delete(t.held, 0, done)
}
