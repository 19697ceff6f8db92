package compile

import (
	"strings"
	"testing"
)

// load compiles a kernel around a statement, for a version and a target.
func load(version, target, statement string) error {
	_, err := Load("form.ptx", []byte(".version "+version+"\n.target "+target+"\n.address_size 64\n"+
		".visible .entry k(.param .u64 p) { .reg .pred %p<9>; .reg .b16 %h<9>;\n"+
		".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"+
		statement+"\nret;\n}\n"))
	return err
}

// says reports whether an error is at a place and has some words.
func says(err error, place, words string) bool {
	return err != nil && strings.HasPrefix(err.Error(), place) && strings.Contains(err.Error(), words)
}

// TestLaterInstructions: an instruction that the module's target does not have is refused, as by the assembler.
func TestLaterInstructions(t *testing.T) {
	for _, c := range []struct{ version, target, statement, want string }{
		{"8.0", "sm_80", "setmaxnreg.inc.sync.aligned.u32 240;", "needs sm_90a, but the module's .target is sm_80"},
		{"8.0", "sm_90", "setmaxnreg.inc.sync.aligned.u32 240;", "needs sm_90a"},
		{"8.0", "sm_90a", "setmaxnreg.inc.sync.aligned.u32 240;", ""},
		{"8.3", "sm_90", "tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 1;", "needs sm_90a"},
		{"8.3", "sm_80", "mbarrier.try_wait.b64 %p1, [%rd1], %rd2;", "needs sm_90"},
		{"8.3", "sm_80", "mbarrier.test_wait.b64 %p1, [%rd1], %rd2;", ""},
		{"8.3", "sm_80", "fence.proxy.async.global;", "needs sm_90"},
		{"8.3", "sm_80", "fence.proxy.alias;", ""},
		{"8.3", "sm_90", "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;", ""},
		{"8.3", "sm_90", "fence.proxy.tensormap::generic.acquire.gpu [%rd1], 64;", "the size of a tensor map, 128 bytes"},
		{"8.3", "sm_90", "fence.proxy.tensormap::generic.acquire.gpu;", "takes 2 operands"},
		{"8.0", "sm_75", "cp.async.wait_all;", "needs sm_80"},
		{"8.0", "sm_80", "cp.async.wait_all;", ""},
		{"7.0", "sm_70", "redux.sync.add.u32 %r0, %r1, -1;", "redux.sync.add.u32 needs sm_80"},
		{"7.0", "sm_60", "nanosleep.u32 20;", "needs sm_70"},
		{"7.0", "sm_60", "fence.acq_rel.gpu;", "needs sm_70"},
		{"7.0", "sm_35", "lop3.b32 %r0, %r1, %r2, %r3, 1;", "needs sm_50"},
		{"8.0", "sm_80", "shfl.idx.b32 %r1, %r2, 0, 31;", "with .sync only"},
		{"6.4", "sm_70", "vote.ballot.b32 %r1, %p1;", "with .sync only"},
		{"6.3", "sm_70", "shfl.idx.b32 %r1, %r2, 0, 31;", ""},
		{"8.0", "sm_60", "shfl.idx.b32 %r1, %r2, 0, 31;", ""},
	} {
		err := load(c.version, c.target, c.statement)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s for %s at %s: %v", c.statement, c.target, c.version, err)
		case c.want != "" && !says(err, "form.ptx:6:", c.want):
			t.Errorf("%s for %s at %s: %v, want %q", c.statement, c.target, c.version, err, c.want)
		}
	}
	for _, word := range strings.Fields(since) {
		name, _, _ := strings.Cut(word, "=")
		target, version := sinceOf(name)
		if sm, _ := smOf(target); sm < 30 || sm > 120 || version != 0 && (version < 78 || version > 86) ||
			(sm == 90) != (version != 0) {
			t.Errorf("%s: sm_%d, version %d", word, sm, version)
		}
	}
}

