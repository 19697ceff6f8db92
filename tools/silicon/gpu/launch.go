package gpu

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"
	"unsafe"
)

// Launch starts a kernel and does not wait for it. Each parameter has the bytes of its PTX
// type, little end first.
func (d *Device) Launch(k *Kernel, grid, block [3]uint32, sharedBytes int, params [][]byte) error {
	if !slices.Contains(d.launched, k.entry) {
		d.launched = append(d.launched, k.entry)
	}
	return d.launch(k, grid, block, sharedBytes, params)
}

func (d *Device) launch(k *Kernel, grid, block [3]uint32, sharedBytes int, params [][]byte) error {
	if err := k.check(params); err != nil {
		return err
	}
	leave, err := d.enter()
	if err != nil {
		return err
	}
	defer leave()
	calls := &d.driver.calls
	if sharedBytes > k.dynamic {
		// Up to 48 KiB need no permission, and asking for less harms nothing.
		if code := calls.functionSet(k.handle, functionDynamicBytes, int32(sharedBytes)); code != success {
			return d.driver.failure(KindLaunch, "cuFuncSetAttribute", code, "kernel %s cannot have %d bytes of dynamic shared memory: %s allows %d for a CTA, with the %d that are static", k.entry, sharedBytes, d.info.Name, d.info.SharedBytesPerCTA, k.SharedBytes)
		}
		k.dynamic = sharedBytes
	}
	pointers := make([]unsafe.Pointer, len(params)+1) // never empty
	for i, p := range params {
		pointers[i] = unsafe.Pointer(unsafe.SliceData(p))
	}
	code := calls.launch(k.handle, grid[0], grid[1], grid[2], block[0], block[1], block[2], uint32(sharedBytes), 0, &pointers[0], 0)
	runtime.KeepAlive(params)
	if code == errLaunchResources || code == errInvalidValue {
		return d.driver.failure(KindLaunch, "cuLaunchKernel", code, "%s cannot launch kernel %s with grid %v, block %v, %d registers for a thread and %d bytes of shared memory: use a smaller block", d.info.Name, k.entry, grid, block, k.Registers, k.SharedBytes+sharedBytes)
	}
	if code != success {
		return d.failed("cuLaunchKernel", code, "kernel "+k.entry+" cannot be launched")
	}
	return nil
}

// failed describes a failed call. The driver also reports a kernel that failed before.
func (d *Device) failed(call string, code status, what string) error {
	if faulted(code) {
		return d.driver.failure(KindFault, call, code, "%s %s on %s: check it with compute-sanitizer", d.running(), faultTexts[code], d.info.Name)
	}
	return d.driver.failure(KindDriver, call, code, "%s on %s", what, d.info.Name)
}

// running names the kernels launched since the last Wait, at most three.
func (d *Device) running() string {
	names := d.launched
	switch {
	case len(names) == 0:
		return "a kernel"
	case len(names) == 1:
		return "kernel " + names[0]
	case len(names) > 3:
		return fmt.Sprintf("one of the kernels %s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return "one of the kernels " + strings.Join(names, ", ")
}

// Wait returns when all launched kernels have ended. If they run past the limit it returns
// a *Timeout, and the device is lost to this process.
func (d *Device) Wait(limit time.Duration) error {
	leave, err := d.enter()
	if err != nil {
		return err
	}
	defer leave()
	begin := time.Now()
	pause := time.Microsecond
	for {
		code := d.driver.calls.streamQuery(0)
		if code == success {
			d.launched = d.launched[:0]
			return nil
		}
		if code != errNotReady {
			return d.failed("cuStreamQuery", code, "the kernels cannot be waited for")
		}
		waited := time.Since(begin)
		if waited > limit {
			d.lost = &Timeout{d.running(), limit}
			return d.lost
		}
		if waited > time.Millisecond { // until then every microsecond counts
			time.Sleep(pause)
			pause = min(2*pause, time.Millisecond)
		}
	}
}

// Stopwatch measures the time between two points in the order of launches, with the
// driver's events: their resolution is at most half a microsecond (cuEventElapsedTime).
type Stopwatch struct {
	device      *Device
	start, stop uintptr
}

// NewStopwatch makes a stopwatch.
func (d *Device) NewStopwatch() (*Stopwatch, error) {
	leave, err := d.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	s := &Stopwatch{device: d}
	for _, event := range []*uintptr{&s.start, &s.stop} {
		if code := d.driver.calls.eventCreate(event, 0); code != success {
			return nil, d.failed("cuEventCreate", code, "time cannot be measured")
		}
	}
	return s, nil
}

// Start marks the begin: after the launches before it.
func (s *Stopwatch) Start() error { return s.record(s.start) }

// Stop marks the end: after the launches before it.
func (s *Stopwatch) Stop() error { return s.record(s.stop) }

func (s *Stopwatch) record(event uintptr) error {
	leave, err := s.device.enter()
	if err != nil {
		return err
	}
	defer leave()
	if code := s.device.driver.calls.eventRecord(event, 0); code != success {
		return s.device.failed("cuEventRecord", code, "time cannot be measured")
	}
	return nil
}

// Nanoseconds returns the time between the marks. Call Wait before it.
func (s *Stopwatch) Nanoseconds() (float64, error) {
	leave, err := s.device.enter()
	if err != nil {
		return 0, err
	}
	defer leave()
	var milliseconds float32
	if code := s.device.driver.calls.eventElapsedTime(&milliseconds, s.start, s.stop); code != success {
		return 0, s.device.failed("cuEventElapsedTime", code, "time cannot be measured")
	}
	return math.Round(float64(milliseconds) * 1e6), nil // a float32 holds no more
}

// Time returns the nanoseconds that launches take, from before the first to after the last.
// The device spins while launch puts them in line, so that the time holds none of the host's.
// Of the options, Cold and Limit count.
func (s *Stopwatch) Time(launches int, o Options, launch func() error) (float64, error) {
	if o.Cold {
		if err := s.device.FlushL2(); err != nil {
			return 0, err
		}
	}
	if err := s.device.spin(queueTime(launches)); err != nil {
		return 0, err
	}
	if err := s.Start(); err != nil {
		return 0, err
	}
	if err := launch(); err != nil {
		return 0, err
	}
	if err := s.Stop(); err != nil {
		return 0, err
	}
	if err := s.device.Wait(o.Limit); err != nil {
		return 0, err
	}
	return s.Nanoseconds()
}

// queueTime is more than the host needs to queue n launches, at some 5 us each. The driver's
// queue holds about a thousand.
func queueTime(n int) time.Duration {
	return 100*time.Microsecond + 10*time.Microsecond*time.Duration(min(n, 1000))
}

// Close gives the events back.
func (s *Stopwatch) Close() {
	leave, err := s.device.enter()
	if err != nil {
		return
	}
	defer leave()
	s.device.driver.calls.eventDestroy(s.start)
	s.device.driver.calls.eventDestroy(s.stop)
}
