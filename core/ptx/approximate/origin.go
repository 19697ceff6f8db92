package approximate

import (
	"encoding/binary"
	"slices"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// origin says from which parameters the addresses of a kernel are computed.
type origin struct {
	kernel *ptx.Kernel
	list   []statement
	params map[string]uint64 // of each name: a bit for each parameter; the last bit is for all from 63 on
}

func originsOf(k *ptx.Kernel) origin {
	o := origin{kernel: k, list: statements(k), params: map[string]uint64{}}
	for changed := true; changed; {
		changed = false
		for pc := range o.list {
			s, in := &o.list[pc], &k.Code[pc]
			from := o.of(s.reads)
			switch {
			case in.Mem != nil && in.IsMemory && in.Mem.Kind != ptx.AccessStore && in.Mem.Space != ptx.SpaceParam:
				from = 0 // what memory holds comes from no parameter
			default:
				from |= o.paramsOf(s.address)
			}
			for _, n := range s.writes {
				if o.params[n]|from != o.params[n] {
					o.params[n] |= from
					changed = true
				}
			}
		}
	}
	return o
}

func (o *origin) of(names []string) (from uint64) {
	for _, n := range names {
		from |= o.params[n] | o.paramsOf([]string{n})
	}
	return from
}

// paramsOf returns the parameters among some names.
func (o *origin) paramsOf(names []string) (from uint64) {
	for _, n := range names {
		if i := slices.IndexFunc(o.kernel.Params, func(p ptx.Param) bool { return p.Name == n }); i >= 0 {
			from |= 1 << min(i, 63)
		}
	}
	return from
}

// reads reports whether the address of a load comes from a parameter that points into one of
// some buffers in a launch.
func (o *origin) reads(pc int32, l *ptx.Launch, buffers []mem.Allocation) bool {
	from := o.of(o.list[pc].address)
	for i := range l.Kernel.Params {
		p := &l.Kernel.Params[i]
		if from>>min(i, 63)&1 == 0 || p.Bytes != 8 {
			continue
		}
		a := binary.LittleEndian.Uint64(l.Params[p.Offset:])
		if slices.ContainsFunc(buffers, func(b mem.Allocation) bool { return a >= b.Base && a < b.End() }) {
			return true
		}
	}
	return false
}
