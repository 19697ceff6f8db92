package gpu

import (
	"runtime"
	"strings"
)

// Device is one GPU with a context of its own.
type Device struct {
	driver  *Driver
	handle  int32
	context uintptr
	info    Info
	lost    *Timeout // the kernel that never ended

	tools    *Module  // kernels of this package, loaded on first use
	clocks   *Memory  // what the spin kernel writes
	flushed  *Memory  // what the sweep kernel reads
	launched []string // entries of the program since the last Wait
}

// Info describes a device. Clocks are the greatest that the device allows.
type Info struct {
	Name              string  `json:"name"`
	Driver            string  `json:"driver"`
	ComputeCapability [2]int  `json:"computeCapability"`
	SMs               int     `json:"sms"`
	ClockMHz          float64 `json:"clockMHz"`
	MemoryClockMHz    float64 `json:"memoryClockMHz"`
	MemoryBusBits     int     `json:"memoryBusBits"`
	L2Bytes           uint64  `json:"l2Bytes"`
	MemoryBytes       uint64  `json:"memoryBytes"`
	SharedBytesPerSM  int     `json:"sharedBytesPerSM"`
	SharedBytesPerCTA int     `json:"sharedBytesPerCTA"` // with the opt-in of cuFuncSetAttribute
	RegistersPerSM    int     `json:"registersPerSM"`
	ThreadsPerSM      int     `json:"threadsPerSM"`
}

// Values of CUdevice_attribute (CUDA Driver API, "Data types used by CUDA driver").
const (
	attributeClockKHz          = 13
	attributeSMs               = 16
	attributeMemoryClockKHz    = 36
	attributeMemoryBusBits     = 37
	attributeL2Bytes           = 38
	attributeThreadsPerSM      = 39
	attributeMajor             = 75
	attributeMinor             = 76
	attributeSharedBytesPerSM  = 81
	attributeRegistersPerSM    = 82
	attributeSharedBytesPerCTA = 97
)

// OpenDevice opens a device of the driver in a library ("" = the system's).
func OpenDevice(library string, ordinal int) (*Device, error) {
	driver, err := Open(library)
	if err != nil {
		return nil, err
	}
	return driver.Device(ordinal)
}

// Device makes a context on the device with the given number, from 0.
func (d *Driver) Device(ordinal int) (*Device, error) {
	count, err := d.Devices()
	if err != nil {
		return nil, err
	}
	if count == 0 {
		return nil, d.noDevice(errNoDevice)
	}
	if ordinal < 0 || ordinal >= count {
		return nil, d.failure(KindNoDevice, "cuDeviceGet", errInvalidDevice, "there is no GPU %d: the driver has %d, numbered from 0", ordinal, count)
	}
	device := &Device{driver: d}
	if code := d.calls.deviceGet(&device.handle, int32(ordinal)); code != success {
		return nil, d.failure(KindNoDevice, "cuDeviceGet", code, "GPU %d cannot be used", ordinal)
	}
	device.readInfo()
	return device, device.open()
}

func (d *Device) readInfo() {
	calls := &d.driver.calls
	value := func(attribute int32) int {
		var v int32
		if calls.deviceAttribute(&v, attribute, d.handle) != success {
			return 0 // an attribute that this driver does not know
		}
		return int(v)
	}
	var name [256]byte
	calls.deviceName(&name[0], int32(len(name)), d.handle)
	text, _, _ := strings.Cut(string(name[:]), "\x00")
	d.info = Info{
		Name: text, Driver: d.driver.Version(),
		ComputeCapability: [2]int{value(attributeMajor), value(attributeMinor)},
		SMs:               value(attributeSMs),
		ClockMHz:          float64(value(attributeClockKHz)) / 1000,
		MemoryClockMHz:    float64(value(attributeMemoryClockKHz)) / 1000,
		MemoryBusBits:     value(attributeMemoryBusBits),
		L2Bytes:           uint64(value(attributeL2Bytes)),
		SharedBytesPerSM:  value(attributeSharedBytesPerSM),
		SharedBytesPerCTA: value(attributeSharedBytesPerCTA),
		RegistersPerSM:    value(attributeRegistersPerSM),
		ThreadsPerSM:      value(attributeThreadsPerSM),
	}
	calls.deviceMemory(&d.info.MemoryBytes, d.handle)
}

// Info returns what the driver says about the device.
func (d *Device) Info() Info { return d.info }

func (d *Device) open() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if code := d.driver.calls.contextCreate(&d.context, 0, d.handle); code != success {
		kind, text := KindDriver, "%s cannot be used: check that no other program holds it alone"
		if code == errOutOfMemory {
			kind, text = KindMemory, "%s has no memory left for a context: end other programs on it"
		}
		if faulted(code) {
			kind, text = KindLost, "%s cannot be used any more, because a kernel failed: start the program again"
		}
		return d.driver.failure(kind, "cuCtxCreate", code, text, d.info.Name)
	}
	return nil
}

// enter makes the context current on the thread that it locks; leave unlocks it. A context
// belongs to a thread, and goroutines move between threads.
func (d *Device) enter() (leave func(), err error) {
	if d.lost != nil {
		return nil, &Error{Kind: KindLost, text: d.info.Name + " cannot be used any more, because " + d.lost.Error() + ", and start the program again"}
	}
	if d.context == 0 {
		return nil, &Error{Kind: KindLost, text: d.info.Name + " is closed, or could not be reset: start the program again"}
	}
	runtime.LockOSThread()
	if code := d.driver.calls.contextCurrent(d.context); code != success {
		runtime.UnlockOSThread()
		return nil, d.driver.failure(KindDriver, "cuCtxSetCurrent", code, "%s cannot be used: start the program again", d.info.Name)
	}
	return runtime.UnlockOSThread, nil
}

// Reset makes a new context. Modules, kernels, memory and stopwatches of the old one are gone.
// After an address fault the driver refuses every new context until the process ends (seen
// with driver 580); then the Error's kind is KindLost.
func (d *Device) Reset() error {
	if d.lost != nil {
		_, err := d.enter()
		return err
	}
	d.Close()
	return d.open()
}

// Close gives the device back. It does nothing while a kernel never ends, because the
// driver would wait for it.
func (d *Device) Close() {
	if d.lost != nil || d.context == 0 {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// After a failed kernel the driver answers with that failure and still destroys.
	d.driver.calls.contextDestroy(d.context)
	d.context, d.tools, d.clocks, d.flushed, d.launched = 0, nil, nil, nil, nil
}
