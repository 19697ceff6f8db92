package machine

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/sim"
)

// TestReductionsWaitForRoom: reductions that no instruction waits for fill the
// load/store unit; a warp then waits until one has been acknowledged. Lane 0 of each
// warp touches lines 2 MB apart, which lie in few sets of L2 and rows of DRAM.
func TestReductionsWaitForRoom(t *testing.T) {
	const warps, rounds, each, stride = 1024 / ptx.MaxLanes, 8, 32, 2 << 20
	body := "{ .reg .u32 %k, %w;\n.reg .u64 %b, %o;\n.reg .pred %z;\nand.b32 %r, %t, 31;\nsetp.ne.u32 %q, %r, 0;\n@%q ret;\n" +
		"shr.u32 %w, %t, 5;\nmov.u32 %k, 0;\n" +
		"L: mad.lo.u32 %r, %k, 32, %w;\nmul.wide.u32 %o, %r, 128;\nadd.u64 %b, %p, %o;\n" +
		strings.Repeat("red.global.add.u32 [%b], 1;\nadd.u64 %b, %b, 0x200000;\n", each) +
		"add.u32 %k, %k, 1;\nsetp.lt.u32 %z, %k, 8;\n@%z bra L;\n}"
	for _, name := range presets() {
		spec, err := preset.GPU(name)
		if err != nil {
			t.Fatal(err)
		}
		m := buildFor(t, spec, body, each*stride)
		if err := m.Run(); err != nil {
			t.Fatal(err)
		}
		if err := m.Leaks(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		out := make([]byte, each*stride)
		m.Read(m.job.Image.Allocations()[0].Base, out)
		for i := range each {
			for k := range warps * rounds {
				if got := binary.LittleEndian.Uint32(out[i*stride+k*mem.LineBytes:]); got != 1 {
					t.Fatalf("%s: word %d of piece %d counts %d, want 1", name, k, i, got)
				}
			}
		}
	}
}

// buildFor returns a machine with a CTA of 1,024 threads and a buffer at %p.
func buildFor(t *testing.T, spec *parameter.GPU, body string, bufferBytes uint64) *Machine {
	t.Helper()
	m := build(t, spec, body)
	image, err := mem.NewImage(mem.DefaultBase, bufferBytes+1<<24)
	if err != nil {
		t.Fatal(err)
	}
	a, err := image.Alloc("buffer", bufferBytes)
	if err != nil {
		t.Fatal(err)
	}
	l := *m.job.Launches[0]
	l.Block, l.Params = [3]uint32{1024, 1, 1}, binary.LittleEndian.AppendUint64(nil, a.Base)
	m, err = New(spec, Job{Launches: []*ptx.Launch{&l}, Image: image, Scheme: codec.NewRaw(32)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// jobOf is the job of such a machine with CTAs of so many threads.
func jobOf(t *testing.T, spec *parameter.GPU, body string, bufferBytes uint64, ctas, threads int) Job {
	t.Helper()
	job := buildFor(t, spec, body, bufferBytes).job
	job.Launches[0].Grid, job.Launches[0].Block = [3]uint32{uint32(ctas), 1, 1}, [3]uint32{uint32(threads), 1, 1}
	return job
}

// writing is one memory instruction of a random kernel. Thread t of round k writes word
// (t*perThread + k*perRound) of the instruction's own region, modulo its words.
type writing struct {
	op                  string // of red and atom; "" is a store
	returns             bool   // atom instead of red
	words               uint32
	perThread, perRound uint32
}

// regionBytes is the room of one instruction's words, a power of two.
const regionBytes = 1 << 20

// index is the word that thread t writes in round k. A store writes one word for each
// thread and round, because the order of two stores is not defined.
func (w *writing) index(t, k, rounds uint32) uint32 {
	if w.op == "" {
		return t*rounds + k
	}
	return (t*w.perThread + k*w.perRound) % w.words
}

// apply is the slow twin: it performs the instruction of thread t in round k.
func (w *writing) apply(memory []uint32, t, k, rounds uint32) {
	v, at := t+k, &memory[w.index(t, k, rounds)]
	switch w.op {
	case "":
		*at = v
	case "add":
		*at += v
	case "max":
		*at = max(*at, v)
	case "or":
		*at |= v
	case "xor":
		*at ^= v
	}
}

func (w *writing) ptx(region, rounds int) string {
	address := fmt.Sprintf("mul.lo.u32 %%r, %%t, %d;\nmad.lo.u32 %%r, %%k, %d, %%r;\nrem.u32 %%r, %%r, %d;\n", w.perThread, w.perRound, w.words)
	if w.op == "" {
		address = fmt.Sprintf("mad.lo.u32 %%r, %%t, %d, %%k;\n", rounds)
	}
	address += "mul.wide.u32 %a, %r, 4;\nadd.u64 %a, %a, %p;\n"
	place := fmt.Sprintf("[%%a+%d]", region*regionBytes)
	switch {
	case w.op == "":
		return address + "st.global.u32 " + place + ", %v;\n"
	case w.returns:
		return address + "atom.global." + w.op + map[bool]string{true: ".b32", false: ".u32"}[w.op == "or" || w.op == "xor"] + " %x, " + place + ", %v;\n"
	}
	return address + "red.global." + w.op + map[bool]string{true: ".b32", false: ".u32"}[w.op == "or" || w.op == "xor"] + " " + place + ", %v;\n"
}

// writingProgram makes a random kernel of stores and atomics, and what it leaves in
// each instruction's region.
func writingProgram(seed uint64) (body string, want [][]uint32) {
	r := sim.NewRand(seed, 7)
	rounds := 1 + r.Intn(6)
	list := make([]writing, 1+r.Intn(6))
	body = fmt.Sprintf("{ .reg .u32 %%k, %%v, %%x;\n.reg .pred %%z;\nmov.u32 %%k, 0;\nL: add.u32 %%v, %%t, %%k;\n")
	for i := range list {
		w := &list[i]
		*w = writing{
			op: []string{"", "add", "max", "or", "xor"}[r.Intn(5)], returns: r.Intn(3) == 0,
			words: 1 + uint32(r.Intn(1<<(1+r.Intn(18)))), perThread: uint32(r.Intn(1 << r.Intn(15))), perRound: uint32(r.Intn(1 << r.Intn(15))),
		}
		body += w.ptx(i, rounds)
		region := make([]uint32, regionBytes/4)
		for k := range uint32(rounds) {
			for t := range uint32(1024) {
				w.apply(region, t, k, uint32(rounds))
			}
		}
		want = append(want, region)
	}
	return body + fmt.Sprintf("add.u32 %%k, %%k, 1;\nsetp.lt.u32 %%z, %%k, %d;\n@%%z bra L;\n}", rounds), want
}

// checkWriting runs the program of a seed on a preset.
func checkWriting(t *testing.T, name string, seed uint64) {
	t.Helper()
	body, want := writingProgram(seed)
	m := buildFor(t, built(name), body, uint64(len(want))*regionBytes)
	if err := m.Run(); err != nil {
		t.Fatalf("%s, seed %d: %v", name, seed, err)
	}
	if err := m.Leaks(); err != nil {
		t.Errorf("%s, seed %d: %v", name, seed, err)
	}
	out := make([]byte, len(want)*regionBytes)
	m.Read(m.job.Image.Allocations()[0].Base, out)
	for i, region := range want {
		for k, w := range region {
			if got := binary.LittleEndian.Uint32(out[i*regionBytes+4*k:]); got != w {
				t.Fatalf("%s, seed %d: instruction %d left %d in word %d, want %d", name, seed, i, got, k, w)
			}
		}
	}
}

// TestRandomWrites: stores, atomics and reductions that meet in few or many words, on
// every preset, leave what a loop over the threads leaves.
func TestRandomWrites(t *testing.T) {
	for i, name := range presets() {
		for k := range uint64(4) {
			checkWriting(t, name, uint64(i)*100+k)
		}
	}
}

// FuzzWrites does so for more programs.
func FuzzWrites(f *testing.F) {
	f.Add(uint64(1), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, which uint8) {
		names := preset.Names()
		checkWriting(t, names[int(which)%len(names)], seed)
	})
}
