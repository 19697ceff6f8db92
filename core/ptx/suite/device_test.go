package suite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/tools/gpu"
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
	for _, v := range variants {
		for _, c := range programs() {
			if c.arch > v.arch || !v.has(c.file) {
				continue
			}
			if why := notOnDevice[c.name]; why != "" {
				t.Logf("%s %s: not run: %s", v.folder, c.name, why)
				continue
			}
			total++
			if err := compareOnDevice(t, device, v, c); err != nil {
				t.Errorf("%s %s: %v", v.folder, c.name, err)
				var fault *gpu.Error
				if errors.As(err, &fault) && fault.Kind == gpu.KindFault {
					t.Fatal("the device is lost")
				}
			} else {
				equal++
			}
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

func compareOnDevice(t *testing.T, d *gpu.Device, v variant, c program) error {
	p := &plan{Rand: rand.New(rand.NewSource(3)), exact: !v.contracts, flushes: v.flushes}
	c.build(p)
	l := &loader{module: parse(t, v, c.file)}
	launches, err := l.load(p)
	if err != nil {
		return err
	}
	want := make([][]byte, len(p.buffers))
	for _, one := range launches {
		if _, err := execute.RunFunctional(one, l.image, execute.FunctionalOptions{MaxInstructions: 5e6}); err != nil {
			return fmt.Errorf("in the simulator: %w", err)
		}
	}
	for i, b := range p.buffers {
		want[i] = make([]byte, len(b.data))
		l.image.Read(b.at, want[i])
	}
	got, err := runOnDevice(d, filepath.Join("kernels", v.folder, c.file+".ptx"), p)
	if err != nil {
		return err
	}
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

// runOnDevice runs a plan on a GPU and returns its buffers.
func runOnDevice(d *gpu.Device, path string, p *plan) ([][]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	module, err := d.Load(path, text)
	if err != nil {
		return nil, err
	}
	defer module.Unload()
	memory := make([]*gpu.Memory, len(p.buffers))
	for i, b := range p.buffers {
		if memory[i], err = d.Alloc(uint64(max(len(b.data), 1))); err != nil {
			return nil, err
		}
		defer memory[i].Free()
		if err := memory[i].Write(0, b.data); err != nil {
			return nil, err
		}
	}
	for _, one := range p.launches {
		k, err := module.Kernel(one.kernel)
		if err != nil {
			return nil, err
		}
		var params [][]byte
		for _, arg := range one.args {
			switch a := arg.(type) {
			case *buffer:
				for i := range p.buffers {
					if p.buffers[i] == a {
						params = append(params, binary.LittleEndian.AppendUint64(nil, memory[i].Address()))
					}
				}
			case []byte:
				params = append(params, a)
			default:
				params = append(params, encode(a))
			}
		}
		if err := d.Launch(k, one.grid, one.block, one.shared, params); err != nil {
			return nil, err
		}
		if err := d.Wait(deviceLimit); err != nil {
			return nil, err
		}
	}
	got := make([][]byte, len(memory))
	for i := range memory {
		got[i] = make([]byte, len(p.buffers[i].data))
		if err := memory[i].Read(0, got[i]); err != nil {
			return nil, err
		}
	}
	return got, nil
}
