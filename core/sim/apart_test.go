package sim

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// talker sends numbers when it has any, and takes what arrives unless it rests.
type talker struct {
	in, out *Link[int]
	next    int
	sends   func(now Cycle) bool
	rests   func(now Cycle) bool
	log     []string
}

func (k *talker) Tick(now Cycle) Cycle {
	if !k.rests(now) {
		if v, ok := k.in.Recv(now); ok {
			k.log = append(k.log, fmt.Sprint(now, " takes ", v))
		}
	}
	if k.sends(now) {
		sent := k.out.SendAfter(now, Cycle(k.next%3), k.next)
		k.log = append(k.log, fmt.Sprint(now, " sends ", k.next, sent))
		if sent {
			k.next++
		}
	}
	return now + 1
}

// TestApartIsTogether: two components whose engines are apart, one up to a latency ahead of the other, take and send
// the same in the same cycles as in one engine, with links that are often full.
func TestApartIsTogether(t *testing.T) {
	for seed := range int64(60) {
		play := func(apart bool) (logs [2][]string, refused int) {
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
			forth, back := Cycle(8+r.Intn(30)), Cycle(1+r.Intn(9))
			front := &talker{sends: random(90), rests: random(70)}
			rest := &talker{sends: random(90), rests: random(70)}
			f, e := new(Engine), new(Engine)
			if !apart {
				f = e
			}
			fi, ri := f.Add(front), e.Add(rest)
			front.out = ConnectApart[int](f, fi, e, ri, 2+r.Intn(40), forth)
			rest.in = front.out
			if r.Intn(2) == 0 {
				rest.in.Bound(1 + r.Intn(4))
			}
			rest.out = ConnectApart[int](e, ri, f, fi, 2+r.Intn(40), back)
			front.in = rest.out
			f.Seal()
			if apart {
				e.Seal()
				front.in.Behind(f.Advance)
			} else {
				front.out.Fill() // rings that grow refuse what full ones refuse
				rest.out.Fill()
			}
			tight := false
			for e.Now() < 4000 {
				if !apart {
					e.Advance(4000)
					break
				}
				window := forth
				if tight {
					window, tight = 1, front.in.Refused()
				}
				e.Advance(min(4000, e.Now()+window))
				if e.Ended() {
					tight = true
					refused++
				}
				f.Advance(e.Now())
			}
			return [2][]string{front.log, rest.log}, refused
		}
		want, _ := play(false)
		got, refused := play(true)
		for i, who := range []string{"front", "rest"} {
			if !slices.Equal(got[i], want[i]) {
				for k := range min(len(got[i]), len(want[i])) {
					if got[i][k] != want[i][k] {
						t.Errorf("seed %d, %s: %s, in one engine %s", seed, who, got[i][k], want[i][k])
						break
					}
				}
			}
		}
		if seed == 0 && refused == 0 {
			t.Error("the link back is never full")
		}
	}
}
