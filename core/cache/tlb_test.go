package cache

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/stat"
)

// recency is a slow, obvious TLB of one set: pages in the order of their last use.
type recency struct {
	pages []mem.Addr
	most  int
}

func (r *recency) use(page mem.Addr) (hit bool) {
	i := slices.Index(r.pages, page)
	if i >= 0 {
		r.pages = append(slices.Delete(r.pages, i, i+1), page)
	}
	return i >= 0
}

func (r *recency) take(page mem.Addr) {
	if len(r.pages) == r.most {
		r.pages = r.pages[1:]
	}
	r.pages = append(r.pages, page)
}

// TestTLBIsARecencyList: hits and evictions of an SM's TLB are those of a list in the order of use, and it has no
// more pages on order than it has room for.
func TestTLBIsARecencyList(t *testing.T) {
	for seed := range int64(20) {
		r := rand.New(rand.NewSource(seed))
		c := L1TLBConfig{Entries: 1 + r.Intn(20), PageBytes: 4096 << r.Intn(4), Misses: 1 + r.Intn(5)}
		tlb, list := NewTLB(&c), recency{most: c.Entries}
		var asked []mem.Addr
		for i := range 4000 {
			a := mem.Addr(r.Intn(3*c.Entries))*mem.Addr(c.PageBytes) + mem.Addr(r.Intn(c.PageBytes))
			page := tlb.Page(a)
			if page != a/mem.Addr(c.PageBytes)*mem.Addr(c.PageBytes) {
				t.Fatalf("seed %d: address %x is on page %x", seed, a, page)
			}
			if slices.Contains(asked, page) {
				continue // the translator joins it
			}
			hit := list.use(page)
			if got := tlb.Hit(page); got != hit {
				t.Fatalf("seed %d, access %d: page %x: hit %v, want %v", seed, i, page, got, hit)
			}
			if !hit {
				if ok := tlb.Ask(page); ok != (len(asked) < c.Misses) {
					t.Fatalf("seed %d, access %d: asked with %d of %d on order: %v", seed, i, len(asked), c.Misses, ok)
				} else if ok {
					asked = append(asked, page)
				}
			}
			if n := len(asked); n > 0 && r.Intn(2) == 0 {
				k := r.Intn(n)
				tlb.Fill(asked[k])
				list.take(asked[k])
				asked = slices.Delete(asked, k, k+1)
			}
		}
	}
}

// asker is an SM that asks for pages in given cycles and notes when they come.
type asker struct {
	asks, answers *sim.Link[mem.Addr]
	at            []sim.Cycle
	page          []mem.Addr
	next          int
	came          []arrival
}

type arrival struct {
	at   sim.Cycle
	page mem.Addr
}

func (a *asker) Tick(now sim.Cycle) sim.Cycle {
	for page, ok := a.answers.Recv(now); ok; page, ok = a.answers.Recv(now) {
		a.came = append(a.came, arrival{now, page})
	}
	if a.next < len(a.at) && a.at[a.next] <= now {
		*a.asks.Put(now, 0) = a.page[a.next]
		a.next++
	}
	next := a.answers.NextReady()
	if a.next < len(a.at) {
		next = min(next, max(now+1, a.at[a.next]))
	}
	return next
}

