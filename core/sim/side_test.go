package sim

import (
	"fmt"
	"math/rand"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/fault"
)

// hub sends numbers to a row of others and takes theirs, when it is woken or has any.
type hub struct {
	in, out []*Link[int]
	marks   uint64 // links of in with items
	next    int
	sends   func(now Cycle) int // to whom, -1: nobody
	log     []string
}

func (h *hub) Tick(now Cycle) Cycle {
	for i, l := range h.in {
		if has := l.Len() > 0; has != (h.marks>>i&1 != 0) {
			h.log = append(h.log, fmt.Sprint(now, " wrong mark ", i))
		}
		if v, ok := l.Recv(now); ok {
			h.log = append(h.log, fmt.Sprint(now, " takes ", i, v))
		}
	}
	next := Never
	for _, l := range h.in {
		next = min(next, max(now+1, l.NextReady()))
	}
	if i := h.sends(now); i >= 0 && h.out[i].Send(now, h.next) {
		h.next++
	}
	return min(next, now+7)
}

// TestSideBySideIsInTurn: a row of components that tick side by side on any number of threads does in each cycle what
// it does one after the other, with a component before it and one after it, links that are full, and wakes in all
// directions.
func TestSideBySideIsInTurn(t *testing.T) {
	if !spreads {
		t.Skip("one thread here")
	}
	for seed := range int64(6) {
		play := func(threads int) (logs [][]string, ticks uint64) {
			r := rand.New(rand.NewSource(seed))
			random := func(share int) func(Cycle) bool {
				list := make([]bool, 997)
				for i := range list {
					list[i] = r.Intn(100) < share
				}
				return func(now Cycle) bool { return list[now%997] }
			}
			n := 6 + r.Intn(60)
			busy := random(30 + r.Intn(70))
			first, last := &hub{}, &hub{sends: func(Cycle) int { return -1 }}
			first.sends = func(now Cycle) int {
				if busy(now) {
					return int(now*7) % n
				}
				return -1
			}
			e := new(Engine)
			id := e.Add(first)
			var row []*talker
			var rowID []ID
			for range n {
				row = append(row, &talker{sends: random(r.Intn(60)), rests: random(r.Intn(60))})
				rowID = append(rowID, e.Add(row[len(row)-1]))
			}
			end := e.Add(last)
			for i, k := range row {
				k.in = Connect[int](e, id, rowID[i], 1+r.Intn(4), Cycle(1+r.Intn(4)))
				k.out = Connect[int](e, rowID[i], end, 1+r.Intn(9), Cycle(1+r.Intn(9)))
				k.out.Mark(&last.marks, i)
				first.out, last.in = append(first.out, k.in), append(last.in, k.out)
			}
			e.Seal()
			if threads > 1 {
				c := NewCrew(threads, int(seed)%3*500)
				c.Start()
				defer c.Stop()
				e.Spread(Side{
					Crew: c, First: rowID[0], Last: rowID[n-1], Begin: func() {}, End: func() {},
					Tick: func(_ int, id ID, now Cycle) Cycle { return row[id-rowID[0]].Tick(now) },
				})
			}
			e.Advance(300)
			e.Advance(900)
			for _, k := range row {
				logs = append(logs, k.log)
			}
			return append(logs, first.log, last.log), e.Ticks()
		}
		want, wantTicks := play(1)
		for _, threads := range []int{2, 3, 7} {
			got, ticks := play(threads)
			for i := range got {
				if !slices.Equal(got[i], want[i]) {
					t.Fatalf("seed %d, %d threads: component %d of %d does something else", seed, threads, i, len(got))
				}
			}
			if ticks != wantTicks {
				t.Errorf("seed %d, %d threads: %d ticks instead of %d", seed, threads, ticks, wantTicks)
			}
		}
		if hubLog := want[len(want)-1]; len(hubLog) < 50 {
			t.Errorf("seed %d: the last one takes %d items only", seed, len(hubLog))
		}
	}
}

