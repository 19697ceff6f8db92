package ptx

import (
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
)

// IgnoredHint is a word of a program that asks the caches for what they do not do: a run that has it takes the
// cycles of one without it.
type IgnoredHint struct {
	Kernel string `json:"kernel"`
	Line   int32  `json:"line"` // of its first instruction, and the column
	Column int32  `json:"column"`
	Word   string `json:"word"`
	Text   string `json:"text"` // a sentence that says so, and why
}

// HintLimits are the parts of a machine on which the effect of a hint depends. The zero value has none of the limits.
type HintLimits struct {
	Name         string // of the machine
	PastL1       bool   // global loads bypass L1
	StoresDrop   bool   // a store drops its line from L1
	WholeLines   bool   // L2 reads whole lines from DRAM
	NoSecondLine bool   // L2 does not read the other line of a pair
}

// IgnoredHints lists the words of a kernel without effect on a machine, each once. core/ptx/HINTS.md has the table.
func IgnoredHints(k *Kernel, l *HintLimits) (list []IgnoredHint) {
	seen := map[string]bool{}
	for pc := range k.Code {
		in := &k.Code[pc]
		if in.Mem == nil || !in.IsMemory {
			continue
		}
		for _, x := range ignoredIn(in.Mem, l) {
			if seen[x.word] {
				continue
			}
			seen[x.word] = true
			list = append(list, IgnoredHint{k.Name, in.Line, in.Column, x.word,
				fmt.Sprintf("Ignored: %s at line %d of kernel %s: %s.", x.word, in.Line, k.Name, x.why)})
		}
	}
	return list
}

type ignoredWord struct{ word, why string }

func ignoredIn(o *MemoryOp, l *HintLimits) (list []ignoredWord) {
	add := func(is bool, word, why string) {
		if is {
			list = append(list, ignoredWord{word, why})
		}
	}
	h := &o.Hints
	past := "global loads of " + l.Name + " bypass L1"
	add(h.Through, ".wt", "L2 writes through for system memory only, and all memory here is the device's")
	if o.Space == SpaceLocal {
		return list
	}
	switch o.Kind {
	case AccessLoad:
		add(l.PastL1 && o.Operator == CacheReadOnly, ".nc", past)
		add(l.PastL1 && h.L1 != mem.EvictDefault, levelOneWord(h), past)
		add(l.WholeLines && h.Ahead > 0 && h.Ahead <= 2, fmt.Sprintf("L2::%dB", int(h.Ahead)*mem.AheadBytes),
			"L2 of "+l.Name+" reads whole lines of 128 bytes")
		add(l.NoSecondLine && h.Ahead > 2, "L2::256B", "L2 of "+l.Name+" reads one line for a miss")
	case AccessStore:
		add(l.StoresDrop && h.L1 != mem.EvictDefault, "st with "+levelOneWord(h),
			"a store drops its line from L1 of "+l.Name)
	case AccessPrefetch:
		add(l.PastL1 && h.ToL1, "prefetch.L1", past+", so the line comes to L2 alone")
	}
	return list
}

// levelOneWord names the priority in L1.
func levelOneWord(h *Hints) string {
	if h.Streaming {
		return ".cs or .lu in L1"
	}
	return [...]string{mem.EvictUnchanged: "L1::evict_unchanged", mem.EvictFirst: "L1::evict_first",
		mem.EvictLast:   "L1::evict_last",
		mem.EvictNormal: "L1::evict_normal", mem.NoAllocate: "L1::no_allocate"}[h.L1]
}
