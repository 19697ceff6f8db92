//go:build unix

package memctrl

import "syscall"

// cpuSeconds is the processor time of the process: other programs on the machine
// do not change it.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
