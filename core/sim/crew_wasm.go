package sim

// WebAssembly has one thread for a Go program, so that an engine there ticks nothing side by side (core/WHY.md).

const (
	spreads     = false
	MostThreads = 1
)

// Crew is one thread here.
type Crew struct{}

func NewCrew(_, _ int) *Crew              { return nil }
func (*Crew) Pays(int) bool               { return false }
func (*Crew) Threads() int                { return 1 }
func (*Crew) Start()                      {}
func (*Crew) Stop()                       {}
func (*Crew) Do(int, func(thread, i int)) {}
func (*Crew) Post(func(thread, i int))    {}
func (*Crew) Collect()                    {}

// Each does jobs 0 to n-1, here one after the other.
func Each(_, n int, job func(i int)) {
	for i := range n {
		job(i)
	}
}

// Aside is a job that has been done here.
type Aside struct{ err error }

func Begin(job func() error) *Aside { return &Aside{job()} }
func (*Aside) Ended() bool          { return true }
func (a *Aside) Wait() error        { return a.err }

type inbox struct{}

func newInbox(int) *inbox         { return nil }
func (*inbox) ask(ID, Cycle)      {}
func (*inbox) taken(ID) Cycle     { return Never }
func (*inbox) count(int)          {}
func (*inbox) counted() uint64    { return 0 }
func setTogether(*uint64, uint64) {}
