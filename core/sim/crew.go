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
	now     batch // of Do
	aside   batch // of Post
	closing atomic.Bool
	failed  atomic.Pointer[error] // the panic of a job
	threads []thread              // without the caller
	running sync.WaitGroup
	spins   int
	alone   int // jobs that the caller still does alone, before there are threads
}

// batch is jobs that threads take, from both ends.
type batch struct {
	// claims is the number of the batch, the jobs that it has and those that have been taken from both ends, in one word,
	// so that a thread that comes late takes nothing of a later batch.
	claims atomic.Uint64
	left   countdown // jobs that have not ended
	job    func(thread, i int)
}

func (b *batch) begin(n int, job func(thread, i int)) {
	b.job = job
	b.left.left.Store(int64(n))
	number := b.claims.Load()>>(3*claimJobs) + 1
	b.claims.Store(number<<(3*claimJobs) | uint64(n)<<(2*claimJobs))
}

// countdown counts jobs that have not ended, for one thread that waits for them.
type countdown struct {
	left  atomic.Int64
	waits atomic.Bool // for ended
	ended chan struct{}
}

// less takes away n jobs that have ended.
func (c *countdown) less(n int) {
	if c.left.Add(int64(-n)) == 0 && c.waits.Load() && c.waits.Swap(false) {
		c.ended <- struct{}{}
	}
}

// await waits until all jobs have ended. It looks so often before it sleeps.
func (c *countdown) await(spins int) {
	for range spins {
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

// thread is a goroutine that sleeps while there is nothing to do for long.
type thread struct {
	sleeps atomic.Bool
	wake   chan struct{}
	_      [48]byte // to a line of the host's caches
}

const (
	claimJobs = 16 // bits of the number of jobs, and of those taken from an end
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
	c := &Crew{threads: make([]thread, n-1), alone: alone}
	c.now.left.ended, c.aside.left.ended = make(chan struct{}, 1), make(chan struct{}, 1)
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
	c.now.begin(n, job)
	if n >= wakesFor {
		c.wake()
	}
	c.end(&c.now)
}

// Post leaves a job to the first thread that has nothing else to do. The caller continues, with calls of Do too.
// Collect does the job if nobody has begun it, and returns when it has ended. If it panics, so does Collect, or a Do
// before.
func (c *Crew) Post(job func(thread, i int)) {
	c.aside.begin(1, job)
	c.wake()
}

func (c *Crew) Collect() { c.end(&c.aside) }

// end helps with a batch and waits for its end.
func (c *Crew) end(b *batch) {
	for c.take(0, b) {
	}
	b.left.await(c.spins)
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

// take does some jobs of a batch, if there are any. Half of the threads take the first ones that are left, and half
// the last ones: so most jobs are done by the thread that has done them before, and what they need is in its caches.
func (c *Crew) take(thread int, b *batch) bool {
	const mask = 1<<claimJobs - 1
	for {
		claims := b.claims.Load()
		n, last, first := int(claims>>(2*claimJobs)&mask), int(claims>>claimJobs&mask), int(claims&mask)
		left := n - first - last
		if left <= 0 {
			return false
		}
		// A few at once while there are many.
		some := max(1, left/(4*len(c.threads)+4))
		taken := uint64(some)
		if thread&1 != 0 {
			first, taken = n-last-some, taken<<claimJobs
		}
		if b.claims.CompareAndSwap(claims, claims+taken) {
			c.do(thread, b, first, some)
			return true
		}
	}
}

// do does jobs that a thread has taken.
func (c *Crew) do(thread int, b *batch, first, n int) {
	err := fault.Guard(func() error {
		for i := first; i < first+n; i++ {
			b.job(thread, i)
		}
		return nil
	})
	if err != nil {
		c.failed.CompareAndSwap(nil, &err)
	}
	b.left.less(n)
}

// work is the life of a thread.
func (c *Crew) work(thread int) {
	t := &c.threads[thread-1]
	for {
		for spin := 0; spin <= c.spins; spin++ {
			if c.take(thread, &c.aside) || c.take(thread, &c.now) {
				spin = 0
			}
		}
		t.sleeps.Store(true)
		if c.take(thread, &c.aside) || c.take(thread, &c.now) || c.closing.Load() {
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
