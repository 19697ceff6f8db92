// Package gpu runs programs on an NVIDIA GPU. It loads the driver's library at run time,
// without cgo and without the CUDA toolkit; the driver compiles the PTX. Values and methods
// of one Driver must not be used from two goroutines at once.
package gpu

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"unsafe"
)

// Driver is a loaded and initialised driver library.
type Driver struct {
	calls   calls
	library string
	version int // CUDA version: 1000*major + 10*minor
}

// Open loads the driver's library: the one that the system finds if library is empty.
func Open(library string) (*Driver, error) {
	if library == "" {
		library = defaultLibrary
	}
	bind, err := openFile(library)
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, &Error{Kind: KindUnsupported, text: fmt.Sprintf("this build of burstscope cannot use a GPU on %s/%s: build it for Linux or Windows, without -tags nogpu", runtime.GOOS, runtime.GOARCH)}
	}
	if err != nil {
		return nil, &Error{Kind: KindNoLibrary, text: fmt.Sprintf("no NVIDIA driver: %s cannot be loaded (%v): install the driver, or name its library with --gpu-library FILE", library, strings.TrimPrefix(err.Error(), library+": "))}
	}
	d := &Driver{library: library}
	for _, s := range d.calls.symbols() {
		if bind(s.function, s.name) || s.optional {
			continue
		}
		if d.calls.driverVersion == nil {
			return nil, &Error{Kind: KindWrongLibrary, Call: s.name, text: fmt.Sprintf("%s is not a CUDA driver library, because it has no function %s: name libcuda.so.1 or nvcuda.dll", library, s.name)}
		}
		return nil, &Error{Kind: KindOldDriver, Call: s.name, text: fmt.Sprintf("the driver is too old: %s has no function %s: install a driver for CUDA 6.0 or later", library, s.name)}
	}
	return d, d.initialize()
}

// openFile opens a library. A path must be that of a file: the system's loader would wait at
// a pipe.
func openFile(library string) (binder, error) {
	if file, err := os.Stat(library); err == nil && filepath.Base(library) != library && !file.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	return openLibrary(library)
}

func (d *Driver) initialize() error {
	var version int32
	if d.calls.driverVersion(&version) == success {
		d.version = int(version)
	}
	switch code := d.calls.initialize(0); code {
	case success:
		return nil
	case errNoDevice:
		return d.noDevice(code)
	case errStubLibrary:
		return d.failure(KindWrongLibrary, "cuInit", code, "%s is the stub of the CUDA toolkit, not a driver: name the driver's own libcuda.so.1", d.library)
	case errSystemMismatch:
		return d.failure(KindOldDriver, "cuInit", code, "%s does not fit the driver that the system runs: restart the machine, or name the matching library", d.library)
	default:
		return d.failure(KindDriver, "cuInit", code, "the NVIDIA driver does not start: check that nvidia-smi works")
	}
}

func (d *Driver) noDevice(code status) error {
	return d.failure(KindNoDevice, "cuInit", code, "the NVIDIA driver finds no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES")
}

// Devices returns the number of devices.
func (d *Driver) Devices() (int, error) {
	var count int32
	if code := d.calls.deviceCount(&count); code != success {
		return 0, d.failure(KindDriver, "cuDeviceGetCount", code, "the devices cannot be counted: check that nvidia-smi works")
	}
	return int(count), nil
}

// kernelModuleVersion finds the driver's own version, which the library does not tell.
var kernelModuleVersion = regexp.MustCompile(`\b\d{3}\.\d+(\.\d+)?\b`)

// Version returns the version of the driver, as far as it can be known, and the CUDA version
// that it supports.
func (d *Driver) Version() string {
	cuda := fmt.Sprintf("CUDA %d.%d", d.version/1000, d.version%1000/10)
	// Linux only; it does not exist elsewhere.
	text, err := os.ReadFile("/proc/driver/nvidia/version")
	if err != nil {
		return cuda
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if own := kernelModuleVersion.FindString(first); own != "" {
		return own + ", " + cuda
	}
	return cuda
}

// cString copies a text that ends with a zero byte.
func cString(p *byte) string {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}
