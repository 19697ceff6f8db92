package sim

import (
	"fmt"
	"math/rand"
	"testing"
)

// talker sends numbers when it has any, and takes what arrives unless it rests.
type talker struct {
	in, out *Link[int]
	next    int
	sends   func(now Cycle) bool
	rests   func(now Cycle) bool
	log     []string
	sleeps  bool       // when refused, until it is woken
	stage   Stage[int] // of out
	staged  bool
}

// send is SendAfter of the link or of the stage before it.
func (k *talker) send(now, extra Cycle, v int) bool {
	switch {
	case !k.staged:
		return k.out.SendAfter(now, extra, v)
	case !k.stage.CanSend(now):
		return false
	}
	*k.stage.Put(now, extra) = v
	return true
}

func (k *talker) Tick(now Cycle) Cycle {
	if !k.rests(now) {
		if v, ok := k.in.Recv(now); ok {
			k.log = append(k.log, fmt.Sprint(now, " takes ", v))
		}
	}
	if k.sends(now) {
		sent := k.send(now, Cycle(k.next%3), k.next)
		if sent || !k.sleeps {
			k.log = append(k.log, fmt.Sprint(now, " sends ", k.next, sent))
		}
		if sent {
			k.next++
		} else if k.sleeps {
			return max(now+1, k.in.NextReady())
		}
	}
	return now + 1
}

// couple is two talkers, a front and a rest, with links that are often full.
type couple struct {
	front, rest *talker
	f, e        *Engine // theirs, which may be one
	forth       Cycle
	// refusals of the link back, windows side by side, and those of them after which the link forth is full
	refusals, turns, stalls int
}

// coupleOf returns the couple of a seed. Apart it has two engines.
func coupleOf(seed int64, apart bool) *couple {
	r := rand.New(rand.NewSource(seed))
	random := func(share int) func(Cycle) bool {
		list := make([]bool, 997)
		for i, long := 0, false; i < len(list); i++ {
			if r.Intn(30) == 0 {
				long = !long
			}
			list[i] = long && r.Intn(100) < share
		}
		return func(now Cycle) bool { return list[now%997] }
	}
	p := &couple{forth: Cycle(8 + r.Intn(30)), f: new(Engine), e: new(Engine)}
	back := Cycle(1 + r.Intn(9))
	p.front = &talker{sends: random(90), rests: random(70), sleeps: seed%2 == 0}
	p.rest = &talker{sends: random(90), rests: random(70)}
	if !apart {
		p.f = p.e
	}
	fi, ri := p.f.Add(p.front), p.e.Add(p.rest)
	p.front.out = ConnectApart[int](p.f, fi, p.e, ri, 2+r.Intn(40), p.forth)
	p.rest.in = p.front.out
	if r.Intn(2) == 0 {
		p.rest.in.Bound(1 + r.Intn(4))
	}
	p.rest.out = ConnectApart[int](p.e, ri, p.f, fi, 2+r.Intn(40), back)
	p.front.in = p.rest.out
	p.f.Seal()
	if apart {
		p.e.Seal()
		p.front.in.Behind(p.f.Advance)
	} else {
		p.front.out.Fill() // rings that grow refuse what full ones refuse
		p.rest.out.Fill()
	}
	return p
}

// advance advances both to cycle end, the rest before the front by at most a window, or two with beside: then both work
// at the same time while the link back has room.
func (p *couple) advance(window Cycle, beside bool, end Cycle) {
	tight := false
	for p.e.Now() < end {
		now := p.e.Now()
		if beside && !tight && p.f.Now() != now {
			if next := min(end, now+window, now+Cycle(p.rest.out.Free())); next > now+1 {
				p.sideBySide(now, next)
				continue
			}
			p.f.Advance(now)
		}
		step := window
		if tight {
			step, tight = 1, p.front.in.Refused()
		}
		p.e.Advance(min(end, now+step))
		if p.e.Ended() {
			tight = true
			p.refusals++
		}
		if !beside || tight {
			p.f.Advance(p.e.Now())
		}
	}
	p.f.Advance(end)
}

// sideBySide advances the front to cycle now and the rest from there to cycle next.
func (p *couple) sideBySide(now, next Cycle) {
	both := []*talker{p.front, p.rest}
	for _, k := range both {
		k.stage.Begin(k.out)
		k.staged = true
	}
	other := Begin(func() error {
		p.e.Advance(next)
		return nil
	})
	p.f.Advance(now)
	if err := other.Wait(); err != nil {
		panic(err)
	}
	for _, k := range both {
		k.stage.End()
		k.staged = false
	}
	p.turns++
	if p.front.out.stalled {
		p.stalls++
	}
}

// TestApartIsTogether: two components whose engines are apart, one up to a latency ahead of the other, take and send
// the same in the same cycles as in one engine, with links that are often full. So they do if the one that is
// ahead works on its next window while the other works on the one before, with stages between them.
func TestApartIsTogether(t *testing.T) {
	const end = 4000
	refusals, turns, stalls := 0, 0, 0
	for seed := range int64(60) {
		one := coupleOf(seed, false)
		one.e.Advance(end)
		inTurn, beside := coupleOf(seed, true), coupleOf(seed, true)
		inTurn.advance(inTurn.forth, false, end)
		beside.advance(beside.forth/2, true, end)
		for how, got := range map[string]*couple{"in turn": inTurn, "side by side": beside} {
			if text := difference(got.front.log, one.front.log); text != "" {
				t.Errorf("seed %d, %s, front: %s", seed, how, text)
			}
			if text := difference(got.rest.log, one.rest.log); text != "" {
				t.Errorf("seed %d, %s, rest: %s", seed, how, text)
			}
		}
		refusals, turns, stalls = refusals+inTurn.refusals, turns+beside.turns, stalls+beside.stalls
	}
	if refusals < 100 || turns < 1000 || stalls < 100 {
		t.Errorf("the link back is full %d times; of %d windows side by side, the link forth is full after %d",
			refusals, turns, stalls)
	}
}

// difference says where a log first differs from that of one engine.
func difference(got, want []string) string {
	for k := range max(len(got), len(want)) {
		if k >= len(got) || k >= len(want) || got[k] != want[k] {
			return fmt.Sprintf("entry %d: %q, in one engine %q", k, got[k:min(k+1, len(got))], want[k:min(k+1, len(want))])
		}
	}
	return ""
}