// TestCrewDoesEachJobOnce: each job is done once, by a thread of its own number, in any number of calls, and between
// calls threads may have gone to sleep.
func TestCrewDoesEachJobOnce(t *testing.T) {
	if !spreads {
		t.Skip("one thread here")
	}
	for _, threads := range []int{2, 3, 7} {
		c := NewCrew(threads, 0)
		for range 3 {
			c.Start()
			for call := range 200 {
				n := call % 41
				by := make([]int, n)
				c.Do(n, func(thread, i int) { by[i] += 1 + thread<<8 })
				for i, x := range by {
					if x&255 != 1 || x>>8 >= threads {
						t.Fatalf("%d threads, job %d of %d: %#x", threads, i, n, x)
					}
				}
			}
			c.Stop()
		}
	}
}

func TestEachDoesEachJobOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7} {
		for _, n := range []int{0, 1, 5, 1000} {
			done := make([]int, n)
			Each(threads, n, func(i int) { done[i]++ })
			for i, times := range done {
				if times != 1 {
					t.Fatalf("%d threads: job %d of %d has been done %d times", threads, i, n, times)
				}
			}
		}
	}
}

func TestPanicOfAJobIsThatOfEach(t *testing.T) {
	for _, threads := range []int{1, 3} {
		err := fault.Guard(func() error {
			Each(threads, 10, func(i int) {
				if i == 4 {
					panic("four")
				}
			})
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "four") {
			t.Errorf("%d threads: %v", threads, err)
		}
	}
}

// TestCrewStartsLate: the caller does so many jobs alone, and from then on, also after another Start, with threads.
func TestCrewStartsLate(t *testing.T) {
	if !spreads {
		t.Skip("one thread here")
	}
	before := runtime.NumGoroutine()
	c := NewCrew(3, 10)
	c.Start()
	for i, pays := range []bool{false, false, true, true} {
		if i == 1 && runtime.NumGoroutine() != before {
			t.Error("threads from the first job on")
		}
		if c.Pays(5) != pays {
			t.Errorf("call %d: %v", i, !pays)
		}
	}
	if got := runtime.NumGoroutine() - before; got != 2 {
		t.Errorf("%d threads beside the caller instead of 2", got)
	}
	c.Stop()
	c.Start()
	defer c.Stop()
	if !c.Pays(1) || runtime.NumGoroutine()-before != 2 {
		t.Error("no threads after a second start")
	}
}

// TestPanicOfAJobIsThatOfDo: it comes out where the jobs were asked for, when the others have ended, and the crew goes
// on.
func TestPanicOfAJobIsThatOfDo(t *testing.T) {
	if !spreads {
		t.Skip("one thread here")
	}
	c := NewCrew(3, 0)
	c.Start()
	defer c.Stop()
	for wrong := range 20 {
		func() {
			defer func() {
				if p, ok := recover().(error); !ok || p.Error() != fmt.Sprintf("internal error: job %d", wrong) {
					t.Errorf("job %d: %v", wrong, p)
				}
			}()
			c.Do(20, func(_, i int) {
				if i == wrong {
					panic(fmt.Sprintf("job %d", i))
				}
			})
		}()
	}
}

// TestPostedJob: a job that was posted is done once, beside the jobs of Do, and has ended when it was collected. Its
// panic is that of Collect, or of a Do before.
func TestPostedJob(t *testing.T) {
	if !spreads {
		t.Skip("one thread here")
	}
	for _, threads := range []int{2, 3, 7} {
		c := NewCrew(threads, 0)
		c.Start()
		for call := range 300 {
			posted, others := 0, make([]int, 5)
			fails := call%50 == 49
			err := fault.Guard(func() error {
				c.Post(func(int, int) {
					posted++
					if fails {
						panic("posted")
					}
				})
				for range call % 4 {
					c.Do(len(others), func(_, i int) { others[i]++ })
				}
				c.Collect()
				return nil
			})
			if err != nil {
				c.Collect() // the job has panicked in a Do
			}
			if posted != 1 || (err != nil) != fails || err == nil && others[4] != call%4 {
				t.Fatalf("%d threads, call %d: done %d times, the others %d: %v", threads, call, posted, others[4], err)
			}
		}
		c.Stop()
	}
}
