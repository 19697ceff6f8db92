package sim

import (
	"fmt"
	"testing"
)

type sleeper struct{ ticks []Cycle }

func (s *sleeper) Tick(now Cycle) Cycle {
	s.ticks = append(s.ticks, now)
	return Never
}

func pair(capacity int, latency Cycle) (*Engine, *sleeper, *sleeper, *Link[int]) {
	e := &Engine{}
	p, c := &sleeper{}, &sleeper{}
	pi, ci := e.Add(p), e.Add(c)
	e.Seal()
	return e, p, c, Connect[int](e, pi, ci, capacity, latency)
}

func TestLinkLatency(t *testing.T) {
	e, _, c, l := pair(2, 5)
	e.Advance(10)
	if !l.Send(10, 1) {
		t.Fatal("an empty link refuses")
	}
	if _, ok := l.Recv(14); ok {
		t.Error("arrives one cycle early")
	}
	e.Advance(16)
	if c.ticks[len(c.ticks)-1] != 15 {
		t.Errorf("consumer woken at %v, want 15", c.ticks)
	}
	if v, ok := l.Recv(15); !ok || v != 1 {
		t.Errorf("at 15: %v %v", v, ok)
	}
}

func TestLinkCreditReturnsOneCycleLater(t *testing.T) {
	e, p, _, l := pair(1, 1)
	e.Advance(1)
	l.Send(1, 1)
	e.Advance(3)
	if l.Send(3, 2) {
		t.Fatal("a full link accepts")
	}
	l.Recv(3)
	if l.Send(3, 2) {
		t.Fatal("a slot is used again in the cycle it was freed")
	}
	e.Advance(5)
	if last := p.ticks[len(p.ticks)-1]; last != 4 {
		t.Errorf("producer woken at %v, want 4", p.ticks)
	}
	if !l.Send(5, 2) {
		t.Error("a freed slot is not used again")
	}
}

// The answer must not depend on whether the consumer takes an item before or
// after the producer tries, in one cycle.
func TestLinkSameCycleOrderDoesNotMatter(t *testing.T) {
	for _, consumerFirst := range []bool{false, true} {
		e, p, _, l := pair(1, 1)
		e.Advance(1)
		l.Send(1, 1)
		e.Advance(4)
		sent := false
		if consumerFirst {
			l.Recv(4)
			sent = l.Send(4, 2)
		} else {
			sent = l.Send(4, 2)
			l.Recv(4)
		}
		if sent {
			t.Errorf("consumer first %v: sent", consumerFirst)
		}
		e.Advance(7)
		if last := p.ticks[len(p.ticks)-1]; last != 5 {
			t.Errorf("consumer first %v: producer woken at %v, want 5", consumerFirst, p.ticks)
		}
	}
}

func TestLinkKeepsOrder(t *testing.T) {
	e, _, _, l := pair(4, 1)
	e.Advance(1)
	l.SendAfter(1, 10, 1)
	l.SendAfter(1, 0, 2)
	if at := l.place[1].ready; at != 12 {
		t.Errorf("the second item arrives at %d, before or after the first at 12", at)
	}
}

func TestClockRatio(t *testing.T) {
	r := ClockRatio{Num: 1002, Den: 822}
	for local := uint64(0); local < 5000; local++ {
		at := r.Base(local)
		if r.Local(at) < local || at > 0 && r.Local(at-1) >= local {
			t.Fatalf("local tick %d: base cycle %d is not the first", local, at)
		}
	}
	if got := r.Local(822_000_000); got != 1_002_000_000 {
		t.Errorf("a second of base cycles is %d local ticks", got)
	}
}

func TestRandIsPCG32(t *testing.T) {
	// The first outputs of pcg32_random_r of the PCG authors' demo, seed 42 and
	// sequence 54.
	r := NewRand(42, 54)
	for i, want := range []uint32{0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e} {
		if got := r.Uint32(); got != want {
			t.Errorf("output %d: %#x, want %#x", i, got, want)
		}
	}
}

// TestLinkBound: a bound counts only what has arrived, and what is taken in a cycle counts
// until its end.
func TestLinkBound(t *testing.T) {
	e, p, _, l := pair(16, 4)
	l.Bound(2)
	e.Advance(1)
	for v := range 5 {
		if !l.Send(1, v) {
			t.Fatal("items under way count")
		}
	}
	e.Advance(5)
	if l.Send(5, 9) {
		t.Fatal("two items have arrived, and a third is accepted")
	}
	for range 4 {
		l.Recv(5)
	}
	if l.Send(5, 9) {
		t.Fatal("items taken in this cycle do not count")
	}
	e.Advance(7)
	if last := p.ticks[len(p.ticks)-1]; last != 6 {
		t.Errorf("producer woken at %v, want 6", p.ticks)
	}
	if !l.Send(6, 9) {
		t.Error("one item that has arrived is too many")
	}
}

// TestLinkToFront: whichever item is taken, the others keep their order and their times.
func TestLinkToFront(t *testing.T) {
	for _, c := range []struct {
		k    uint32
		want string
	}{{0, "[1 2 3]"}, {1, "[0 2 3]"}, {3, "[0 1 2]"}} {
		e, _, _, l := pair(4, 1)
		e.Advance(1)
		for v := range 4 {
			l.Send(1, v)
		}
		e.Advance(2)
		if v, ok := l.PeekAt(2, c.k); !ok || *v != int(c.k) {
			t.Fatalf("item %d: %v %v", c.k, v, ok)
		}
		l.ToFront(c.k)
		if v, ok := l.Recv(2); !ok || v != int(c.k) {
			t.Fatalf("item %d was brought to the front, and %d is there", c.k, v)
		}
		if l.CanSend(2) || !l.CanSend(3) {
			t.Error("the place is not free from the next cycle on")
		}
		var got []int
		for v, ok := l.Recv(3); ok; v, ok = l.Recv(3) {
			got = append(got, v)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("without item %d: %v, want %s", c.k, got, c.want)
		}
	}
	e, _, _, l := pair(4, 3)
	e.Advance(1)
	l.Send(1, 0)
	if _, ok := l.PeekAt(3, 0); ok || l.ReadyAt(0) != 4 || l.ReadyAt(1) != Never {
		t.Errorf("an item that arrives at 4 is there at 3, or is ready at %d", l.ReadyAt(0))
	}
}

// TestLinkCanSendTwo: with one place there is no room for two, and the producer is woken
// when there is.
func TestLinkCanSendTwo(t *testing.T) {
	e, p, _, l := pair(3, 1)
	e.Advance(1)
	if !l.CanSendTwo(1) || !l.Send(1, 0) || !l.CanSendTwo(1) || !l.Send(1, 1) {
		t.Fatal("two of three places are free")
	}
	if l.CanSendTwo(1) || !l.CanSend(1) {
		t.Fatal("one place is room for one item")
	}
	e.Advance(4)
	l.Recv(4)
	if l.CanSendTwo(4) {
		t.Error("a place is used again in the cycle in which it was freed")
	}
	e.Advance(6)
	if last := p.ticks[len(p.ticks)-1]; last != 5 {
		t.Errorf("producer woken at %v, want 5", p.ticks)
	}
	if !l.CanSendTwo(5) {
		t.Error("a freed place is not used")
	}
}
