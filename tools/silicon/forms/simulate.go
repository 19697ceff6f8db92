package forms

import (
	"encoding/binary"
	"fmt"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// maxWarpInstructions bounds a form in the simulator; the longest has some hundred.
const maxWarpInstructions = 1 << 12

// Simulate returns what the simulator makes of kernel f<i> of a module of forms: the
// results of all threads, 8 bytes each.
func (f *Form) Simulate(m *compile.Module, i int, operands []byte) ([]byte, error) {
	bytes := f.BufferBytes()
	image, err := mem.NewImage(mem.DefaultBase, uint64(len(operands)+bytes)+1<<16)
	if err != nil {
		return nil, err
	}
	in, err := image.Alloc("in", uint64(len(operands)))
	if err != nil {
		return nil, err
	}
	inBase := in.Base
	out, err := image.Alloc("out", uint64(bytes))
	if err != nil {
		return nil, err
	}
	outBase := out.Base
	image.Write(inBase, operands)
	k, err := compile.Kernel(m, fmt.Sprintf("f%d", i), func(string) uint64 { return 0 })
	if err != nil {
		return nil, err
	}
	params := make([]byte, 16)
	binary.LittleEndian.PutUint64(params, outBase)
	binary.LittleEndian.PutUint64(params[8:], inBase)
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{uint32(f.Cases() / Block), 1, 1}, Block: [3]uint32{Block, 1, 1}, Params: params}
	if _, err := execute.RunFunctional(l, image, execute.FunctionalOptions{MaxWarpInstructions: maxWarpInstructions}); err != nil {
		return nil, err
	}
	results := make([]byte, f.Cases()*f.OutBytes())
	image.Read(outBase, results)
	return results, nil
}
