package correlate

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/tools/silicon/correlate/microbench"
)

// Comparison is a row of a recording with the same case on the simulator.
type Comparison struct {
	Row
	Simulated *Simulated
	// LaunchNs is what the simulated time of a program lacks of the launches of the device;
	// see Launches. SimulatedNs includes it.
	LaunchNs, SimulatedNs float64
	// Ratio is simulated over measured: times of a program, figures of a microbenchmark.
	Ratio float64
	// LaunchBound is set for a program that takes less than twice as long as empty kernels
	// in its place.
	LaunchBound bool
	Err         error // instead of the above
}

// SimulatedCycles is the simulated time in cycles of the simulated SMs.
func (c *Comparison) SimulatedCycles() float64 { return c.SimulatedNs * c.Simulated.ClockMHz / 1000 }

// CompareOptions say how a comparison is made.
type CompareOptions struct {
	Jobs int // simulations at a time
	// Done is called after each case, by one goroutine at a time.
	Done func(*Comparison)
}

// Compare simulates the cases of a recording. The result has their order.
func Compare(rows []Row, m Machine, o CompareOptions) ([]Comparison, Launches) {
	list := make([]Comparison, len(rows))
	order := make([]int, len(rows))
	for i := range rows {
		list[i].Row, order[i] = rows[i], i
	}
	// What takes long on the device takes long here: it goes first, so that all cores end
	// together.
	slices.SortStableFunc(order, func(a, b int) int {
		work := func(r *Row) float64 { return r.Cycles * float64(r.Threads) }
		return cmp.Compare(work(&rows[b]), work(&rows[a]))
	})
	queue := make(chan int)
	var workers sync.WaitGroup
	var mu sync.Mutex
	for range max(1, o.Jobs) {
		workers.Go(func() {
			for i := range queue {
				c := &list[i]
				c.Err = fault.Guard(func() (err error) { c.Simulated, err = m.Simulate(c.Case); return err })
				mu.Lock()
				o.Done(c)
				mu.Unlock()
			}
		})
	}
	for _, i := range order {
		queue <- i
	}
	close(queue)
	workers.Wait()
	launches := launchesOf(list)
	for i := range list {
		list[i].Judge(&launches)
	}
	return list, launches
}

// Launches are the times of empty kernels on the device and on the simulated machine: of one
// alone, and of each further one in a row. The simulator starts a kernel at once, and a
// driver's event sees all that the device does around it; the difference is added to the
// simulated time of a program, once for the first launch and for each further one.
type Launches struct {
	Known                             bool // the recording has both cases
	AloneMeasuredNs, NextMeasuredNs   float64
	AloneSimulatedNs, NextSimulatedNs float64
}

func launchesOf(list []Comparison) Launches {
	var l Launches
	find := func(size int) *Comparison {
		for i := range list {
			if c := &list[i]; c.Case == (Case{Microbenchmark, microbench.LaunchName, size, microbench.LaunchData}) && c.Err == nil {
				return c
			}
		}
		return nil
	}
	alone, row := find(1), find(microbench.RowLaunches)
	if alone == nil || row == nil {
		return l
	}
	const further = microbench.RowLaunches - 1
	return Launches{
		Known:           true,
		AloneMeasuredNs: alone.Nanoseconds, NextMeasuredNs: max(0, row.Nanoseconds-alone.Nanoseconds) / further,
		AloneSimulatedNs: alone.Simulated.Nanoseconds, NextSimulatedNs: max(0, row.Simulated.Nanoseconds-alone.Simulated.Nanoseconds) / further,
	}
}

// missing is what the simulated time of n launches lacks.
func (l *Launches) missing(n int) float64 {
	return l.AloneMeasuredNs - l.AloneSimulatedNs + float64(n-1)*(l.NextMeasuredNs-l.NextSimulatedNs)
}

// empty is the measured time of n empty kernels.
func (l *Launches) empty(n int) float64 { return l.AloneMeasuredNs + float64(n-1)*l.NextMeasuredNs }

// Judge adds the times of launches to a simulated time, and divides it by the measured one.
func (c *Comparison) Judge(l *Launches) {
	if c.Err != nil {
		return
	}
	c.SimulatedNs = c.Simulated.Nanoseconds
	if c.Kind == Microbenchmark {
		c.Ratio = c.Simulated.Figure.Value / c.Figure
		return
	}
	if l.Known {
		c.LaunchNs = l.missing(c.Launches)
		// A machine whose launches take longer than the device's must not end below zero.
		c.SimulatedNs = max(c.SimulatedNs+c.LaunchNs, 1)
		c.LaunchBound = c.Nanoseconds < 2*l.empty(c.Launches)
	}
	c.Ratio = c.SimulatedNs / c.Nanoseconds
}

// Summary is the figures of several comparisons.
type Summary struct {
	Cases int `json:"cases"`
	// MeanError is the mean of |simulated - measured| / measured.
	MeanError float64 `json:"meanError"`
	// GeometricMean is the geometric mean of the ratios.
	GeometricMean float64 `json:"geometricMeanOfRatios"`
	// Correlation is Karl Pearson's coefficient of simulated and measured cycles, as
	// Accel-Sim states it; LogCorrelation that of their logarithms, in which the few longest
	// programs do not decide alone. Both are 0 if there are fewer than two cases, or no spread.
	Correlation    float64 `json:"correlation"`
	LogCorrelation float64 `json:"logCorrelation"`
}

// Summarise computes the figures of the comparisons for which keep is true and that have no
// error. Cycles are compared for programs, figures for microbenchmarks.
func Summarise(list []Comparison, keep func(*Comparison) bool) Summary {
	var simulated, measured []float64
	for i := range list {
		c := &list[i]
		switch {
		case c.Err != nil || !keep(c):
		case c.Kind == Microbenchmark:
			simulated, measured = append(simulated, c.Simulated.Figure.Value), append(measured, c.Figure)
		default:
			simulated, measured = append(simulated, c.SimulatedCycles()), append(measured, c.Cycles)
		}
	}
	s := Summary{Cases: len(measured)}
	if s.Cases == 0 {
		return s
	}
	// Ratios are of times: clocks may differ.
	logs := 0.0
	for i := range list {
		if c := &list[i]; c.Err == nil && keep(c) {
			s.MeanError += math.Abs(c.Ratio-1) / float64(s.Cases)
			logs += math.Log(c.Ratio) / float64(s.Cases)
		}
	}
	s.GeometricMean = math.Exp(logs)
	s.Correlation = pearson(simulated, measured)
	s.LogCorrelation = pearson(logarithms(simulated), logarithms(measured))
	return s
}

func logarithms(list []float64) []float64 {
	logs := make([]float64, len(list))
	for i, v := range list {
		logs[i] = math.Log(v)
	}
	return logs
}

// pearson is Karl Pearson's coefficient of correlation.
func pearson(x, y []float64) float64 {
	n := float64(len(x))
	var meanX, meanY float64
	for i := range x {
		meanX += x[i] / n
		meanY += y[i] / n
	}
	var xy, xx, yy float64
	for i := range x {
		dx, dy := x[i]-meanX, y[i]-meanY
		xy, xx, yy = xy+dx*dy, xx+dx*dx, yy+dy*dy
	}
	if xx == 0 || yy == 0 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}
