package gpu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/workload"
)

// Options say how a program is measured. A zero value takes the default.
type Options struct {
	WarmUps     int           // runs before those that count; default 0
	Repetitions int           // runs that count; default 1
	Limit       time.Duration // of one run of the program; default DefaultLimit
	Cold        bool          // the L2 holds none of the program's lines at the begin of a run
}

// DefaultLimit bounds one run of a program on the device [ours].
const DefaultLimit = 10 * time.Second

// Outcome is what a program did on the device.
type Outcome struct {
	Info        Info
	ClockMHz    float64   // measured right after the runs
	Nanoseconds []float64 // of each repetition: all launches
	Outputs     [][]byte  // of the output buffers in buffer order, after the last repetition
	Repeatable  bool      // every repetition made the same outputs
}

// Run runs a program on the device. Every run begins with the buffers and module variables
// as the program has them.
func Run(d *Device, p *workload.Program, o Options) (*Outcome, error) {
	o.Repetitions = max(o.Repetitions, 1)
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	r := &runner{device: d, program: p, options: o}
	defer r.close()
	if err := r.prepare(); err != nil {
		return nil, err
	}
	if err := d.Awake(); err != nil {
		return nil, err
	}
	out := &Outcome{Info: d.Info(), Repeatable: true}
	for i := range o.WarmUps + o.Repetitions {
		nanoseconds, err := r.once()
		if err != nil {
			return nil, err
		}
		if i < o.WarmUps {
			continue
		}
		out.Nanoseconds = append(out.Nanoseconds, nanoseconds)
		outputs, err := r.outputs()
		if err != nil {
			return nil, err
		}
		for k := range out.Outputs {
			out.Repeatable = out.Repeatable && bytes.Equal(out.Outputs[k], outputs[k])
		}
		out.Outputs = outputs
	}
	var err error
	out.ClockMHz, err = d.MeasureClock()
	return out, err
}

// Awake waits until the clock is steady: an idle device runs slowly.
func (d *Device) Awake() error {
	last := 0.0
	for range 100 { // at a millisecond each, more than a device needs
		clock, err := d.MeasureClock()
		if err != nil {
			return err
		}
		if math.Abs(clock-last) < last/1000 {
			return nil
		}
		last = clock
	}
	return nil
}

// runner holds a program on the device.
type runner struct {
	device  *Device
	program *workload.Program
	options Options

	module  *Module
	kernels []*Kernel  // of each launch
	params  [][][]byte // of each launch
	buffers []*Memory
	watch   *Stopwatch
	// reload is set if the module has variables, which a run may change. Loading it again
	// gives them their initial values.
	reload bool
}

func (r *runner) prepare() error {
	p := r.program
	if len(p.Textures) > 0 {
		return errors.New("the program has textures, which are not bound on a GPU here: run it without --on gpu")
	}
	byValue := func(a workload.Arg) bool { return a.Value != nil }
	if len(p.Modules) > 0 || len(p.Checks) > 0 ||
		slices.ContainsFunc(p.Launches, func(l workload.Launch) bool { return slices.ContainsFunc(l.Args, byValue) }) {
		return errors.New("the program has modules, checks of the host, fills, copies or structures by value, " +
			"which are not made on a GPU here: run it without --on gpu")
	}
	for i := range p.Buffers {
		m, err := r.device.Alloc(p.Buffers[i].Bytes)
		if err != nil {
			return fmt.Errorf("buffer %s: %w", p.Buffers[i].Name, err)
		}
		r.buffers = append(r.buffers, m)
	}
	for i := range p.Launches {
		r.params = append(r.params, r.arguments(&p.Launches[i]))
	}
	module, err := compile.Load(p.File, p.PTX)
	r.reload = err != nil || len(module.Globals()) > 0
	if r.watch, err = r.device.NewStopwatch(); err != nil {
		return err
	}
	return r.load()
}

// arguments packs the arguments of a launch in their own sizes.
func (r *runner) arguments(l *workload.Launch) [][]byte {
	var list [][]byte
	for _, a := range l.Args {
		bits := a.Bits
		if a.Buffer >= 0 {
			bits += r.buffers[a.Buffer].Address()
		}
		list = append(list, binary.LittleEndian.AppendUint64(nil, bits)[:a.Bytes])
	}
	return list
}

// load loads the module and finds the kernel of each launch.
func (r *runner) load() error {
	m, err := r.device.Load(r.program.File, r.program.PTX)
	if err != nil {
		return err
	}
	r.module, r.kernels = m, nil
	found := map[string]*Kernel{}
	for i := range r.program.Launches {
		entry := r.program.Launches[i].Entry
		if found[entry] == nil {
			if found[entry], err = m.Kernel(entry); err != nil {
				return err
			}
		}
		r.kernels = append(r.kernels, found[entry])
	}
	return nil
}

// restore gives buffers and variables their initial values.
func (r *runner) restore() error {
	for i, m := range r.buffers {
		if err := m.Fill(0); err != nil {
			return err
		}
		if err := m.Write(0, r.program.Buffers[i].Init); err != nil {
			return err
		}
	}
	if !r.reload {
		return nil
	}
	old := r.module
	r.module = nil
	if err := old.Unload(); err != nil {
		return err
	}
	return r.load()
}

// once runs the program and returns its time.
func (r *runner) once() (float64, error) {
	if err := r.restore(); err != nil {
		return 0, err
	}
	return r.watch.Time(len(r.kernels), r.options, func() error {
		for i, k := range r.kernels {
			l := &r.program.Launches[i]
			if err := r.device.Launch(k, l.Grid, l.Block, l.DynamicSharedBytes, r.params[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

func (r *runner) outputs() ([][]byte, error) {
	var out [][]byte
	for _, i := range r.program.Outputs() {
		data := make([]byte, r.program.Buffers[i].Bytes)
		if err := r.buffers[i].Read(0, data); err != nil {
			return nil, err
		}
		out = append(out, data)
	}
	return out, nil
}

// close gives everything back. After a failed kernel the driver refuses; the context's end
// does it then.
func (r *runner) close() {
	for _, m := range r.buffers {
		m.Free()
	}
	if r.module != nil {
		r.module.Unload()
	}
	if r.watch != nil {
		r.watch.Close()
	}
}
