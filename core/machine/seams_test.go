package machine

import (
	"encoding/binary"
	"testing"

	"github.com/burstscope/burstscope/core/cache"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/sm"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/tape"
)

// summing adds 64 words of the buffer, one line after the other, in each of 64
// threads, twice over: the second time L1 has them.
const summing = ".reg .u32 %i, %s, %x;\n.reg .u64 %b;\nmov.u32 %s, 0;\nmov.u32 %i, 0;\n" +
	"L: rem.u32 %x, %i, 2;\nmul.wide.u32 %a, %x, 128;\nadd.u64 %b, %a, %p;\nld.global.u32 %r, [%b];\nadd.u32 %s, %s, %r;\n" +
	"add.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 4;\n@%q bra L;\n" +
	"mul.wide.u32 %a, %t, 4;\nadd.u64 %a, %a, %p;\nbar.sync 0;\nst.global.u32 [%a], %s;"

// runJob runs a body of 64 threads with a buffer of 256 bytes, whose words are 1, 2,
// 3 ..., and returns the machine with the buffer at the end.
func runJob(t *testing.T, spec *parameter.GPU, body string, adjust func(*Job)) (*Machine, []uint32) {
	t.Helper()
	return runBuilt(t, spec, body, New, adjust)
}

func runBuilt(
	t *testing.T, spec *parameter.GPU, body string, newMachine func(*parameter.GPU, Job) (*Machine, error),
	adjust func(*Job),
) (*Machine, []uint32) {
	t.Helper()
	m := build(t, spec, body)
	job := m.job
	job.L1, job.Loads = nil, nil
	adjust(&job)
	buffer := job.Image.Allocations()[0]
	for i := range buffer.Bytes / 4 {
		job.Image.Write(buffer.Base+4*i, binary.LittleEndian.AppendUint32(nil, uint32(i)+1))
	}
	m, err := newMachine(spec, job)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	if err := m.Leaks(); err != nil {
		t.Error(err)
	}
	out := make([]byte, buffer.Bytes)
	m.Read(buffer.Base, out)
	words := make([]uint32, len(out)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(out[4*i:])
	}
	return m, words
}

// slowStore is a store whose data are ready some cycles later than a plain one's, as
// if they were decompressed.
type slowStore struct {
	cache.Store
	cycles sim.Cycle
}

func (s slowStore) Read(now sim.Cycle, entry int) (*mem.Line, sim.Cycle) {
	line, ready := s.Store.Read(now, entry)
	return line, ready + s.cycles
}

// slowStores makes slow stores for all SMs.
type slowStores struct{ cycles sim.Cycle }

func (s slowStores) New(c *cache.L1Config, e cache.StoreEnv) (cache.Store, int) {
	plain, entries := cache.Plain(c, e)
	return slowStore{plain, s.cycles}, entries
}

func (slowStores) State(*tape.Tape) {}

// TestL1StoreSaysWhenDataAreReady: another store of L1 is one entry in a job. It
// changes when hits are ready, and nothing else.
func TestL1StoreSaysWhenDataAreReady(t *testing.T) {
	const later = 50
	spec := mini()
	plain, want := runJob(t, spec, summing, func(*Job) {})
	slow, got := runJob(t, spec, summing, func(j *Job) {
		j.L1 = func() (cache.Stores, error) { return slowStores{later}, nil }
	})
	if want[0] != 2*(1+33) {
		t.Fatalf("the program computes %d", want[0])
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("word %d is %d with a slow store, want %d", i, got[i], want[i])
		}
	}
	a, b := plain.Stats(), slow.Stats()
	if a[stat.L1Hits] == 0 || a[stat.L1Hits]+a[stat.L1Merged] != b[stat.L1Hits]+b[stat.L1Merged] || a[stat.L1Misses] != b[stat.L1Misses] {
		t.Errorf("hits %d and %d, misses %d and %d", a[stat.L1Hits], b[stat.L1Hits], a[stat.L1Misses], b[stat.L1Misses])
	}
	if delay := slow.Cycles() - plain.Cycles(); delay < later || delay > 3*later {
		t.Errorf("two hits in turn, each %d cycles later, cost %d cycles", later, delay)
	}
}

// answering answers every second load miss with a line of sevens.
type answering struct {
	keep            bool
	asked, answered int
	fetched         []mem.Addr
}