// slowWalks answers the same pages cycle by cycle from what the words say: one look-up a cycle, SMs in turn; a page
// that is neither in its set's recency list nor on order begins a walk when one of the walkers is free.
func slowWalks(c *TLBConfig, sms []*asker) [][]arrival {
	sets := make([]recency, c.L2.Entries/c.L2.Ways)
	for i := range sets {
		sets[i].most = c.L2.Ways
	}
	type job struct {
		entry mem.Addr
		done  int
		wait  []walkAsker
	}
	var jobs []*job
	came, seen, turn := make([][]arrival, len(sms)), make([]int, len(sms)), 0
	for now, left := 0, true; left; now++ {
		left = false
		for len(jobs) > 0 && jobs[0].done == now {
			set := &sets[int(jobs[0].entry)/c.L2.PageBytes%len(sets)]
			set.take(jobs[0].entry)
			for _, w := range jobs[0].wait {
				came[w.sm] = append(came[w.sm], arrival{sim.Cycle(now + c.L2.AnswerCycles()), w.page})
			}
			jobs = jobs[1:]
		}
		for k := range sms {
			i := (turn + k) % len(sms)
			a := sms[i]
			if seen[i] == len(a.at) || int(a.at[seen[i]])+c.L2.AskCycles() > now {
				continue
			}
			page := a.page[seen[i]]
			entry := page / mem.Addr(c.L2.PageBytes) * mem.Addr(c.L2.PageBytes)
			seen[i], turn = seen[i]+1, (i+1)%len(sms)
			if sets[int(entry)/c.L2.PageBytes%len(sets)].use(entry) {
				came[i] = append(came[i], arrival{sim.Cycle(now + c.L2.AnswerCycles()), page})
				break
			}
			k := slices.IndexFunc(jobs, func(j *job) bool { return j.entry == entry })
			if k < 0 {
				k, jobs = len(jobs), append(jobs, &job{entry: entry, done: -1})
			}
			jobs[k].wait = append(jobs[k].wait, walkAsker{page, int32(i)})
			break
		}
		for i, j := range jobs {
			if i < c.Walkers && j.done < 0 {
				j.done = now + c.WalkCycles
			}
		}
		for i := range sms {
			left = left || seen[i] < len(sms[i].at)
		}
		left = left || len(jobs) > 0
	}
	return came
}

// TestWalksAgainstSlowTwin: every page comes back in the cycle in which a slow twin sends it, for random sizes.
func TestWalksAgainstSlowTwin(t *testing.T) {
	for seed := range int64(40) {
		r := rand.New(rand.NewSource(seed))
		ways := 1 + r.Intn(4)
		c := TLBConfig{
			On: true, L1: L1TLBConfig{Entries: 4, PageBytes: 4096, Misses: 40}, Walkers: 1 +
				r.Intn(4), WalkCycles: 1 + r.Intn(60),
			L2: L2TLBConfig{Entries: ways * (1 + r.Intn(5)), Ways: ways, PageBytes: 4096 << r.Intn(3),
				LatencyCycles: 2 + r.Intn(30)},
		}
		var e sim.Engine
		w := NewWalks(&c, 3)
		id := e.Add(w)
		var sms []*asker
		for range 3 {
			a := new(asker)
			for at, n := 0, r.Intn(40); n > 0; n-- {
				at += 1 + r.Intn(12)
				a.at, a.page = append(a.at, sim.Cycle(at)), append(a.page, mem.Addr(r.Intn(60))*4096)
			}
			of := e.Add(a)
			a.asks = sim.Connect[mem.Addr](&e, of, id, c.L1.Misses, sim.Cycle(c.L2.AskCycles()))
			a.answers = sim.Connect[mem.Addr](&e, id, of, c.L1.Misses, sim.Cycle(c.L2.AnswerCycles()))
			w.Attach(a.asks, a.answers)
			sms = append(sms, a)
		}
		e.Seal()
		e.Advance(1_000_000)
		asked := uint64(0)
		for i, want := range slowWalks(&c, sms) {
			asked += uint64(len(sms[i].at))
			if !slices.Equal(sms[i].came, want) {
				t.Fatalf("seed %d, %+v: SM %d got %v, want %v", seed, c, i, sms[i].came, want)
			}
		}
		s := &w.Stats
		if s[stat.L2TLBAccesses] != asked || asked != s[stat.L2TLBHits]+s[stat.L2TLBMerged]+s[stat.L2TLBMisses] ||
			s[stat.PageWalks] != s[stat.L2TLBMisses] {
			t.Errorf("seed %d: %d pages were asked for, %d looked up: %d hits, %d on order, %d misses, %d walks",
				seed, asked,
				s[stat.L2TLBAccesses], s[stat.L2TLBHits], s[stat.L2TLBMerged], s[stat.L2TLBMisses], s[stat.PageWalks])
		}
	}
}
