package compile

import (
	"strconv"
	"strings"
)

// since says from which target on an instruction exists, or one with a word. That of sm_90a and its like exists for
// one architecture alone, whose target ends in a letter (PTX ISA, "Target ISA Notes" of each instruction). What is
// older than sm_30 is not in it: no compiler of today makes such modules. Behind the target of what is for sm_90 stands
// the first version of PTX that has it, 80 for 8.0 ("PTX ISA Notes"). As a text it is small in the page's engine.
const since = " activemask=30 alloca=52 applypriority=80 atom.bf16=90/78 atom.bf16x2=90/78 atom.f16=70 atom.f16x2=60" +
	" atom.f64=60 bar.warp=30 barrier.cluster=90/78 bmsk=70 cp.async=80 cp.bulk=90/80 createpolicy=80" +
	" cvt.bf16=80 cvt.bf16x2=80 cvt.e4m3x2=89 cvt.e5m2x2=89 cvt.tf32=80 discard=80 dp2a=61 dp4a=61 elect=90/80" +
	" fence=70 fence.async=90/80 fence.cluster=90/78 fence.mbarrier_init=90/80" +
	" fence.tensormap::generic=90/83" +
	" fma.bf16=80 fma.bf16x2=80 fma.f16=53 fma.f16x2=53 fns=30 getctarank=90/78" +
	" griddepcontrol=90/78 ld.acquire=70 ld.relaxed=70 ldmatrix=75 lop3=50 mapa=90/78 match=70 mbarrier=80" +
	" mbarrier.cluster=90/80 mbarrier.shared::cluster=90/80" +
	" mbarrier.complete_tx=90/80 mbarrier.expect_tx=90/80 mbarrier.try_wait=90/78" +
	" mma=70 mma.sp=80 mma.sp::ordered_metadata=80" +
	" movmatrix=75 multimem=90/81 nanosleep=70 prefetch.tensormap=90/80 red.async=90/81" +
	" redux=80 setmaxnreg=90a/80 shf=32 shfl=30" +
	" st.async=90/81 st.bulk=100 st.relaxed=70 st.release=70 stmatrix=90/78 szext=70 tanh=75 tcgen05=100a" +
	" tensormap=90/83 tensormap.replace=90a/83" +
	" vabsdiff2=30 vabsdiff4=30 vadd2=30 vadd4=30 vavrg2=30 vavrg4=30 vmax2=30 vmax4=30 vmin2=30 vmin4=30" +
	" vset2=30 vset4=30 vsub2=30 vsub4=30 wgmma=90a/80 wgmma.sp=90a/82 wmma=70 "

// sinceOf returns the target from which on a word exists, "" for one that every target has, and the version of PTX, ten
// times the major one and the minor one.
func sinceOf(word string) (target string, version int) {
	_, rest, ok := strings.Cut(since, " "+word+"=")
	if !ok {
		return "", 0
	}
	rest, _, _ = strings.Cut(rest, " ")
	target, digits, _ := strings.Cut(rest, "/")
	version, _ = strconv.Atoi(digits)
	return "sm_" + target, version
}

// smOf returns the number of a target such as sm_90a, and whether it belongs to one architecture; 0 for another word.
func smOf(target string) (sm int, exact bool) {
	word, ok := strings.CutPrefix(target, "sm_")
	if !ok {
		return 0, false
	}
	digits := strings.TrimRight(word, "af")
	sm, _ = strconv.Atoi(digits)
	return sm, digits != word
}

// independentSM is the first target whose threads are scheduled one by one (PTX ISA, "Independent Thread Scheduling";
// CUDA C++ Programming Guide, compute capability 7.x).
const independentSM = 70

// lanesRunApart reports whether the lanes of a warp must make progress one by one, and .sync instructions wait for
// lanes.
func (m *Module) lanesRunApart() bool {
	sm, _ := smOf(m.Target)
	return sm >= independentSM
}

// later fails for an instruction that the module's target or its version of PTX does not have.
func (s *selector) later() {
	sm, exact := smOf(s.module.Target)
	if sm == 0 {
		return
	}
	s.laterWord(s.st.Opcode, sm, exact)
	for _, m := range s.st.Mods {
		s.laterWord(s.st.Opcode+"."+m.Text, sm, exact)
	}
	op := s.st.Opcode
	if (op == "shfl" || op == "vote") && sm >= 70 && !s.module.before(6, 4) && !s.modifier("sync") {
		s.fail(s.st.At, "%s: sm_70 and later have it with .sync only, which names the lanes that take part", s.text())
	}
}

func (s *selector) laterWord(word string, sm int, exact bool) {
	target, version := sinceOf(word)
	if need, one := smOf(target); sm < need || one && !exact {
		s.fail(s.st.At, "%s needs %s, but the module's .target is %s", s.text(), target, s.module.Target)
	}
	s.needs(version)
}

// needs fails if the module is written in an older version of PTX, ten times the major one and the minor one.
func (s *selector) needs(version int) {
	if m := s.module; m.before(version/10, version%10) {
		s.fail(s.st.At, "%s needs .version %d.%d, but the module's is %d.%d: raise it", s.text(), version/10,
			version%10, m.VersionMajor, m.VersionMinor)
	}
}

// ownSharedVersion has copies in bulk to .shared::cta (PTX ISA Notes of cp.async.bulk and cp.async.bulk.tensor).
const ownSharedVersion = 86

// modifier reports whether the statement has a modifier.
func (s *selector) modifier(word string) bool {
	for _, m := range s.st.Mods {
		if m.Text == word {
			return true
		}
	}
	return false
}

// before reports whether the module is written in an older version of PTX.
func (m *Module) before(major, minor int) bool {
	return m.VersionMajor < major || m.VersionMajor == major && m.VersionMinor < minor
}
