package fit

import (
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
	"github.com/burstscope/burstscope/core/workload"
)

// Stream reads a sample in the simulator: allocation by allocation, 16 bytes a thread, as
// a pass over the weights of a model does. It does no arithmetic, so nothing hides the time of the link.
//
// A sample is so small that starting and ending the read would hide the rest. So half of the sample is read too,
// and the slowdown is that of the other half: the difference of the two.
type Stream struct {
	gpu string
	// overrides replace values of the machine.
	overrides scenario.Overrides
	parts     [2]streamPart // the sample, and half of it
	part      int           // is being read
	run       *experiment.Run
	took      uint64 // cycles of the whole sample in the present scheme
	ideal     uint64 // difference with all data in device memory
}

// streamPart is a read of some of the sample.
type streamPart struct {
	program *workload.Program
	targets string
	study   *experiment.Study
}

// threadBytes are read by one load of a thread, the widest there is.
const threadBytes = 16

// NewStream returns a read of a sample whose entries have the targets of a report.
func NewStream(gpu string, s *Sample, r *profile.Report) (*Stream, error) {
	return newStream(gpu, nil, s, r)
}

func newStream(gpu string, overrides scenario.Overrides, s *Sample, r *profile.Report) (*Stream, error) {
	st := &Stream{gpu: gpu, overrides: overrides}
	for i, part := range []*Sample{s, s.half()} {
		p := &st.parts[i]
		p.program, p.targets = streamProgram(part.byTarget(r))
		var err error
		if p.study, err = experiment.NewStudy(st.plan(p, scheme.Default())); err != nil {
			return nil, err
		}
	}
	return st, nil
}

func (s *Stream) plan(p *streamPart, of scheme.Scheme) *experiment.Plan {
	of.Complete()
	return &experiment.Plan{Preset: s.gpu, Overrides: s.overrides, Scheme: of, Program: p.program}
}

// Step works on the slowdown with a link for about the given number of cycles. It returns 0 until it is known.
func (s *Stream) Step(l *Link, cycles uint64) (slowdown float64, err error) {
	p := &s.parts[s.part]
	if s.run == nil {
		of := scheme.Default()
		of.Memory.Put("codec", system.None)
		if s.ideal > 0 {
			of = p.schemeOf(l)
		}
		s.run = p.study.Run(s.plan(p, of), experiment.Options{})
	}
	done, err := s.run.Step(cycles)
	if err != nil || !done {
		return 0, err
	}
	took := s.run.Result().Cycles
	s.run = nil
	if s.part = 1 - s.part; s.part == 1 {
		s.took = took
		return 0, nil
	}
	difference := max(1, s.took-min(s.took, took))
	if s.ideal == 0 {
		s.ideal = difference
		return 0, nil
	}
	return float64(difference) / float64(s.ideal), nil
}

func (s *streamPart) schemeOf(l *Link) scheme.Scheme {
	of := scheme.Default()
	of.Memory.Put("codec", "bpc")
	of.Backing = system.Part{
		"kind": "buddy", "targets": s.targets, "gbPerSecond": int64(l.MBPerSecond+500) / 1000,
		"channels": int64(l.Channels), "header": int64(l.HeaderBytes), "latency": int64(LatencyFactor),
	}
	return of
}

// streamProgram returns a program that reads one buffer for each target, one after the other, and the targets
// of the buffers.
func streamProgram(data map[string][]byte) (*workload.Program, string) {
	p := &workload.Program{Name: "stream", Title: "Read of a sample", File: "stream.ptx", PTX: []byte(streamText)}
	p.Buffers = []workload.Buffer{{Name: "sum", Bytes: 4, Output: true, Element: workload.ElementU32}}
	rules := []string{"sum=" + layout.Plain.String()}
	for _, target := range layout.Targets() {
		bytes := data[target]
		if len(bytes) == 0 {
			continue
		}
		k, name := len(p.Buffers), "target "+target
		p.Buffers = append(p.Buffers, workload.Buffer{Name: name, Bytes: uint64(len(bytes)), Init: bytes,
			Element: workload.ElementU32})
		rules = append(rules, name+"="+target)
		items := uint32(len(bytes) / threadBytes)
		p.Launches = append(p.Launches, workload.Launch{
			Entry: "stream", Grid: [3]uint32{(items + ctaItems - 1) / ctaItems, 1, 1},
			Block: [3]uint32{ctaItems / threadItems, 1, 1},
			Args:  []workload.Arg{workload.BufferArg(k), workload.U32(items), workload.BufferArg(0)},
		})
	}
	return p, strings.Join(rules, ",")
}

// A thread has threadItems loads in flight, and a CTA ctaItems [ours].
const threadItems, ctaItems = 4, 1024

// streamText adds up all words, so that every load is waited for. It stores the sum of a thread if it has a
// value that hardly any has: the read is not to write.
const streamText = `.version 6.4
.target sm_60
.address_size 64
.visible .entry stream(.param .u64 data, .param .u32 items, .param .u64 sum)
{
	.reg .pred %p<4>;
	.reg .b32 %r<24>;
	.reg .b64 %base, %at<4>;
	ld.param.u64 %base, [data];
	ld.param.u32 %r0, [items];
	cvta.to.global.u64 %base, %base;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %tid.x;
	mad.lo.u32 %r4, %r1, 1024, %r2;
	add.u32 %r5, %r4, 256;
	add.u32 %r6, %r4, 512;
	add.u32 %r7, %r4, 768;
	setp.lt.u32 %p0, %r4, %r0;
	setp.lt.u32 %p1, %r5, %r0;
	setp.lt.u32 %p2, %r6, %r0;
	setp.lt.u32 %p3, %r7, %r0;
	mad.wide.u32 %at0, %r4, 16, %base;
	mad.wide.u32 %at1, %r5, 16, %base;
	mad.wide.u32 %at2, %r6, 16, %base;
	mad.wide.u32 %at3, %r7, 16, %base;
	@%p0 ld.global.v4.u32 {%r8, %r9, %r10, %r11}, [%at0];
	@%p1 ld.global.v4.u32 {%r12, %r13, %r14, %r15}, [%at1];
	@%p2 ld.global.v4.u32 {%r16, %r17, %r18, %r19}, [%at2];
	@%p3 ld.global.v4.u32 {%r20, %r21, %r22, %r23}, [%at3];
	add.u32 %r8, %r8, %r9;
	add.u32 %r8, %r8, %r10;
	add.u32 %r8, %r8, %r11;
	add.u32 %r8, %r8, %r12;
	add.u32 %r8, %r8, %r13;
	add.u32 %r8, %r8, %r14;
	add.u32 %r8, %r8, %r15;
	add.u32 %r8, %r8, %r16;
	add.u32 %r8, %r8, %r17;
	add.u32 %r8, %r8, %r18;
	add.u32 %r8, %r8, %r19;
	add.u32 %r8, %r8, %r20;
	add.u32 %r8, %r8, %r21;
	add.u32 %r8, %r8, %r22;
	add.u32 %r8, %r8, %r23;
	setp.ne.u32 %p0, %r8, 0x9e3779b9;
	@%p0 bra END;
	ld.param.u64 %base, [sum];
	cvta.to.global.u64 %base, %base;
	st.global.u32 [%base], %r8;
END:
	ret;
}
`
