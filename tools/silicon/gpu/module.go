package gpu

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// Module is PTX that the driver has compiled for the device.
type Module struct {
	device *Device
	file   string
	handle uintptr
}

// Options of cuModuleLoadDataEx (CUjit_option).
const (
	jitErrorLogBuffer = 5
	jitErrorLogBytes  = 6
)

const jitLogBytes = 8 << 10

// Load compiles PTX with the driver. file names it in messages.
func (d *Device) Load(file string, ptx []byte) (*Module, error) {
	leave, err := d.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	text := append(bytes.Clone(ptx), 0)
	log := make([]byte, jitLogBytes)
	var pinner runtime.Pinner // the log's address travels as a number
	pinner.Pin(&log[0])
	defer pinner.Unpin()
	names := []int32{jitErrorLogBuffer, jitErrorLogBytes}
	values := []uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log))}
	m := &Module{device: d, file: file}
	code := d.driver.calls.moduleLoad(&m.handle, &text[0], uint32(len(names)), &names[0], &values[0])
	if code == success {
		return m, nil
	}
	said, _, _ := bytes.Cut(log, []byte{0})
	return nil, d.refused(file, ptx, code, string(said))
}

// refused says why the driver's compiler does not take a module.
func (d *Device) refused(file string, ptx []byte, code status, log string) error {
	e := d.driver.failure(KindPTX, "cuModuleLoadDataEx", code, "")
	switch e.Log = firstLines(log, 3); {
	case code == errUnsupportedPTX || code == errInvalidPTX && strings.Contains(log, "Unsupported .version"):
		e.Kind = KindOldDriver
		e.text = fmt.Sprintf("the driver (%s) is too old for %s with PTX version %s: install a newer driver, or compile for an older PTX version", d.info.Driver, file, directive(ptx, ".version"))
	case code == errNoBinary || code == errInvalidPTX && strings.Contains(log, ".target"):
		e.text = fmt.Sprintf("%s is for %s, and %s has compute capability %d.%d: compile it for a target that the device has", file, directive(ptx, ".target"), d.info.Name, d.info.ComputeCapability[0], d.info.ComputeCapability[1])
	case code == errCompilerNotFound:
		e.text = fmt.Sprintf("the driver cannot compile %s, because its PTX compiler is missing: install the driver's library libnvidia-ptxjitcompiler", file)
	case code == errOutOfMemory:
		e.Kind = KindMemory
		e.text = fmt.Sprintf("%s does not fit into the memory of %s: make its variables smaller, or end other programs on the device", file, d.info.Name)
	case faulted(code):
		e.Kind = KindFault
		e.text = fmt.Sprintf("%s cannot be loaded, because an earlier kernel failed (%s): start the program again", file, d.driver.describe(code))
	default:
		e.text = fmt.Sprintf("the driver refuses %s (%s): change the PTX as its log says", file, d.driver.describe(code))
	}
	if e.Log != "" {
		e.text += "; its log: " + e.Log
	}
	return e
}

// directive returns what follows the first directive of that name, or "unknown".
func directive(ptx []byte, name string) string {
	_, rest, found := bytes.Cut(ptx, []byte(name))
	words := bytes.Fields(rest[:min(len(rest), 200)])
	if !found || len(words) == 0 {
		return "unknown"
	}
	return strings.TrimSuffix(string(words[0]), ",")
}

// Unload gives the module back.
func (m *Module) Unload() error {
	leave, err := m.device.enter()
	if err != nil {
		return err
	}
	defer leave()
	if code := m.device.driver.calls.moduleUnload(m.handle); code != success {
		return m.device.driver.failure(KindDriver, "cuModuleUnload", code, "%s cannot be unloaded", m.file)
	}
	return nil
}

// Kernel is an entry of a module, with what the driver's compiler made of it.
type Kernel struct {
	module  *Module
	entry   string
	handle  uintptr
	dynamic int // bytes of dynamic shared memory that were allowed so far
	sizes   []int

	Registers   int // of a thread
	SharedBytes int // static, of a CTA
	LocalBytes  int // of a thread: spills and arrays
	MaxThreads  int // of a CTA
}

// Values of CUfunction_attribute.
const (
	functionMaxThreads   = 0
	functionSharedBytes  = 1
	functionLocalBytes   = 3
	functionRegisters    = 4
	functionDynamicBytes = 8
)

// Kernel finds an entry.
func (m *Module) Kernel(entry string) (*Kernel, error) {
	d := m.device
	leave, err := d.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	calls := &d.driver.calls
	k := &Kernel{module: m, entry: entry}
	if code := calls.moduleFunction(&k.handle, m.handle, entry); code != success {
		return nil, d.driver.failure(KindPTX, "cuModuleGetFunction", code, "%s has no entry %s for the device: name a .visible .entry of it", m.file, entry)
	}
	value := func(attribute int32) int {
		var v int32
		calls.functionAttribute(&v, attribute, k.handle)
		return int(v)
	}
	k.Registers, k.SharedBytes = value(functionRegisters), value(functionSharedBytes)
	k.LocalBytes, k.MaxThreads = value(functionLocalBytes), value(functionMaxThreads)
	for calls.functionParam != nil {
		var offset, bytes uintptr
		if calls.functionParam(k.handle, uintptr(len(k.sizes)), &offset, &bytes) != success {
			break
		}
		k.sizes = append(k.sizes, int(bytes))
	}
	return k, nil
}

// check compares the parameters of a launch with those that the kernel has. The driver
// would read beyond parameters that are missing or too short.
func (k *Kernel) check(params [][]byte) error {
	if k.module.device.driver.calls.functionParam == nil {
		return nil
	}
	fault := func(format string, args ...any) error {
		return &Error{Kind: KindLaunch, Call: "cuLaunchKernel", Code: int(errInvalidValue), text: "kernel " + k.entry + ": " + fmt.Sprintf(format, args...)}
	}
	if len(params) != len(k.sizes) {
		return fault("%d arguments for %d parameters: give one for each", len(params), len(k.sizes))
	}
	for i, p := range params {
		if len(p) != k.sizes[i] {
			return fault("parameter %d has %d bytes on the GPU, the argument %d: use the parameter's type, and .u64 for addresses", i, k.sizes[i], len(p))
		}
	}
	return nil
}
