package experiment

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/probe"
)

// Sizes of a search for a burst: the memory for states of the run, the events of a step, and how long before a burst
// its instruction may have been issued (the page looks as far back). All are far above what the programs need [ours].
const (
	fetchedPastBytes = 256 << 20
	fetchedEvents    = 1 << 22
	fetchedStep      = 1024
	causeCycles      = 6144
)

// WhyFetched runs a program until a burst fetches a block, and says in words what for: the instruction, and the copy if
// the copy unit asked for it. place is an address, or a buffer of the program with +BYTES.
func WhyFetched(p *Plan, place string) (string, error) {
	tap := probe.NewTap(fetchedEvents)
	r, err := New(p, Options{Tap: tap})
	if err != nil {
		return "", err
	}
	past := NewPast(r, fetchedPastBytes, fetchedEvents)
	var block mem.Addr
	var burst probe.Event
	for done := false; burst.Req == 0 || r.machine.Now() < burst.Cycle; {
		if past.Note(); done {
			return "", fmt.Errorf("%s is never read from DRAM in this run: choose another block, such as one of an input",
				fault.Quote(place))
		}
		if done, err = r.Step(fetchedStep); err != nil {
			return "", err
		}
		if r.machine == nil {
			continue
		}
		if block == 0 {
			if block, err = blockAt(r.machine.Image(), place); err != nil {
				return "", err
			}
		}
		tap.Take(func(events []probe.Event) {
			for _, e := range events {
				if burst.Req == 0 && e.Kind == probe.KindRead && mem.LineAddr(e.Addr) == block && e.B&1 == 0 {
					burst = e
				}
			}
		})
	}
	s, err := past.Seek(burst.Cycle-min(burst.Cycle, causeCycles), burst.Cycle, false)
	var issue probe.Event
	for done := false; !done && err == nil; {
		done, err = s.Step(fetchedStep, func(events []probe.Event) {
			for _, e := range events {
				if e.Kind == probe.KindIssue && e.Req == burst.Req {
					issue = e
				}
			}
		})
	}
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("Block %#x, %s: the first of %d bursts is read in cycle %d on channel %d.\n", block,
		past.placeOf(block), burst.A>>16&0xff, burst.Cycle, burst.Unit)
	if issue.Kind != 0 {
		text += r.causeOf(issue) + "\n"
	}
	if copied := past.Copied(burst.Req); copied != "" {
		text += copied + "\n"
	}
	return text, nil
}

// causeOf describes the instruction of an event.
func (r *Run) causeOf(issue probe.Event) string {
	launch := 0
	for i := range r.machine.Launches() {
		if begin, _ := r.machine.LaunchSpan(i); r.machine.LaunchBegan(i) && begin <= issue.Cycle {
			launch = i
		}
	}
	k := r.loaded.timed[launch].Kernel
	module, line := r.plan.Program.ModuleOf(k.Module), int(k.Source[issue.B].Line)
	words := ""
	if lines := bytes.Split(module.PTX, []byte("\n")); line > 0 && line <= len(lines) {
		words = ": " + strings.Join(strings.Fields(string(lines[line-1])), " ")
	}
	return fmt.Sprintf("Cause: SM %d, warp %d, cycle %d: instruction %d of %s, %s line %d%s, %d of 32 lanes, %d blocks.",
		issue.Unit, issue.A>>16, issue.Cycle, issue.B, k.Name, module.Title(), line, words, issue.A>>8&0xff, issue.A&0xff)
}

// blockAt returns the block of a place: an address, or the name of a buffer and +BYTES.
func blockAt(image *mem.Image, place string) (mem.Addr, error) {
	name, offset, more := strings.Cut(place, "+")
	by, wrong := strconv.ParseUint(offset, 0, 64)
	if !more {
		wrong = nil
	}
	if at, err := strconv.ParseUint(place, 0, 64); err == nil && image.Find(at) >= 0 {
		return mem.LineAddr(at), nil
	}
	var names []string
	for _, a := range image.Allocations() {
		if a.Name == name && by < a.Bytes && wrong == nil {
			return mem.LineAddr(a.Base + by), nil
		}
		names = append(names, fmt.Sprintf("%s (%d bytes from %#x on)", a.Name, a.Bytes, a.Base))
	}
	return 0, fmt.Errorf("%s lies in no buffer: give an address, or a buffer and +BYTES; there are %s", fault.Quote(place),
		strings.Join(names, ", "))
}