// TestLaterVersions: an instruction for sm_90 that a module's version of PTX does not have yet is refused, as by the
// assembler, and the next version has it (PTX ISA, "PTX ISA Notes").
func TestLaterVersions(t *testing.T) {
	for _, c := range []struct{ before, first, target, statement string }{
		{"7.7", "7.8", "sm_90", "mapa.shared::cluster.u32 %r0, %r1, %r2;"},
		{"7.7", "7.8", "sm_90", "barrier.cluster.arrive.aligned;"},
		{"7.7", "7.8", "sm_90", "mbarrier.try_wait.b64 %p1, [%rd1], %rd2;"},
		{"7.8", "8.0", "sm_90", "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 16;"},
		{"7.8", "8.0", "sm_90", "mbarrier.arrive.shared::cluster.b64 _, [%r1];"},
		{"7.8", "8.0", "sm_90", "cp.async.bulk.commit_group;"},
		{"7.8", "8.0", "sm_90", "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 64;"},
		{"7.8", "8.0", "sm_90", "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r1, %r2}], [%r3];"},
		{"7.8", "8.0", "sm_90", "prefetch.tensormap [%rd1];"},
		{"7.8", "8.0", "sm_90", "fence.proxy.async;"},
		{"7.8", "8.0", "sm_90a", "wgmma.fence.sync.aligned;"},
		{"7.8", "8.0", "sm_90a", "setmaxnreg.inc.sync.aligned.u32 240;"},
		{"8.0", "8.1", "sm_90", "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r1], %r2, [%r3];"},
		{"8.5", "8.6", "sm_90", "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 64, [%r2];"},
		{"8.5", "8.6", "sm_90", "cp.async.bulk.tensor.1d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], " +
			"[%rd1, {%r3}], [%r2];"},
		{"8.2", "8.3", "sm_90a", "tensormap.replace.tile.rank.global.b1024.b32 [%rd1], 1;"},
	} {
		if err := load(c.first, c.target, c.statement); err != nil {
			t.Errorf("%s at %s: %v", c.statement, c.first, err)
		}
		want := "needs .version " + c.first + ", but the module's is " + c.before + ": raise it"
		if err := load(c.before, c.target, c.statement); !says(err, "form.ptx:6:", want) {
			t.Errorf("%s at %s: %v, want %q", c.statement, c.before, err, want)
		}
	}
}

// TestConstantsAndNames: what the assembler refuses, and what it takes, of constants, registers and characters.
func TestConstantsAndNames(t *testing.T) {
	for _, c := range []struct{ statement, want string }{
		{"add.f32 %f1, %f2, 1;", "takes .f32 here, not an integer"},
		{"st.global.f32 [%rd1], 0;", "takes .f32 here, not an integer"},
		{"mov.u16 %h1, 70000;", "70000 does not fit into the 16 bits"},
		{"mov.u16 %h1, 65535; mov.s16 %h2, -32768; mov.b32 %r1, -2147483648; mov.b32 %r2, 4294967295;", ""},
		{"mov.s16 %h1, -32769;", "does not fit"},
		{"mov.u32 %r1, 4294967296;", "does not fit into the 32 bits"},
		{"mov.u64 %rd1, 18446744073709551615;", ""},
		{".reg .b32 %r1;", "%r1 is already declared at line 5"},
		{".reg .b32 %r<4>;", "%r0 is already declared at line 5"},
		{".reg .b32 %r1<4>;", ""}, // %r10 to %r13
		{".reg .b32 %q10; .reg .b32 %q<11>;", "%q10 is already declared"},
		{".reg .b32 %q1<4>; .reg .b32 %q<20>;", "%q10 is already declared"},
		{".reg .b32 %q<20>; .reg .b32 %q1<4>;", "%q10 is already declared"},
		{"{ .reg .b32 %r<4>; .reg .b64 %rd1; }", ""}, // of a block of its own
		{".reg .b32 %1, %2; mov.u32 %1, 5%3; add.u32 %2, %1, (7)%2;", ""},
		{".reg .b32 a\u0394;", "unexpected character 'Δ' (U+0394): names are ASCII"},
		{"mov.u32\u00a0%r1, 7;", "U+00A0, a no-break space, which cannot be seen"},
		{"mov.u32 %r1,\u200b 7;", "U+200B, a zero-width space"},
		{"mov.u32 %r1, \ue000 7;", "U+E000, which cannot be seen"},
		{"mov.u32 %r1, \xff 7;", "unexpected byte 0xff"},
		{"mov.u32 %r1, 7; // \u0394\u00a0 \"\u200b", ""},
	} {
		err := load("8.0", "sm_80", c.statement)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.statement, err)
		case c.want != "" && !says(err, "form.ptx:6:", c.want):
			t.Errorf("%s: %v, want %q", c.statement, err, c.want)
		}
	}
}
