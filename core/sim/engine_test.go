package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/tape"
)

// node passes tokens on to a neighbour and sleeps for a while now and then: a
// little machine whose history depends on every wake being honoured.
type node struct {
	id    int
	in    *Link[uint64]
	out   *Link[uint64]
	rand  Rand
	hash  uint64
	held  uint64
	full  bool
	until Cycle
}

func (n *node) Tick(now Cycle) Cycle {
	n.hash = n.hash*0x9e3779b97f4a7c15 + uint64(now)
	if now < n.until {
		return n.until
	}
	if !n.full {
		if v, ok := n.in.Recv(now); ok {
			n.held, n.full = v, true
			n.hash ^= v
			if n.rand.Uint32()%4 == 0 {
				n.until = now + 1 + Cycle(n.rand.Uint32()%3000) // beyond the wheel's horizon too
				return n.until
			}
		} else {
			return n.in.NextReady()
		}
	}
	if n.out.Send(now, n.held*31+uint64(n.id)) {
		n.full = false
		return now + 1
	}
	return Never
}

// ring builds nodes in the given order of registration.
func ring(order []int) (*Engine, []*node) {
	e := &Engine{}
	nodes := make([]*node, len(order))
	id := make([]ID, len(order))
	for _, i := range order {
		nodes[i] = &node{id: i, rand: NewRand(1, uint64(i))}
		id[i] = e.Add(nodes[i])
	}
	e.Seal()
	for i := range nodes {
		j := (i + 1) % len(nodes)
		l := Connect[uint64](e, id[i], id[j], 1+i%3, Cycle(1+i%5))
		nodes[i].out, nodes[j].in = l, l
	}
	for i := range nodes {
		if i%2 == 0 {
			nodes[i].held, nodes[i].full = uint64(i)*977+1, true
		}
	}
	return e, nodes
}

func history(nodes []*node) string {
	s := ""
	for _, n := range nodes {
		s += fmt.Sprintf("%x ", n.hash)
	}
	return s
}

func upTo(n int) []int {
	o := make([]int, n)
	for i := range o {
		o[i] = i
	}
	return o
}

func TestOrderOfRegistrationDoesNotMatter(t *testing.T) {
	const n, cycles = 70, 50_000
	e, nodes := ring(upTo(n))
	e.Advance(cycles)
	want := history(nodes)
	r := NewRand(7, 7)
	for trial := 0; trial < 24; trial++ {
		order := upTo(n)
		for i := n - 1; i > 0; i-- {
			j := r.Intn(i + 1)
			order[i], order[j] = order[j], order[i]
		}
		e, nodes := ring(order)
		e.Advance(cycles)
		if got := history(nodes); got != want {
			t.Fatalf("order %v changes the history", order)
		}
	}
}

func TestSlicingDoesNotMatter(t *testing.T) {
	const cycles = 20_000
	e, nodes := ring(upTo(40))
	e.Advance(cycles)
	want := history(nodes)
	for _, step := range []Cycle{1, 7, 1023, 1024, 1025, 4999} {
		e, nodes := ring(upTo(40))
		for e.Now() < cycles {
			e.Advance(min(e.Now()+step, cycles))
		}
		if got := history(nodes); got != want {
			t.Errorf("slices of %d cycles change the history", step)
		}
	}
}

// TestAgainstTickEveryCycle: the slow twin ticks every component in every cycle.
// Sleeping is an optimisation, so what is sent when must be the same; the hash
// here covers sends only.
func TestAgainstTickEveryCycle(t *testing.T) {
	const cycles = 6000
	sums := func(everyCycle bool) string {
		e, nodes := ring(upTo(9))
		for c := Cycle(0); c < cycles; c++ {
			if everyCycle {
				for i := range nodes {
					e.Wake(ID(i), e.Now()+1)
				}
			}
			e.Advance(c + 1)
		}
		s := ""
		for _, n := range nodes {
			s += fmt.Sprintf("%d/%d ", n.out.tail, n.held)
		}
		return s
	}
	if a, b := sums(false), sums(true); a != b {
		t.Errorf("sleeping changes what is sent: %s against %s", a, b)
	}
}

