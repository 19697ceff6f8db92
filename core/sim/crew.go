//go:build !wasm

package sim

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/burstscope/burstscope/core/fault"
)

// All of core's goroutines and what they share are in this file. They make no difference to results: a job of a
// crew touches nothing of another job, and what jobs tell the rest of a machine has no order among them.

// spreads says that an engine can tick components side by side.
const spreads = true

// Crew does jobs side by side on several threads, of which the caller of Do is number 0.
type Crew struct {
	// claims is the call of Do, the jobs that it has and those that have been taken, in one word, so that a thread
	// that comes late takes nothing of a later call.
	claims  atomic.Uint64
	left    atomic.Int64 // jobs that have not ended
	waits   atomic.Bool  // the caller, for ended
	ended   chan struct{}
	closing atomic.Bool
	job     func(thread, i int)
	failed  atomic.Pointer[error] // the panic of a job
	threads []thread              // without the caller
	running sync.WaitGroup
	spins   int
	alone   int // jobs that the caller still does alone, before there are threads
}

// thread is a goroutine that sleeps while there is nothing to do for long.
type thread struct {
	sleeps atomic.Bool
	wake   chan struct{}
	_      [48]byte // to a line of the host's caches
}

const (
	claimJobs = 16 // bits of the number of jobs, and of those taken
	// MostThreads is how many threads a crew may have [ours].
	MostThreads = 32
	// spinsAtMost is how often a thread looks for work before it sleeps, up to a millisecond: longer than what the
	// caller does between two calls. A virtual core that has gone to sleep takes so long to wake that the caller does all
	// jobs alone. [ours, measured: core/BENCHMARKS.md]
	spinsAtMost = 500_000
	// wakesFor is how many jobs are worth waking threads for [ours].
	wakesFor = 4
)

// NewCrew returns a crew of n threads, at least 2 and at most MostThreads. Its threads start when Pays has been asked
// about so many jobs as the caller shall do alone.
func NewCrew(n, alone int) *Crew {
	c := &Crew{ended: make(chan struct{}, 1), threads: make([]thread, n-1), alone: alone}
	if n <= runtime.GOMAXPROCS(0) {
		c.spins = spinsAtMost
	}
	for i := range c.threads {
		c.threads[i].wake = make(chan struct{}, 1)
	}
	return c
}

// Threads returns the number of threads.
func (c *Crew) Threads() int { return len(c.threads) + 1 }

// Start lets the threads start, and Stop ends them. Do lies between the two.
func (c *Crew) Start() {
	c.closing.Store(false)
	if c.alone <= 0 {
		c.begin()
	}
}

// Pays reports whether the crew has threads by now, so that n jobs are done with Do. Otherwise the caller does them
// in its own way.
func (c *Crew) Pays(n int) bool {
	if c.alone <= 0 {
		return true
	}
	if c.alone -= n; c.alone <= 0 {
		c.begin()
	}
	return false
}

func (c *Crew) begin() {
	for i := range c.threads {
		c.running.Go(func() { c.work(i + 1) })
	}
}

// Stop waits for the end of all threads.
func (c *Crew) Stop() {
	c.closing.Store(true)
	c.wake()
	c.running.Wait()
}

// Do does the jobs 0 to n-1, and returns when all have ended. If one panics, so does Do.
func (c *Crew) Do(n int, job func(thread, i int)) {
	c.job = job
	c.left.Store(int64(n))
	call := c.claims.Load()>>(2*claimJobs) + 1
	c.claims.Store(call<<(2*claimJobs) | uint64(n)<<claimJobs)
	if n >= wakesFor {
		c.wake()
	}
	for c.take(0) {
	}
	c.await()
	if err := c.failed.Swap(nil); err != nil {
		panic(*err)
	}
}

// wake wakes the threads that sleep.
func (c *Crew) wake() {
	for i := range c.threads {
		if t := &c.threads[i]; t.sleeps.Load() && t.sleeps.Swap(false) {
			t.wake <- struct{}{}
		}
	}
}

// take does some jobs, if there are any.
func (c *Crew) take(thread int) bool {
	const mask = 1<<claimJobs - 1
	for {
		claims := c.claims.Load()
		n, taken := int(claims>>claimJobs&mask), int(claims&mask)
		if taken >= n {
			return false
		}
		// A few at once while there are many.
		some := max(1, (n-taken)/(4*len(c.threads)+4))
		if c.claims.CompareAndSwap(claims, claims+uint64(some)) {
			c.do(thread, taken, some)
			return true
		}
	}
}

