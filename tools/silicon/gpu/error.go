package gpu

import (
	"fmt"
	"strings"
	"time"
)

// Kind tells the causes of an Error apart.
type Kind uint8

const (
	KindDriver      Kind = iota // any other error of a call
	KindUnsupported             // this build cannot load a driver
	KindNoLibrary
	KindWrongLibrary
	KindOldDriver // of the library, or of a PTX version
	KindNoDevice
	KindPTX    // the driver's compiler refuses the module
	KindLaunch // the device refuses the launch
	KindMemory // out of device memory
	KindFault  // a kernel failed while it ran
	KindLost   // the device cannot be used in this process, after a Timeout or a KindFault
)

// Error is a fault of the driver or of the device. Its text says what is wrong, where, and
// what to do.
type Error struct {
	Kind Kind
	Call string // function of the driver, if one failed
	Code int    // its CUresult
	Log  string // first lines of the log of the driver's compiler
	text string
}

func (e *Error) Error() string { return e.text }

// Timeout reports kernels that still ran when the limit was over. The driver cannot stop a
// kernel; the kernel ends with the process.
type Timeout struct {
	Kernels string
	Limit   time.Duration
}

func (e *Timeout) Error() string {
	return fmt.Sprintf("%s still runs after %v: allow more time, or look for a loop without an end", e.Kernels, e.Limit)
}

// failure describes a failed call in the driver's words.
func (d *Driver) failure(kind Kind, call string, code status, format string, args ...any) *Error {
	text := fmt.Sprintf(format, args...)
	return &Error{Kind: kind, Call: call, Code: int(code), text: fmt.Sprintf("%s (%s: %s)", text, call, d.describe(code))}
}

// describe returns a code's name and sentence.
func (d *Driver) describe(code status) string {
	var name, text *byte
	if d.calls.errorName(code, &name) != success || name == nil {
		return fmt.Sprintf("error %d", code)
	}
	if d.calls.errorText(code, &text) != success || text == nil {
		return cString(name)
	}
	return cString(name) + ", " + cString(text)
}

// faultTexts says what a kernel did when it failed.
var faultTexts = map[status]string{
	errIllegalAddress:      "reads or writes an address outside of its buffers",
	errMisalignedAddress:   "reads or writes an address that is not a multiple of the access size",
	errIllegalInstruction:  "runs an illegal instruction",
	errInvalidAddressSpace: "uses an address in the wrong state space",
	errInvalidPC:           "jumps to an address outside of its code",
	errHardwareStack:       "overflows its stack or damages it",
	errAssert:              "stops at an assertion or trap",
	errLaunchFailed:        "fails while it runs",
	errLaunchTimeout:       "runs longer than the system allows on a device with a display",
}

// faulted reports whether the code is the end of a kernel that failed. The context is
// unusable from then on.
func faulted(code status) bool { return faultTexts[code] != "" }

// firstLines returns the lines of a log that say something, at most n of them.
func firstLines(log string, n int) string {
	var lines []string
	for line := range strings.Lines(log) {
		if line = strings.TrimSpace(line); line != "" && len(lines) < n {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}
