package compile

import (
	"strconv"
	"strings"
)

// since says from which target on an instruction exists, or one with a word; exact instructions exist for that
// architecture alone, whose target ends in a letter: sm_90a (PTX ISA, "Target ISA Notes" of each instruction). What is
// older than sm_30 is not in it: no compiler of today makes such modules.
var since = map[string]struct {
	sm    int
	exact bool
}{
	"activemask": {sm: 30}, "alloca": {sm: 52}, "applypriority": {sm: 80}, "atom.bf16": {sm: 90},
	"atom.bf16x2": {sm: 90}, "atom.f16": {sm: 70}, "atom.f16x2": {sm: 60}, "atom.f64": {sm: 60},
	"bar.warp": {sm: 30}, "barrier.cluster": {sm: 90}, "bmsk": {sm: 70}, "cp.async": {sm: 80},
	"cp.bulk": {sm: 90}, "createpolicy": {sm: 80}, "cvt.bf16": {sm: 80}, "cvt.bf16x2": {sm: 80},
	"cvt.e4m3x2": {sm: 89}, "cvt.e5m2x2": {sm: 89}, "cvt.tf32": {sm: 80}, "discard": {sm: 80}, "dp2a": {sm: 61},
	"dp4a": {sm: 61}, "elect": {sm: 90}, "fence": {sm: 70}, "fma.bf16": {sm: 80}, "fma.bf16x2": {sm: 80},
	"fma.f16": {sm: 53}, "fma.f16x2": {sm: 53}, "fns": {sm: 30}, "getctarank": {sm: 90},
	"griddepcontrol": {sm: 90}, "ld.acquire": {sm: 70}, "ld.relaxed": {sm: 70}, "ldmatrix": {sm: 75},
	"lop3": {sm: 50}, "mapa": {sm: 90}, "match": {sm: 70}, "mbarrier": {sm: 80}, "mma": {sm: 70},
	"movmatrix": {sm: 75}, "multimem": {sm: 90}, "nanosleep": {sm: 70}, "red.async": {sm: 90}, "redux": {sm: 80},
	"setmaxnreg": {sm: 90, exact: true}, "shf": {sm: 32}, "shfl": {sm: 30}, "st.async": {sm: 90},
	"st.bulk": {sm: 100}, "st.relaxed": {sm: 70}, "st.release": {sm: 70}, "stmatrix": {sm: 90}, "szext": {sm: 70},
	"tanh": {sm: 75}, "tcgen05": {sm: 100, exact: true}, "wgmma": {sm: 90, exact: true}, "wmma": {sm: 70},
}

// smOf returns the number of a target such as sm_90a, and whether it is that of one architecture; 0 for another word.
func smOf(target string) (sm int, exact bool) {
	word, ok := strings.CutPrefix(target, "sm_")
	if !ok {
		return 0, false
	}
	digits := strings.TrimRight(word, "af")
	sm, _ = strconv.Atoi(digits)
	return sm, digits != word
}

// later fails for an instruction that the module's target does not have.
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
	need, ok := since[word]
	if !ok || sm >= need.sm && (exact || !need.exact) {
		return
	}
	suffix := ""
	if need.exact {
		suffix = "a"
	}
	s.fail(s.st.At, "%s needs sm_%d%s, but the module's .target is %s", s.text(), need.sm, suffix, s.module.Target)
}

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
