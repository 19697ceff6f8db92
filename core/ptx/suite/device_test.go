package suite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/tools/silicon/correlate"
	"github.com/burstscope/burstscope/tools/silicon/gpu"
)

var (
	record = flag.String("record", "", "write the times on the GPU to this file")
	only   = flag.String("only", "", "run these programs alone, as VARIANT/PROGRAM")
)

// TestOnDevice runs everything in every variant on an NVIDIA GPU, and compares all buffers
// with the simulated ones, byte by byte. Build it with go test -c to run it elsewhere, in
// this folder.
func TestOnDevice(t *testing.T) {
	driver, err := gpu.Open("")
	if err != nil {
		t.Skipf("no driver: %v", err)
	}
	device, err := driver.Device(0)
	if err != nil {
		t.Skipf("no device: %v", err)
	}
	equal, total := 0, 0
	var rows []correlate.Row
	for _, v := range variants {
		for _, c := range programs() {
			if c.arch > v.arch || !v.has(c.file) || *only != "" && *only != v.folder+"/"+c.name {
				continue
			}
			if why := notOnDevice[c.name]; why != "" {
				t.Logf("%s %s: not run: %s", v.folder, c.name, why)
				continue
			}
			total++
			row, err := compareOnDevice(t, device, v, c)
			if err != nil {
				t.Errorf("%s %s: %v", v.folder, c.name, err)
				var fault *gpu.Error
				if errors.As(err, &fault) && fault.Kind == gpu.KindFault {
					t.Fatal("the device is lost")
				}
			} else {
				equal++
			}
			if row != nil {
				rows = append(rows, *row)
			}
		}
	}
	if *record != "" {
		var b bytes.Buffer
		if err := errors.Join(correlate.WriteRecording(&b, rows), os.WriteFile(*record, b.Bytes(), 0o644)); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%s, driver %s: %d of %d programs have equal buffers", device.Info().Name, device.Info().Driver, equal, total)
}

// notOnDevice are programs that a device cannot run.
var notOnDevice = map[string]string{
	"structures to functions": "clang takes the address of a function's parameter, and uses it as a generic address: the device faults",
}

// deviceLimit bounds a launch of the suite on a device, where it takes microseconds.
const deviceLimit = 10 * time.Second

// compareOnDevice returns the row of a recording as soon as the program has run, and an error
// if the buffers differ.
func compareOnDevice(t *testing.T, d *gpu.Device, v variant, c program) (*correlate.Row, error) {
	p := v.plan(c)
	l := &loader{module: parse(t, v, c.file)}
	launches, err := l.load(p)
	if err != nil {
		return nil, err
	}
	want := make([][]byte, len(p.buffers))
	for _, one := range launches {
		if _, err := execute.RunFunctional(one, l.image, execute.FunctionalOptions{MaxInstructions: 5e6}); err != nil {
			return nil, fmt.Errorf("in the simulator: %w", err)
		}
	}
	for i, b := range p.buffers {
		want[i] = make([]byte, len(b.data))
		l.image.Read(b.at, want[i])
	}
	row, got, err := runOnDevice(d, filepath.Join("testdata", "kernels", v.folder, c.file+".ptx"), len(l.module.Globals()) > 0, p)
	if err != nil {
		return nil, err
	}
	row.Case = correlate.Case{Kind: correlate.Suite, Name: c.name, Data: v.folder}
	row.OutputHash, row.OutputsEqual = correlate.Hash(got), "yes"
	if err := p.differ(got, want); err != nil {
		row.OutputsEqual, row.FirstDifference = "no", err.Error()
		return row, err
	}
	return row, nil
}

// differ compares the device's buffers with what the host computes and with the simulated ones.
func (p *plan) differ(got, want [][]byte) error {
	if err := p.judge(func(at mem.Addr, data []byte) {
		for i, b := range p.buffers {
			if b.at == uint64(at) {
				copy(data, got[i])
			}
		}
	}); err != nil {
		return fmt.Errorf("the device's own outputs are not what the host computes: %w", err)
	}
	for i := range want {
		if bytes.Equal(got[i], want[i]) {
			continue
		}
		first, words := -1, 0
		for k := 0; k+4 <= len(want[i]); k += 4 {
			if !bytes.Equal(got[i][k:k+4], want[i][k:k+4]) {
				if words++; first < 0 {
					first = k
				}
			}
		}
		if first < 0 {
			return fmt.Errorf("the last bytes of buffer %d differ", i)
		}
		return fmt.Errorf("%d of %d words of buffer %d differ: at byte %d the device has %x, the simulator %x",
			words, len(want[i])/4, i, first, got[i][first:first+4], want[i][first:first+4])
	}
	return nil
}

// Runs on a device: two that do not count, because the first after loading a module is slower,
// then those whose median is the time.
const (
	warmUps     = 2
	repetitions = 9
)

// deviceRun is a plan on a GPU.
type deviceRun struct {
	*plan
	device  *gpu.Device
	path    string
	text    []byte
	module  *gpu.Module
	reload  bool // the module has variables, which a run may change
	memory  []*gpu.Memory
	kernels []*gpu.Kernel // of each launch
	params  [][][]byte    // of each launch
}

// runOnDevice runs a plan on a GPU, with a cold L2, and returns its times and the buffers of
// the last run.
func runOnDevice(d *gpu.Device, path string, reload bool, p *plan) (*correlate.Row, [][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	r := &deviceRun{plan: p, device: d, path: path, text: text, reload: reload}
	defer r.close()
	if err := r.prepare(); err != nil {
		return nil, nil, err
	}
	watch, err := d.NewStopwatch()
	if err != nil {
		return nil, nil, err
	}
	defer watch.Close()
	if err := d.Awake(); err != nil {
		return nil, nil, err
	}
	var times []float64
	for range warmUps + repetitions {
		if err := r.restore(); err != nil {
			return nil, nil, err
		}
		ns, err := watch.Time(len(r.kernels), gpu.Options{Cold: true, Limit: deviceLimit}, r.launch)
		if err != nil {
			return nil, nil, err
		}
		times = append(times, ns)
	}
	clock, err := d.MeasureClock()
	if err != nil {
		return nil, nil, err
	}
	got := make([][]byte, len(r.memory))
	for i, m := range r.memory {
		got[i] = make([]byte, len(p.buffers[i].data))
		if err := m.Read(0, got[i]); err != nil {
			return nil, nil, err
		}
	}
	row := correlate.NewRow(d.Info(), clock, times[warmUps:])
	for _, one := range p.launches {
		row.Launched(one.grid, one.block)
	}
	return row, got, nil
}

func (r *deviceRun) prepare() error {
	for _, b := range r.buffers {
		m, err := r.device.Alloc(uint64(max(len(b.data), 1)))
		if err != nil {
			return err
		}
		r.memory = append(r.memory, m)
	}
	for _, one := range r.launches {
		var list [][]byte
		for _, arg := range one.args {
			switch a := arg.(type) {
			case *buffer:
				at := r.memory[slices.Index(r.buffers, a)].Address()
				list = append(list, binary.LittleEndian.AppendUint64(nil, at))
			case []byte:
				list = append(list, a)
			default:
				list = append(list, encode(a))
			}
		}
		r.params = append(r.params, list)
	}
	return r.load()
}

func (r *deviceRun) load() error {
	m, err := r.device.Load(r.path, r.text)
	if err != nil {
		return err
	}
	r.module, r.kernels = m, nil
	for _, one := range r.launches {
		k, err := m.Kernel(one.kernel)
		if err != nil {
			return err
		}
		r.kernels = append(r.kernels, k)
	}
	return nil
}

// restore gives buffers and variables their first values.
func (r *deviceRun) restore() error {
	for i, b := range r.buffers {
		if err := r.memory[i].Write(0, b.data); err != nil {
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

func (r *deviceRun) launch() error {
	for i, one := range r.launches {
		if err := r.device.Launch(r.kernels[i], one.grid, one.block, one.shared, r.params[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *deviceRun) close() {
	for _, m := range r.memory {
		m.Free()
	}
	if r.module != nil {
		r.module.Unload()
	}
}
