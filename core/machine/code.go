package machine

import (
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// allocateCode puts the instructions of the program's kernels and the parameters
// of its launches into device memory, for the caches of an SM that fetch them.
// PTX has no binary form. An instruction is noise of the machine's instruction size, so
// that codecs cannot compress it.
func (m *Machine) allocateCode() error {
	size := m.spec.SM.Fetch.InstructionBytes
	if m.spec.SM.Fetch.Cache.Sets == 0 && m.spec.SM.Constant.Cache.Sets == 0 {
		return nil
	}
	place := map[*ptx.Kernel]mem.Addr{}
	total := mem.Addr(0)
	lines := func(bytes int) mem.Addr {
		return mem.Addr((bytes + mem.LineBytes - 1) / mem.LineBytes * mem.LineBytes)
	}
	for _, l := range m.job.Launches {
		if _, ok := place[l.Kernel]; !ok {
			place[l.Kernel] = total
			total += lines(len(l.Kernel.Code) * size)
		}
	}
	parameters := total
	base, err := m.job.Image.Reserve("instructions and parameters", uint64(parameters)+uint64(len(m.job.Launches))*mem.LineBytes)
	if err != nil {
		return err
	}
	noise := make([]byte, parameters)
	x := uint64(88172645463325252) // the seed of the xorshift paper
	for i := range noise {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		noise[i] = byte(x >> 32)
	}
	m.job.Image.Write(base, noise)
	for i, l := range m.job.Launches {
		m.code = append(m.code, base+place[l.Kernel])
		m.parameters = append(m.parameters, base+parameters+mem.Addr(i)*mem.LineBytes)
	}
	return nil
}