// do does jobs that a thread has taken.
func (c *Crew) do(thread, first, n int) {
	err := fault.Guard(func() error {
		for i := first; i < first+n; i++ {
			c.job(thread, i)
		}
		return nil
	})
	if err != nil {
		c.failed.CompareAndSwap(nil, &err)
	}
	if c.left.Add(int64(-n)) == 0 && c.waits.Load() && c.waits.Swap(false) {
		c.ended <- struct{}{}
	}
}

// await waits until all jobs have ended.
func (c *Crew) await() {
	for range c.spins {
		if c.left.Load() == 0 {
			return
		}
	}
	c.waits.Store(true)
	if c.left.Load() == 0 && c.waits.Swap(false) {
		return
	}
	<-c.ended
}

// work is the life of a thread.
func (c *Crew) work(thread int) {
	t := &c.threads[thread-1]
	for {
		for spin := 0; spin <= c.spins; spin++ {
			if c.take(thread) {
				spin = 0
			}
		}
		t.sleeps.Store(true)
		if c.take(thread) || c.closing.Load() {
			if t.sleeps.Swap(false) {
				if c.closing.Load() {
					return
				}
				continue
			}
		}
		<-t.wake
		if c.closing.Load() {
			return
		}
	}
}

// Aside is a job on a thread of its own, beside its caller. What the job changes belongs to it until Wait.
type Aside struct {
	ended chan struct{}
	err   error
}

// Begin starts a job. A panic of it is its error.
func Begin(job func() error) *Aside {
	a := &Aside{ended: make(chan struct{})}
	go func() {
		defer close(a.ended)
		a.err = fault.Guard(job)
	}()
	return a
}

// Ended reports whether the job has ended.
func (a *Aside) Ended() bool {
	select {
	case <-a.ended:
		return true
	default:
		return false
	}
}

// Wait waits for the end of the job and returns its error.
func (a *Aside) Wait() error {
	<-a.ended
	return a.err
}

// Each does jobs 0 to n-1, which have no order, on up to so many threads, of which the caller is one, and returns when
// all have ended. If one panics, so does Each. A Crew is for jobs of microseconds, Each for those of a millisecond.
func Each(threads, n int, job func(i int)) {
	var taken atomic.Int64
	work := func() error {
		for i := int(taken.Add(1)) - 1; i < n; i = int(taken.Add(1)) - 1 {
			job(i)
		}
		return nil
	}
	var others []*Aside
	for range min(threads, n) - 1 {
		others = append(others, Begin(work))
	}
	err := fault.Guard(work)
	for _, a := range others {
		err = cmp.Or(err, a.Wait())
	}
	if err != nil {
		panic(err)
	}
}

// inbox holds, for each component of an engine, the earliest cycle for which a job of a crew has asked it to be
// woken.
type inbox struct {
	at    []atomic.Uint64
	ticks atomic.Uint64 // counted by jobs
}

// newInbox returns an inbox for n components, with nothing in it.
func newInbox(n int) *inbox {
	b := &inbox{at: make([]atomic.Uint64, n)}
	for i := range b.at {
		b.at[i].Store(uint64(Never))
	}
	return b
}

// ask asks for a component to be woken. Of several cycles the earliest stays, whoever is first.
func (b *inbox) ask(id ID, at Cycle) {
	for x := &b.at[id]; ; {
		before := x.Load()
		if before <= uint64(at) || x.CompareAndSwap(before, uint64(at)) {
			return
		}
	}
}

// taken takes what was asked for a component, Never if nothing was.
func (b *inbox) taken(id ID) Cycle {
	at := Cycle(b.at[id].Load())
	if at != Never {
		b.at[id].Store(uint64(Never))
	}
	return at
}

func (b *inbox) count(ticks int) { b.ticks.Add(uint64(ticks)) }
func (b *inbox) counted() uint64 { return b.ticks.Swap(0) }

// setTogether sets bits of a set that other threads change too.
func setTogether(set *uint64, bits uint64) { atomic.OrUint64(set, bits) }