func TestCopyContinuesTheSame(t *testing.T) {
	e, nodes := ring(upTo(30))
	e.Advance(3210)
	f, copies := ring(upTo(30))
	paper := tape.NewTape()
	copyState := func(from, to func(*tape.Tape)) { paper.Load(to, paper.Save(from, nil)) }
	copyState(e.State, f.State)
	for i := range nodes {
		in, out := copies[i].in, copies[i].out
		*copies[i] = *nodes[i]
		copies[i].in, copies[i].out = in, out
		copyState(nodes[i].out.State, out.State)
	}
	e.Advance(9000)
	f.Advance(9000)
	if history(nodes) != history(copies) {
		t.Error("a copied engine takes another course")
	}
}

func TestAdvanceDoesNotAllocate(t *testing.T) {
	e, _ := ring(upTo(64))
	e.Advance(1000)
	if n := testing.AllocsPerRun(20, func() { e.Advance(e.Now() + 500) }); n != 0 {
		t.Errorf("%v allocations in 500 cycles", n)
	}
}

func TestWakeInThePastPanics(t *testing.T) {
	e, _ := ring(upTo(4))
	e.Advance(10)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	e.Wake(0, 9)
}

func BenchmarkRing(b *testing.B) {
	e, _ := ring(upTo(64))
	e.Advance(1000)
	before := e.Ticks()
	for b.Loop() {
		e.Advance(e.Now() + 100)
	}
	b.ReportMetric(float64(e.Ticks()-before)/b.Elapsed().Seconds(), "ticks/s")
}

// waker wakes other components and itself in near and far cycles, and notes its ticks.
type waker struct {
	id    int
	many  int
	rand  Rand
	wake  func(id int, at Cycle)
	ticks *[]string
}

func (w *waker) some(now Cycle) Cycle {
	far := []int{1, 1, 3, 40, 900, 1023, 1024, 1025, 5000}[w.rand.Intn(9)]
	return now + 1 + Cycle(w.rand.Intn(far))
}

func (w *waker) Tick(now Cycle) Cycle {
	*w.ticks = append(*w.ticks, fmt.Sprint(now, " ", w.id))
	for range w.rand.Intn(3) {
		w.wake(w.rand.Intn(w.many), w.some(now))
	}
	if w.rand.Intn(16) == 0 {
		return Never
	}
	return w.some(now)
}

// TestTicksAreThoseOfASearch: an engine with a wheel, or with few components, ticks those of a twin that looks at all
// of them in every cycle, in the same order.
func TestTicksAreThoseOfASearch(t *testing.T) {
	const cycles = 60_000
	for _, many := range []int{3, fewComponents, fewComponents + 1, 64, 70} {
		var got, want []string
		e := &Engine{}
		for i := range many {
			e.Add(&waker{id: i, many: many, rand: NewRand(7, uint64(i)), ticks: &got, wake: func(id int, at Cycle) { e.Wake(ID(id), at) }})
		}
		e.Seal()
		for e.Now() < cycles {
			e.Advance(min(cycles, e.Now()+777))
		}

		due := make([]Cycle, many)
		wake := func(id int, at Cycle) { due[id] = min(due[id], at) }
		var twin []*waker
		for i := range many {
			twin = append(twin, &waker{id: i, many: many, rand: NewRand(7, uint64(i)), ticks: &want, wake: wake})
		}
		for now := Cycle(0); now < cycles; now++ {
			var run []int
			for i := range due {
				if due[i] == now {
					run = append(run, i)
					due[i] = Never
				}
			}
			for _, i := range run {
				wake(i, twin[i].Tick(now))
			}
		}
		if !slices.Equal(got, want) || len(got) < 500 || int(e.Ticks()) != len(want) {
			t.Errorf("%d components: %d ticks, want the same %d", many, len(got), len(want))
		}
	}
}
