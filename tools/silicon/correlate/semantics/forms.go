// Package semantics compares what the simulator makes of PTX with what a GPU makes of it:
// every instruction form of tools/silicon/forms on tables of operands, and files of test cases.
package semantics

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/tools/silicon/forms"
	"github.com/burstscope/burstscope/tools/silicon/gpu"
)

// Answer is what became of one form.
type Answer struct {
	Group   string
	Form    *forms.Form
	Refused string // why the driver's compiler does not take it
	Fault   string // what stopped it on the device
	Device  []byte // results of all threads, 8 bytes each
	Ours    []byte
}

// Equal reports whether both have the same results.
func (a *Answer) Equal() bool { return a.Device != nil && bytes.Equal(a.Device, a.Ours) }

// perModule is how many forms share a module: the driver's compiler takes about a
// millisecond for one, and one that it refuses spoils its module.
const perModule = 32

// kernelLimit bounds a launch of a form, which takes microseconds.
const kernelLimit = 5 * time.Second

// Forms runs the forms of some groups on the device, and in the simulator beside it.
func Forms(d *gpu.Device, groups []forms.Group) ([]Answer, error) {
	var all []Answer
	for _, g := range groups {
		for i := range g.Forms {
			all = append(all, Answer{Group: g.Name, Form: &g.Forms[i]})
		}
	}
	simulated := make(chan error, 1)
	go func() { simulated <- simulate(all) }()
	for i := 0; i < len(all); i += perModule {
		if err := onDevice(d, all[i:min(i+perModule, len(all))]); err != nil {
			<-simulated
			return nil, err
		}
	}
	return all, <-simulated
}

// simulate fills in our results, on all processors.
func simulate(all []Answer) error {
	var wait sync.WaitGroup
	next := make(chan *Answer)
	failed := make(chan error, len(all))
	for range runtime.NumCPU() {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for a := range next {
				err := fault.Guard(func() error {
					m, err := compile.Load("forms.ptx", forms.Module([]forms.Form{*a.Form}))
					if err == nil {
						a.Ours, err = a.Form.Simulate(m, 0, a.Form.Operands())
					}
					return err
				})
				if err != nil {
					failed <- fmt.Errorf("%s in the simulator: %w", a.Form.Text, err)
				}
			}
		}()
	}
	for i := range all {
		next <- &all[i]
	}
	close(next)
	wait.Wait()
	close(failed)
	return <-failed
}

// onDevice runs the forms of one module. If the driver refuses the module, each form has
// one of its own.
func onDevice(d *gpu.Device, list []Answer) error {
	if len(list) == 0 {
		return nil
	}
	var text []forms.Form
	for i := range list {
		text = append(text, *list[i].Form)
	}
	m, err := d.Load("forms.ptx", forms.Module(text))
	var refused *gpu.Error
	switch {
	case errors.As(err, &refused) && refused.Kind == gpu.KindPTX:
		if len(list) == 1 {
			list[0].Refused = refused.Log
			return nil
		}
		for i := range list {
			if err := onDevice(d, list[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	case err != nil:
		return err
	}
	defer m.Unload()
	for i := range list {
		if list[i].Device, err = runForm(d, m, list[i].Form, fmt.Sprintf("f%d", i)); err == nil {
			continue
		}
		list[i].Fault = err.Error()
		if err := d.Reset(); err != nil {
			return err
		}
		return onDevice(d, list[i+1:])
	}
	return nil
}

func runForm(d *gpu.Device, m *gpu.Module, f *forms.Form, entry string) ([]byte, error) {
	k, err := m.Kernel(entry)
	if err != nil {
		return nil, err
	}
	operands := f.Operands()
	in, err := d.Alloc(uint64(len(operands)))
	if err != nil {
		return nil, err
	}
	defer in.Free()
	out, err := d.Alloc(uint64(f.BufferBytes()))
	if err != nil {
		return nil, err
	}
	defer out.Free()
	if err := in.Write(0, operands); err != nil {
		return nil, err
	}
	if err := out.Fill(0); err != nil {
		return nil, err
	}
	params := [][]byte{binary.LittleEndian.AppendUint64(nil, out.Address()), binary.LittleEndian.AppendUint64(nil, in.Address())}
	if err := d.Launch(k, [3]uint32{uint32(f.Cases() / forms.Block), 1, 1}, [3]uint32{forms.Block, 1, 1}, 0, params); err != nil {
		return nil, err
	}
	if err := d.Wait(kernelLimit); err != nil {
		return nil, err
	}
	results := make([]byte, f.Cases()*f.OutBytes())
	return results, out.Read(0, results)
}
