package approximate

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
)

// Load is an approximate load of a program.
type Load struct {
	Kernel *ptx.Kernel
	Number int // of the kernel in the program
	PC     int32
}

// Float reports whether the load's type is a floating-point one.
func (l *Load) Float() bool {
	opcode := parse(textOf(l.Kernel, int(l.PC))).opcode
	types := strings.Split(opcode, ".")
	return slices.Contains(types, "f32") || slices.Contains(types, "f64")
}

// Place names the load's line.
func (l *Load) Place() string { return place(l.Kernel, l.PC) }

// Table numbers the loads of all launches: the loads, each once, and for each launch and PC
// the number of the load plus 1.
func Table(launches []*ptx.Launch, list [][]int32) (loads []Load, ofLaunch [][]uint16) {
	var kernels []*ptx.Kernel
	for i, l := range launches {
		number := slices.Index(kernels, l.Kernel)
		if number < 0 {
			number = len(kernels)
			kernels = append(kernels, l.Kernel)
		}
		of := make([]uint16, 0)
		for _, pc := range list[i] {
			k := slices.IndexFunc(loads, func(o Load) bool { return o.Kernel == l.Kernel && o.PC == pc })
			if k < 0 {
				k = len(loads)
				loads = append(loads, Load{l.Kernel, number, pc})
			}
			for len(of) <= int(pc) {
				of = append(of, 0)
			}
			of[pc] = uint16(k + 1)
		}
		ofLaunch = append(ofLaunch, of)
	}
	return loads, ofLaunch
}
