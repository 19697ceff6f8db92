package arith

import (
	"math/rand"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

// mbarrierModel is an mbarrier object in words.
type mbarrierModel struct{ phase, pending, expected, bytes int }

func (m *mbarrierModel) settle() {
	if m.pending == 0 && m.bytes == 0 {
		m.phase++
		m.pending = m.expected
	}
}

// TestMbarrierObject drives objects by random operations that a program may do,
// beside a model.
func TestMbarrierObject(t *testing.T) {
	r := rand.New(rand.NewSource(41))
	for range 50 {
		n := 1 + r.Intn(1<<20-1)
		if r.Intn(2) == 0 {
			n = 1 + r.Intn(5)
		}
		state := MbarrierInit(uint64(n))
		m := mbarrierModel{pending: n, expected: n}
		for range 300 {
			before := state
			was := m
			var code ptx.AtomicCode
			k := 0
			switch r.Intn(6) {
			case 0:
				code, k = ptx.MbarrierArrive, 1+r.Intn(max(1, m.pending))
				m.pending -= min(k, m.pending)
			case 1:
				code, k = ptx.MbarrierArrive, m.pending
				m.pending = 0
			case 2:
				if m.expected < 2 || m.pending == 0 {
					continue
				}
				code, k = ptx.MbarrierDrop, 1
				m.pending--
				m.expected--
			case 3:
				code, k = ptx.MbarrierExpect, r.Intn(1<<18)
				m.bytes += k
			case 4:
				code, k = ptx.MbarrierComplete, r.Intn(1<<18)
				if r.Intn(2) == 0 && m.bytes > 0 {
					k = m.bytes
				}
				m.bytes -= k
			case 5:
				if m.pending == 0 {
					continue
				}
				code, k = ptx.MbarrierArriveExpect, r.Intn(1<<18)
				m.pending--
				m.bytes += k
			}
			if m.bytes >= 1<<20 || m.bytes <= -1<<20 { // out of the range PTX allows
				m = was
				continue
			}
			m.settle()
			state = applyMbarrier(code, state, uint64(k))
			if got := int(state & MbarrierCountMask); got != m.pending {
				t.Fatalf("%d after %v of %d on %+v: %d pending, want %d", n, code, k, was, got, m.pending)
			}
			if over := MbarrierDifferent(before, state) != 0; over != (m.phase != was.phase) {
				t.Fatalf("%v of %d on %+v: phase is over: %v", code, k, was, over)
			}
			for parity := range 2 {
				if passed := MbarrierPassed(state, uint64(parity)) != 0; passed != (m.phase&1 != parity) {
					t.Fatalf("phase %d has passed parity %d: %v", m.phase, parity, passed)
				}
			}
		}
	}
}

// TestMbarrierDroppedOut: waits are legal after the last thread has dropped out, whatever the phase is then; arrivals
// are not.
func TestMbarrierDroppedOut(t *testing.T) {
	for phases := range 9 {
		state := MbarrierInit(1)
		for range phases {
			state = applyMbarrier(ptx.MbarrierArrive, state, 1)
		}
		before := state
		state = applyMbarrier(ptx.MbarrierDrop, state, 1)
		for code, b := range map[ptx.AtomicCode]uint64{ptx.MbarrierTest: before, ptx.MbarrierTestParity: 0} {
			if wrong := MbarrierFault(code, state, b, false); wrong != "" {
				t.Errorf("%v after %d phases: %s", code, phases, wrong)
			}
		}
		if MbarrierDifferent(before, state) == 0 || MbarrierPassed(state, uint64(phases&1)) == 0 {
			t.Errorf("the phase after %d others is not over", phases)
		}
		if MbarrierFault(ptx.MbarrierArrive, state, 1, false) == "" {
			t.Errorf("an arrival after %d phases and the last thread's end is legal", phases)
		}
	}
}
