package machine

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/stat"
)

const hintBytes = 4 << 20

// hinted runs a kernel of one thread on a buffer at %p and a far one at %s.
func hinted(t *testing.T, spec *parameter.GPU, body string) *Machine {
	t.Helper()
	src := ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 s)\n{\n" +
		".shared .align 16 .b8 shared[16];\n.local .align 16 .b8 own[16];\n" +
		".reg .b64 %p, %a, %s, %e, %c;\n.reg .b32 %r, %n, %t;\n" +
		".reg .pred %q;\nld.param.u64 %p, [p];\nld.param.u64 %s, [s];\n" + body + "\nret;\n}\n"
	module, err := compile.Load("k.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	k, err := compile.Kernel(module, "k", nil)
	if err != nil {
		t.Fatal(err)
	}
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	var params []byte
	for _, name := range []string{"buffer", "stream"} {
		a, err := image.Alloc(name, hintBytes)
		if err != nil {
			t.Fatal(err)
		}
		params = binary.LittleEndian.AppendUint64(params, a.Base)
	}
	m, err := New(spec, Job{
		Launches: []*ptx.Launch{{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Params: params}},
		Image:    image, Scheme: codec.NewRaw(32), Paranoid: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err != nil {
		t.Fatal(body, err)
	}
	return m
}

var waits int

// wait is a loop that outlasts every access.
func wait() string {
	waits++
	return fmt.Sprintf("mov.u32 %%n, 0;\nW%d: add.u32 %%n, %%n, 1;\nsetp.lt.u32 %%q, %%n, 1000;\n@%%q bra W%d;\n",
		waits, waits)
}

// again does an instruction ten times, each when the one before has ended.
func again(instruction string) string {
	waits++
	return fmt.Sprintf("mov.u32 %%t, 0;\nA%d: %s\nadd.u32 %%r, %%r, %%t;\n"+
		"add.u32 %%t, %%t, 1;\nsetp.lt.u32 %%q, %%t, 10;\n@%%q bra A%d;\n", waits, instruction, waits)
}

// stream128 reads bytes of the far buffer, line after line, with an instruction for address %a.
func stream128(instruction string, bytes int) string {
	waits++
	return fmt.Sprintf("mov.u64 %%a, %%s;\nadd.u64 %%e, %%s, %d;\nS%d: %s\n"+
		"add.u64 %%a, %%a, 128;\nsetp.lt.u64 %%q, %%a, %%e;\n@%%q bra S%d;\n", bytes, waits,
		instruction, waits) + wait()
}

// hintSpecs are machines whose L2 takes lines or sectors, and reads a line for a store or not; L1 keeps stores on h200.
func hintSpecs() []string {
	all := []string{"mini", "gtx580b", "v100", "h200"}
	if testing.Short() {
		return all[:1] // in WebAssembly the work is the same
	}
	return all
}

func TestHintsInL1(t *testing.T) {
	const load = "ld.global.u32 %r, [%p];\n"
	for _, name := range hintSpecs() {
		spec := withoutFetches(built(name))
		twice := 2 * spec.SM.L1.Bytes()
		for _, c := range []struct {
			name, body string
			hits       uint64
		}{
			{"again", load + wait() + load, 1},
			{"no_allocate", again("ld.global.L1::no_allocate.u32 %r, [%p];"), 0},
			{"no_allocate of a line that is there", load + wait() + "ld.global.L1::no_allocate.u32 %r, [%p];", 1},
			{"no_allocate leaves nothing", "ld.global.L1::no_allocate.u32 %r, [%p];\n" + wait() + load, 0},
			{"cg", "ld.global.cg.u32 %r, [%p];\n" + wait() + load, 0},
			{"cs", "ld.global.cs.u32 %r, [%p];\n" + wait() + load, 1},
			{"lu", "ld.global.lu.u32 %r, [%p];\n" + wait() + load, 1},
			{"cv", "ld.global.cv.u32 %r, [%p];\n" + wait() + load, 0},
			{"nc", "ld.global.nc.u32 %r, [%p];\n" + wait() + load, 1},
			{"ca.nc", "ld.global.ca.nc.u32 %r, [%p];\n" + wait() + load, 1},
			{"cp.async.ca", "cp.async.ca.shared.global [shared], [%p], 16;\n" + wait() + load, 1},
			{"cp.async.cg", "cp.async.cg.shared.global [shared], [%p], 16;\n" + wait() + load, 0},
			{"prefetch to L1", "prefetch.global.L1 [%p];\n" + wait() + load, 1},
			{"prefetch to L1, the whole line", "prefetch.L1 [%p+96];\n" + wait() + load, 1},
			{"prefetch to the uniform cache", "prefetchu.L1 [%p];\n" + wait() + load, 1},
			{"prefetch to L2", "prefetch.global.L2 [%p];\n" + wait() + load, 0},
			{"prefetch of shared memory", "prefetch.L1 [shared];\n" + wait() + load, 0},
			{"prefetch outside of memory", "prefetch.global.L1 [16];\n" + wait() + load, 0},
			{"a load joins a prefetch", "prefetch.global.L1 [%p];\n" + load + wait() + load, 1},
			{"stream", load + stream128("ld.global.u32 %r, [%a];", twice) + load, 0},
			{"stream past L1", load + stream128("ld.global.cg.u32 %r, [%a];", twice) + load, 1},
			{"stream without lines", load + stream128("ld.global.L1::no_allocate.u32 %r, [%a];", twice) + load, 1},
			{"stream that leaves first", load + stream128("ld.global.L1::evict_first.u32 %r, [%a];", twice) + load, 1},
			{"streaming loads", load + stream128("ld.global.cs.u32 %r, [%a];", twice) + load, 1},
			{"line that leaves last", "ld.global.L1::evict_last.u32 %r, [%p];\n" +
				stream128("ld.global.u32 %r, [%a];", twice) + load, 1},
			{"normal line", "ld.global.L1::evict_normal.u32 %r, [%p];\n" + stream128("ld.global.u32 %r, [%a];",
				twice) + load, 0},
		} {
			s := hinted(t, spec, c.body).Stats()
			if s[stat.L1Hits] != c.hits {
				t.Errorf("%s, %s: %d hits in L1, want %d", name, c.name, s[stat.L1Hits], c.hits)
			}
			left, right := s[stat.L1Accesses]+s[stat.L1Bypasses], s[stat.GlobalLoadLines]+s[stat.L1Prefetches]
			if left != right {
				t.Errorf("%s, %s: %d lookups of L1 for %d lines", name, c.name, left, right)
			}
		}
	}
}

func TestHintsInL2(t *testing.T) {
	const load = "ld.global.cg.u32 %r, [%p];\n"
	const last = "createpolicy.fractional.L2::evict_last.b64 %c, 1.0;\n"
	const hint = "ld.global.cg.L2::cache_hint.u32 %r, [%p], %c;\n"
	spec := withoutFetches(mini())
	twice := 2 * spec.L2.Bytes() * spec.Slices()
	plain := stream128("ld.global.cg.u32 %r, [%a];", twice)
	for _, writeMiss := range []string{"allocate", "fetch"} {
		if f := spec.Override("l2.writeMiss", writeMiss); f != nil {
			t.Fatal(f)
		}
		for _, c := range []struct {
			name, body string
			hit        bool
		}{
			{"no stream", load + wait() + load, true},
			{"stream", load + plain + load, false},
			{"evict_last", last + hint + plain + load, true},
			{"evict_last of an atomic", last + "red.global.add.L2::cache_hint.u32 [%p], 1, %c;\n" + plain + load, true},
			{"evict_last of a store", last +
				"st.global.L2::cache_hint.v4.u32 [%p], {1, 1, 1, 1}, %c;\n" +
				"st.global.L2::cache_hint.v4.u32 [%p+16], {1, 1, 1, 1}, %c;\n" + plain + load, true},
			{"evict_last of a copy", last + "cp.async.cg.shared.global.L2::cache_hint [shared], [%p], 16, %c;\n" +
				plain + load, true},
			{"CUTLASS's evict_last", "mov.b64 %c, 0x14F0000000000000;\n" + hint + plain + load, true},
			{"no policy", "mov.b64 %c, 0;\n" + hint + plain + load, false},
			{"an access property", "createpolicy.cvt.L2.b64 %c, 0x14F0000000000000;\n" + hint + plain + load, true},
			{"evict_unchanged", "createpolicy.fractional.L2::evict_unchanged.b64 %c;\n" + hint + plain + load, false},
			{"a range", "createpolicy.range.global.L2::evict_last.b64 %c, [%p], 4096, 8192;\n" + hint + plain + load,
				true},
			{"outside of a range",
				"createpolicy.range.L2::evict_last.L2::evict_first.b64 %c, [%p+8192], 4096, 4096;\n" +
					hint + plain + load, false},
			{"prefetch", "prefetch.global.L2 [%p];\n" + wait() + load, true},
			{"prefetch, evict_last", "prefetch.global.L2::evict_last [%p];\n" + plain + load, true},
			{"prefetch, evict_normal", last + hint + "prefetch.global.L2::evict_normal [%p];\n" + plain + load, false},
			{"applypriority", last + hint + wait() + "applypriority.global.L2::evict_normal [%p], 128;\n" + plain +
				load, false},
			{"a default access keeps the class", last + hint + load + plain + load, true},
			{"evict_normal takes it", last + hint + "createpolicy.fractional.L2::evict_normal.b64 %c;\n" + hint +
				plain + load, false},
			{"streaming loads", load + stream128("ld.global.cs.u32 %r, [%a];", twice) + load, true},
			{"streaming stores", load + stream128("st.global.cs.u32 [%a], 1;", twice) + load, true},
			{"stores", load + stream128("st.global.u32 [%a], 1;", twice) + load, false},
		} {
			m := hinted(t, spec, c.body)
			before := hinted(t, spec, c.body[:len(c.body)-len(load)]).Stats()
			s := m.Stats()
			if hit := s[stat.L2ReadHits] > before[stat.L2ReadHits]; hit != c.hit {
				t.Errorf("write miss %s, %s: the last load hits: %v, want %v", writeMiss, c.name, hit, c.hit)
			}
			if s[stat.L2Fills] != s[stat.L2Misses]+s[stat.L2RepairFills]+s[stat.L2PrefetchFills] {
				t.Errorf("%s: %d fills for %d misses and %d prefetches", c.name, s[stat.L2Fills], s[stat.L2Misses],
					s[stat.L2PrefetchFills])
			}
		}
	}
}

// A fraction of the lines has the primary priority: about that many of them stay.
func TestFractionalPolicy(t *testing.T) {
	spec := withoutFetches(mini())
	bytes := spec.L2.Bytes() * spec.Slices()
	body := func(fraction string) string {
		again := strings.ReplaceAll(stream128("ld.global.cg.u32 %r, [%a];", bytes/4), "%s", "%p")
		return "mov.f32 %t, " + fraction + ";\ncreatepolicy.fractional.L2::evict_last.L2::evict_first.b64 %c, %t;\n" +
			strings.ReplaceAll(stream128("ld.global.cg.L2::cache_hint.u32 %r, [%a], %c;", bytes/4), "%s",
				"%p") + stream128("ld.global.cg.u32 %r, [%a];", 2*bytes) + again
	}
	for fraction, share := range map[string]float64{"0.25": 0.25, "0.5": 0.5, "1.0": 1} {
		s := hinted(t, spec, body(fraction)).Stats()
		if got := float64(s[stat.L2ReadHits]) / float64(bytes/4/mem.LineBytes); got < share-0.1 || got > share+0.1 {
			t.Errorf("fraction %s: %.2f of the lines stayed", fraction, got)
		}
	}
}

func TestPrefetchSizes(t *testing.T) {
	for _, c := range []struct {
		instruction string
		bytes       uint64
	}{
		{"ld.global.u32 %r, [%p];", 32}, {"ld.global.L2::64B.u32 %r, [%p];",
			64}, {"ld.global.L2::64B.u32 %r, [%p+96];", 64},
		{"ld.global.L2::128B.u32 %r, [%p];", 128}, {"ld.global.L2::256B.u32 %r, [%p+128];", 256},
		{"ld.volatile.global.L2::128B.u32 %r, [%p];", 128}, {"cp.async.ca.shared.global.L2::128B [shared], [%p], 16;",
			128},
		{"prefetch.global.L2 [%p];", 128}, {"prefetch.global.L1 [%p];", 128},
	} {
		if s := hinted(t, withoutFetches(built("v100")), c.instruction).Stats(); s[stat.DRAMReadBytes] != c.bytes {
			t.Errorf("%s reads %d bytes of DRAM, want %d", c.instruction, s[stat.DRAMReadBytes], c.bytes)
		}
	}
}

// A discard loses what L2 alone holds; nothing of it is written back.
func TestDiscard(t *testing.T) {
	for _, name := range hintSpecs() {
		spec := withoutFetches(built(name))
		store := "ld.global.u32 %r, [%p];\n" + wait() + "st.global.u32 [%p], 7;\n" + wait()
		flush := ""
		if name == "mini" {
			flush = stream128("ld.global.cg.u32 %r, [%a];", 2*spec.L2.Bytes()*spec.Slices())
		}
		m := hinted(t, spec, store+"discard.global.L2 [%p], 128;\n"+flush+wait()+"ld.global.u32 %r, [%p];")
		s := m.Stats()
		if s[stat.L2Discards] != 1 || s[stat.L2DirtyDiscards] != 1 || s[stat.ControllerWrites] != 0 {
			t.Errorf("%s: %d discards, %d of them dirty, %d blocks written", name, s[stat.L2Discards],
				s[stat.L2DirtyDiscards], s[stat.ControllerWrites])
		}
		var word [4]byte
		m.Read(mem.DefaultBase, word[:])
		if word != [4]byte{} {
			t.Errorf("%s: the discarded word is still %v", name, word)
		}
		if m := hinted(t, spec, store+"discard.L2 [%p+64], 128;\nst.global.u32 [%p], 9;"); true {
			if m.Read(mem.DefaultBase, word[:]); word != [4]byte{9} {
				t.Errorf("%s: a store behind a discard left %v", name, word)
			}
		}
	}
}

// The words without an effect are named once.
func TestIgnoredHints(t *testing.T) {
	const body = "st.global.wt.u32 [%p], 1;\nst.global.wt.u32 [%p], 1;\n" +
		"ld.global.L2::128B.u32 %r, [%p];\nst.global.L1::evict_last.u32 [%p], 1;\nprefetch.global.L1 [%p];\n"
	for name, want := range map[string]string{"mini": ".wt, L2::128B, st with L1::evict_last", "h200": ".wt"} {
		var words []string
		for _, x := range hinted(t, built(name), body).IgnoredHints() {
			words = append(words, x.Word)
			if x.Line == 0 || !strings.Contains(x.Text, x.Word) {
				t.Errorf("%+v", x)
			}
		}
		if got := strings.Join(words, ", "); got != want {
			t.Errorf("%s ignores %q, want %q", name, got, want)
		}
	}
	if list := hinted(t, built("h200"),
		"ld.global.L1::evict_last.L2::256B.u32 %r, [%p];").IgnoredHints(); len(list) > 0 {
		t.Errorf("a hint that is followed is said to be ignored: %+v", list)
	}
}
