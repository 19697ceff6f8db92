package correlate

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/silicon/correlate/microbench"
	"github.com/burstscope/burstscope/tools/silicon/gpu"
)

// RecordOptions say how a recording is made.
type RecordOptions struct {
	Repetitions int
	// Done is called after each case, with its row or its error.
	Done func(c Case, row *Row, err error)
}

// warmUps are the runs before those that count: the first one after loading a module is
// slower.
const warmUps = 2

// Record measures the cases one after the other. A case that the device refuses has no row;
// a device that is lost ends the recording with an error. The exact outputs of programs are
// computed on all cores beside the measurements.
func Record(d *gpu.Device, cases []Case, o RecordOptions) ([]Row, error) {
	prepared := prepare(cases)
	var rows []Row
	for i, c := range cases {
		p := <-prepared[i]
		var row *Row
		err := p.err
		if err == nil {
			row, err = p.measure(d, o.Repetitions)
		}
		o.Done(c, row, err)
		if err != nil {
			if failed := d.Reset(); failed != nil {
				return rows, failed
			}
			continue
		}
		rows = append(rows, *row)
	}
	return rows, nil
}

// prepared is a case with its program and exact outputs.
type prepared struct {
	Case
	benchmark *microbench.Benchmark
	program   *workload.Program
	exact     [][]byte
	err       error
}

// prepare builds the cases on all cores, a few ahead of the measurements. The i-th channel
// gives the i-th case.
func prepare(cases []Case) []chan *prepared {
	results := make([]chan *prepared, len(cases))
	for i := range results {
		results[i] = make(chan *prepared)
	}
	for first := range runtime.NumCPU() {
		go func() {
			for i := first; i < len(cases); i += runtime.NumCPU() {
				results[i] <- cases[i].prepare()
			}
		}()
	}
	return results
}

func (c Case) prepare() *prepared {
	p := &prepared{Case: c}
	p.err = fault.Guard(func() (err error) {
		if p.benchmark, err = c.benchmark(); err != nil {
			return err
		}
		if p.program, err = c.Build(); err != nil || c.Kind == Microbenchmark {
			return err
		}
		p.exact, err = functional(p.program)
		return err
	})
	return p
}

// measure runs the program on the device, with cold caches.
func (p *prepared) measure(d *gpu.Device, repetitions int) (*Row, error) {
	o, err := gpu.Run(d, p.program, gpu.Options{WarmUps: warmUps, Repetitions: repetitions, Cold: true})
	if err != nil {
		return nil, err
	}
	r := NewRow(o.Info, o.ClockMHz, o.Nanoseconds)
	r.Case = p.Case
	for i := range p.program.Launches {
		r.Launched(p.program.Launches[i].Grid, p.program.Launches[i].Block)
	}
	if p.benchmark != nil {
		f, err := p.benchmark.Figure(microbench.Observation{Outputs: o.Outputs, Nanoseconds: r.Nanoseconds, ClockMHz: o.ClockMHz})
		r.Figure, r.FigureLeast, r.FigureGreatest, r.Unit = f.Value, f.Least, f.Greatest, p.benchmark.Unit
		return r, err
	}
	r.OutputHash = Hash(o.Outputs)
	r.OutputsEqual, r.FirstDifference = "yes", firstDifference(p.program, o.Outputs, p.exact)
	if r.FirstDifference != "" {
		r.OutputsEqual = "no"
	}
	if !o.Repeatable {
		r.FirstDifference += " (the device's outputs differ between repetitions)"
	}
	return r, nil
}

// NewRow is a row with the times of the repetitions, still without a case.
func NewRow(d gpu.Info, clockMHz float64, nanoseconds []float64) *Row {
	times := slices.Sorted(slices.Values(nanoseconds))
	median := times[len(times)/2]
	return &Row{
		Device: d.Name, Driver: d.Driver, ClockMHz: clockMHz, MemoryClockMHz: d.MemoryClockMHz,
		ComputeCapability: fmt.Sprintf("%d.%d", d.ComputeCapability[0], d.ComputeCapability[1]),
		Nanoseconds:       median, LeastNs: times[0], GreatestNs: times[len(times)-1], Cycles: median * clockMHz / 1000,
	}
}

// Launched counts a launch and its threads.
func (r *Row) Launched(grid, block [3]uint32) {
	threads := uint64(1)
	for k := range 3 {
		threads *= uint64(grid[k]) * uint64(block[k])
	}
	r.Launches++
	r.Threads += threads
}

// Hash is the hash of output buffers in a recording.
func Hash(outputs [][]byte) string {
	h := sha256.New()
	for _, b := range outputs {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// firstDifference describes how the device's outputs differ from the exact ones, or is empty.
func firstDifference(p *workload.Program, device, exact [][]byte) string {
	for i, k := range p.Outputs() {
		if bytes.Equal(device[i], exact[i]) {
			continue
		}
		b := &p.Buffers[k]
		size, different, first := b.Element.Bytes(), 0, -1
		greatest := 0.0
		for at := 0; at+size <= len(exact[i]); at += size {
			if x, y := device[i][at:at+size], exact[i][at:at+size]; !bytes.Equal(x, y) {
				if different++; first < 0 {
					first = at / size
				}
				greatest = max(greatest, relative(b.Element, x, y))
			}
		}
		at := first * size
		text := fmt.Sprintf("%s[%d]: device %s, simulator %s; %d of %d elements differ", b.Name, first,
			show(b.Element, device[i][at:at+size]), show(b.Element, exact[i][at:at+size]), different, len(exact[i])/size)
		if b.Element == workload.ElementF32 || b.Element == workload.ElementF64 {
			text += ", by at most " + strconv.FormatFloat(greatest, 'g', 3, 64) + " relative"
		}
		return text
	}
	return ""
}

func bitsOf(b []byte) uint64 {
	var word [8]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}

func floatOf(e workload.Element, b []byte) float64 {
	if e == workload.ElementF32 {
		return float64(math.Float32frombits(uint32(bitsOf(b))))
	}
	return math.Float64frombits(bitsOf(b))
}

// relative is the difference of two floats, relative to the second; 0 for whole numbers.
func relative(e workload.Element, x, y []byte) float64 {
	if e != workload.ElementF32 && e != workload.ElementF64 {
		return 0
	}
	a, b := floatOf(e, x), floatOf(e, y)
	if d := math.Abs(a-b) / math.Abs(b); !math.IsNaN(d) {
		return d
	}
	return math.Inf(1)
}

// show writes an element as a number and as bits.
func show(e workload.Element, b []byte) string {
	bits := fmt.Sprintf("%0*x", 2*len(b), bitsOf(b))
	if e == workload.ElementF32 || e == workload.ElementF64 {
		return fmt.Sprintf("%s (%s)", strconv.FormatFloat(floatOf(e, b), 'g', 9, 64), bits)
	}
	return fmt.Sprintf("%d (%s)", bitsOf(b), bits)
}
