package semantics

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/tools/input"
	"github.com/burstscope/burstscope/tools/silicon/gpu"
)

// Case is one run of a test of a file: a kernel named test with the parameters out and in.
type Case struct {
	Name    string
	Refused string // by the driver's compiler
	Fault   string // what stopped the kernel on the device
	Ours    string // what stopped it in the simulator
	Want    []byte // as the file has it
	Device  []byte
	Sim     []byte
}

// caseFile is a file of test cases.
type caseFile struct {
	Tests []struct {
		Name          string
		Threads, CTAs uint32
		Cases         []struct{ In, Out string }
		PTX           string `json:"ptx"`
	}
}

// caseInstructions bounds a test case in the simulator.
const caseInstructions = 1e8

// maxCaseBytes bounds a file of kernels [ours]: that of all tests has 3 MB.
const maxCaseBytes = 256 << 20

// Cases runs the tests of a file.
func Cases(d *gpu.Device, path string) ([]Case, error) {
	data, err := input.Read(path, maxCaseBytes)
	if err != nil {
		return nil, err
	}
	var file caseFile
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []Case
	for _, t := range file.Tests {
		ours, ourErr := compile.Load(t.Name, []byte(t.PTX))
		m, err := d.Load(t.Name, []byte(t.PTX))
		var refused *gpu.Error
		if err != nil && !(errors.As(err, &refused) && refused.Kind == gpu.KindPTX) {
			return all, err
		}
		for _, one := range t.Cases {
			c := Case{Name: t.Name}
			in, err1 := hex.DecodeString(one.In)
			want, err2 := hex.DecodeString(one.Out)
			if err := errors.Join(err1, err2); err != nil {
				return all, fmt.Errorf("%s: %s: %w", path, t.Name, err)
			}
			c.Want = want
			if ourErr != nil {
				c.Ours = ourErr.Error()
			} else if c.Sim, err = simulateCase(ours, t.Threads, t.CTAs, in, len(want)); err != nil {
				c.Ours = err.Error()
			}
			if refused != nil {
				c.Refused = refused.Log
			} else if c.Device, err = deviceCase(d, m, t.Threads, t.CTAs, in, len(want)); err != nil {
				c.Fault = err.Error()
				if err := d.Reset(); err != nil {
					return all, err
				}
				if m, err = d.Load(t.Name, []byte(t.PTX)); err != nil {
					return all, err
				}
			}
			all = append(all, c)
		}
		if m != nil {
			m.Unload()
		}
	}
	return all, nil
}

func simulateCase(m *compile.Module, threads, ctas uint32, in []byte, size int) ([]byte, error) {
	image, err := mem.NewImage(mem.DefaultBase, 1<<26)
	if err != nil {
		return nil, err
	}
	at := map[string]uint64{}
	place := func(name string, bytes uint64) (uint64, error) {
		a, err := image.Alloc(name, max(bytes, 1))
		if err != nil {
			return 0, err
		}
		return a.Base, nil
	}
	inBase, err := place("in", uint64(len(in)))
	if err != nil {
		return nil, err
	}
	outBase, err := place("out", uint64(size))
	if err != nil {
		return nil, err
	}
	image.Write(inBase, in)
	for _, v := range m.Globals() {
		if at[v.Name], err = place(v.Name, v.Bytes); err != nil {
			return nil, err
		}
	}
	address := func(name string) uint64 { return at[name] }
	for _, v := range m.Globals() {
		image.Write(at[v.Name], m.InitialData(v, address))
	}
	k, err := compile.Kernel(m, "test", address)
	if err != nil {
		return nil, err
	}
	params := make([]byte, k.ParamBytes)
	binary.LittleEndian.PutUint64(params, outBase)
	binary.LittleEndian.PutUint64(params[8:], inBase)
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{ctas, 1, 1}, Block: [3]uint32{threads, 1, 1}, Params: params}
	if _, err := execute.RunFunctional(l, image, execute.FunctionalOptions{MaxInstructions: caseInstructions}); err != nil {
		return nil, err
	}
	out := make([]byte, size)
	image.Read(outBase, out)
	return out, nil
}

func deviceCase(d *gpu.Device, m *gpu.Module, threads, ctas uint32, in []byte, size int) ([]byte, error) {
	k, err := m.Kernel("test")
	if err != nil {
		return nil, err
	}
	source, err := d.Alloc(uint64(max(len(in), 1)))
	if err != nil {
		return nil, err
	}
	defer source.Free()
	target, err := d.Alloc(uint64(max(size, 1)))
	if err != nil {
		return nil, err
	}
	defer target.Free()
	if err := errors.Join(source.Write(0, in), target.Fill(0)); err != nil {
		return nil, err
	}
	params := [][]byte{binary.LittleEndian.AppendUint64(nil, target.Address()), binary.LittleEndian.AppendUint64(nil, source.Address())}
	if err := d.Launch(k, [3]uint32{ctas, 1, 1}, [3]uint32{threads, 1, 1}, 0, params); err != nil {
		return nil, err
	}
	if err := d.Wait(kernelLimit); err != nil {
		return nil, err
	}
	out := make([]byte, size)
	return out, target.Read(0, out)
}