func (p *answering) Miss(_ sim.Cycle, m *sm.LoadMiss, line *mem.Line) sm.Answer {
	p.asked++
	if m.Addr%(2*mem.LineBytes) == 0 || m.Lanes == 0 {
		return sm.Fetched
	}
	for i := 0; i < len(line); i += 4 {
		binary.LittleEndian.PutUint32(line[i:], 7)
	}
	p.answered++
	if p.keep {
		return sm.Kept
	}
	return sm.Answered
}

func (p *answering) Fetched(_ sim.Cycle, m *sm.LoadMiss, line *mem.Line) {
	if binary.LittleEndian.Uint32(line[:]) == 1 {
		p.fetched = append(p.fetched, m.Addr)
	}
}

func (p *answering) State(t *tape.Tape) { tape.Value(t, &p.asked) }

// TestLoadPolicyAnswersMisses: a policy that answers a miss keeps it from leaving the
// SM; the load has the policy's values, and L1 keeps the line if the policy says so.
func TestLoadPolicyAnswersMisses(t *testing.T) {
	spec := mini()
	plain, _ := runJob(t, spec, summing, func(*Job) {})
	for _, keep := range []bool{false, true} {
		p := &answering{keep: keep}
		idle := &answering{}
		m, words := runJob(t, spec, summing, func(j *Job) {
			j.Loads = func(e sm.LoadEnv) sm.LoadPolicy {
				if e.SM == 0 {
					return p
				}
				return idle
			}
		})
		if words[0] != 2*(1+7) || words[63] != words[0] {
			t.Errorf("keep %v: the program computes %d and %d, want 16: line 1 is answered with 7", keep, words[0], words[63])
		}
		s, all := m.Stats(), plain.Stats()
		if s[stat.L1Answered] != uint64(p.answered) || p.answered == 0 || s[stat.L1Misses] >= all[stat.L1Misses] {
			t.Errorf("keep %v: %d answered, %d counted, %d misses of %d", keep, p.answered, s[stat.L1Answered], s[stat.L1Misses], all[stat.L1Misses])
		}
		if s[stat.L1Accesses] != s[stat.L1Hits]+s[stat.L1Misses]+s[stat.L1Merged]+s[stat.L1Answered] {
			t.Errorf("keep %v: L1 accesses do not add up", keep)
		}
		if want := map[bool]int{false: 4, true: 1}[keep]; keep && p.answered > 2 || !keep && p.answered != want {
			t.Errorf("keep %v: %d misses answered, want %d: a line that is kept hits afterwards", keep, p.answered, want)
		}
		if len(p.fetched) != 1 || p.asked != p.answered+1 {
			t.Errorf("keep %v: asked %d times, answered %d, shown %d lines", keep, p.asked, p.answered, len(p.fetched))
		}
	}
}

// countingStorage counts the blocks that a controller reads and writes.
type countingStorage struct {
	memctrl.Storage
	reads, writes *int
}

func (s countingStorage) Read(b memctrl.Block, line *mem.Line) memctrl.Placed {
	*s.reads++
	return s.Storage.Read(b, line)
}

func (s countingStorage) Write(b memctrl.Block, line *mem.Line, mask mem.ByteMask) memctrl.Placed {
	*s.writes++
	return s.Storage.Write(b, line, mask)
}

// TestBackingOfAJob: another storage of blocks is one entry in a job. The controllers ask
// it for every block, and a storage that only counts changes no cycle.
func TestBackingOfAJob(t *testing.T) {
	plain, want := runJob(t, mini(), summing, func(*Job) {})
	reads, writes := 0, 0
	counted, got := runJob(t, mini(), summing, func(j *Job) {
		j.Backing = func(_ *memctrl.Config, image *mem.Image) (Attach, error) {
			return func(c *memctrl.Config) (memctrl.Storage, Link) {
				return countingStorage{memctrl.NewDeviceMemory(c, image), &reads, &writes}, nil
			}, nil
		}
	})
	s := counted.Stats()
	if reads == 0 || uint64(reads) != s[stat.ControllerReads] || uint64(writes) != s[stat.ControllerWrites] {
		t.Errorf("%d reads and %d writes, the controllers count %d and %d", reads, writes, s[stat.ControllerReads], s[stat.ControllerWrites])
	}
	if counted.Cycles() != plain.Cycles() || got[0] != want[0] {
		t.Errorf("%d cycles and %d, without the count %d and %d", counted.Cycles(), got[0], plain.Cycles(), want[0])
	}
}
