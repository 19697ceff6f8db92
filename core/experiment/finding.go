package experiment

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/workload"
)

// Finding is an output of a run that differs from the exact run's although nothing is approximated. It is no
// error of a scheme: the exact run executes CTA after CTA, and a program whose result depends on the order of its
// threads races.
type Finding struct {
	Buffer    string   `json:"buffer"`
	Element   uint64   `json:"element"` // the first that differs
	Address   mem.Addr `json:"address"` // of its first byte
	Exact     string   `json:"exact"`   // value in the exact run
	Timed     string   `json:"timed"`   // and in this one
	Different uint64   `json:"different"`
	Elements  uint64   `json:"elements"`
	Text      string   `json:"text"` // a sentence that says so
}

// finding compares the outputs of a run that approximates nothing with the exact run's; nil if they are
// the same.
func (l *loaded) finding(p *workload.Program, exact, timed [][]byte) *Finding {
	for k, i := range p.Outputs() {
		if bytes.Equal(exact[k], timed[k]) {
			continue
		}
		b := &p.Buffers[i]
		size := b.Element.Bytes()
		f := &Finding{Buffer: b.Name, Elements: uint64(len(exact[k]) / size)}
		for n := range f.Elements {
			at := int(n) * size
			if string(exact[k][at:at+size]) == string(timed[k][at:at+size]) {
				continue
			}
			if f.Different++; f.Different == 1 {
				f.Element, f.Address = n, l.buffers[i]+mem.Addr(at)
			}
		}
		f.Exact, f.Timed = workload.TextOf(b.Element, exact[k], f.Element), workload.TextOf(b.Element, timed[k], f.Element)
		f.Text = fmt.Sprintf("Finding: the program races, or the machine is wrong. Nothing is approximated, but "+
			"%s[%d] at %#x is %s in this run and %s in the exact run, which executes CTA after CTA; %d of %d elements differ.",
			f.Buffer, f.Element, uint64(f.Address), f.Timed, f.Exact, f.Different, f.Elements)
		return f
	}
	return nil
}

// Misled is a fault of the program in a run that approximates values. The exact run comes to its end.
type Misled struct{ Fault *execute.Fault }

func (m *Misled) Error() string { return m.Fault.Error() + "; " + m.Mend() }
func (m *Misled) Unwrap() error { return m.Fault }

// Mend says why the exact run has no such fault, and what to do.
func (m *Misled) Mend() string {
	return "the exact run has no such fault: this scheme approximates values, and one of them is used as an index, " +
		"an address or a condition here; leave the load or the buffer that it comes from exact"
}

// misled tells a fault that the scheme of the run causes from one of the program.
func (r *Run) misled(err error) error {
	var f *execute.Fault
	if errors.As(err, &f) && (r.plan.Approximates() || lossyModule(r.scheme)) {
		return &Misled{f}
	}
	return err
}
