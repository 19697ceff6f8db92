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
// the copy unit asked for it. Of a block that no burst fetches, such as one that is only written, it is the first
// request that L2 has for it. place is an address, or a buffer of the program with +BYTES.
func WhyFetched(p *Plan, place string) (string, error) {
	tap := probe.NewTap(fetchedEvents)
	r, err := New(p, Options{Tap: tap})
	if err != nil {
		return "", err
	}
	past := NewPast(r, fetchedPastBytes, fetchedEvents)
	var block mem.Addr
	var burst, asked probe.Event
	for done := false; !done && (burst.Req == 0 || r.machine.Now() < burst.Cycle); {
		past.Note()
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
				switch {
				case e.Req == 0 || mem.LineAddr(e.Addr) != block:
				case e.Kind == probe.KindRead && e.B&1 == 0 && burst.Req == 0:
					burst = e
				case e.Kind == probe.KindL2 && asked.Req == 0:
					asked = e
				}
			}
		})
	}
	past.Note()
	e := burst
	if e.Req == 0 {
		e = asked
	}
	if e.Req == 0 {
		return "", fmt.Errorf("%s is never accessed in this run: choose another block, such as one of an input",
			fault.Quote(place))
	}
	issue, err := past.issueOf(&e)
	if err != nil {
		return "", err
	}
	text := fmt.Sprintf("Block %#x, %s: ", block, past.placeOf(block))
	if burst.Req != 0 {
		text += fmt.Sprintf("the first of %d bursts is read in cycle %d on channel %d.\n", e.A>>16&0xff, e.Cycle, e.Unit)
	} else {
		text += fmt.Sprintf("no burst is read for it. Slice %d of L2 has the first request in cycle %d.\n", e.Unit, e.Cycle)
	}
	if issue.Kind != 0 {
		text += r.causeOf(issue) + "\n"
	}
	if copied := past.Copied(e.Req); copied != "" {
		text += copied + "\n"
	}
	return text, nil
}

// issueOf returns the event of the instruction whose request an event has, none if it is too old. It goes behind the
// cycle of the instruction, where a copy that stores knows it too, or to that of the event.
func (p *Past) issueOf(e *probe.Event) (issue probe.Event, err error) {
	for from, to := e.Cycle-min(e.Cycle, causeCycles), e.Cycle; ; from, to = issue.Cycle+1, issue.Cycle+1 {
		s, err := p.Seek(from, to, false)
		for done := false; !done && err == nil; {
			done, err = s.Step(fetchedStep, func(events []probe.Event) {
				for _, x := range events {
					if x.Kind == probe.KindIssue && x.Req == e.Req {
						issue = x
					}
				}
			})
		}
		if err != nil || issue.Kind == 0 || to == issue.Cycle+1 {
			return issue, err
		}
	}
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
