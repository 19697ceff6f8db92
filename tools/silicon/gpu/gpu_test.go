//go:build linux && !nogpu

package gpu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/silicon/gpu/standin"
)

// open opens device 0 of a stand-in.
func open(t *testing.T, l *standin.Library) *Device {
	t.Helper()
	driver, err := Open(l.Path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := driver.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// noFaults fails if a call was wrong.
func noFaults(t *testing.T, l *standin.Library) {
	t.Helper()
	for _, line := range l.Calls(t) {
		if strings.HasPrefix(line, "fault") {
			t.Error(line)
		}
	}
}

func words(n int, f func(i int) uint32) []byte {
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, f(i))
	}
	return b
}

const header = ".version 6.4\n.target sm_70\n.address_size 64\n"

// increment adds a number to 64 words, twice. The stand-in runs kernels by their names, so
// the body does not matter.
func increment() *workload.Program {
	launch := workload.Launch{Entry: "increment", Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{32, 1, 1}, Args: []workload.Arg{workload.BufferArg(0), workload.U32(5)}}
	return &workload.Program{
		Name: "increment", File: "k.ptx", PTX: []byte(header + ".visible .entry increment(.param .u64 data, .param .u32 addend)\n{ ret; }\n"),
		Buffers: []workload.Buffer{
			workload.Buffer{Name: "data", Bytes: 256, Init: words(10, func(i int) uint32 { return uint32(i) }), Element: workload.ElementU32}.AsOutput(),
		},
		Launches: []workload.Launch{launch, launch},
	}
}

func TestInfo(t *testing.T) {
	d := open(t, standin.Build(t, ""))
	want := Info{
		Name: "Stand-in 0", Driver: d.Info().Driver, ComputeCapability: [2]int{9, 0}, SMs: 4, ClockMHz: 1600, MemoryClockMHz: 3000, MemoryBusBits: 512,
		L2Bytes: 1 << 20, MemoryBytes: 1 << 30, SharedBytesPerSM: 233472, SharedBytesPerCTA: 232448, RegistersPerSM: 65536, ThreadsPerSM: 2048,
	}
	if d.Info() != want || !strings.Contains(want.Driver, "CUDA 12.8") {
		t.Errorf("%+v, want %+v", d.Info(), want)
	}
	if clock, err := d.MeasureClock(); err != nil || clock != 1500 {
		t.Errorf("clock %g MHz, %v: the stand-in counts 1.5 clocks a nanosecond", clock, err)
	}
}

// Every repetition begins with the program's inputs, and only the launches are timed.
func TestRunCallsTheDriverInOrder(t *testing.T) {
	l := standin.Build(t, "")
	d := open(t, l)
	out, err := Run(d, increment(), Options{WarmUps: 1, Repetitions: 2, Cold: true})
	if err != nil {
		t.Fatal(err)
	}
	// 64 words, 10 of them with contents, incremented twice by 5.
	want := words(64, func(i int) uint32 {
		if i < 10 {
			return uint32(i) + 10
		}
		return 10
	})
	if len(out.Outputs) != 1 || !bytes.Equal(out.Outputs[0], want) || !out.Repeatable {
		t.Errorf("%v, repeatable %v", out.Outputs, out.Repeatable)
	}
	// The stand-in's launch n lasts 1000+100n ns: launches 3 and 4, then 5 and 6.
	if !slices.Equal(out.Nanoseconds, []float64{2700, 3100}) || out.ClockMHz != 1500 {
		t.Errorf("%v ns at %g MHz", out.Nanoseconds, out.ClockMHz)
	}
	if err := d.Reset(); err != nil {
		t.Error(err)
	}
	noFaults(t, l)

	calls := l.Calls(t)
	once := []string{
		"cuMemsetD8 0 256", "cuMemcpyHtoD 40", "cuLaunchKernel sweep grid 32 1 1 block 256 1 1 shared 0 params 8 8",
		"cuLaunchKernel spin grid 1 1 1 block 1 1 1 shared 0 params 8 8", "cuEventRecord",
		"cuLaunchKernel increment grid 2 1 1 block 32 1 1 shared 0 params 8 4", "cuLaunchKernel increment grid 2 1 1 block 32 1 1 shared 0 params 8 4",
		"cuEventRecord", "cuStreamQuery", "cuEventElapsedTime", "cuMemcpyDtoH 256",
	}
	last := slices.Index(calls, "cuMemFree 256")
	measured := calls[last-3-len(once) : last-3] // MeasureClock has three calls
	if !slices.Equal(measured, once) {
		t.Errorf("the last repetition calls\n%s\nwant\n%s", strings.Join(measured, "\n"), strings.Join(once, "\n"))
	}
	// What is left is what the device keeps: the clock, the flushed buffer, our kernels.
	if want := "cuCtxDestroy with 2 allocations, 1 modules, 0 events"; !slices.Contains(calls, want) {
		t.Errorf("%s\nlacks %s", strings.Join(calls, "\n"), want)
	}
}

func TestParametersHaveTheirSizes(t *testing.T) {
	for _, macros := range [][]string{nil, {"WITHOUT_PARAM_INFO"}} { // before CUDA 12.4
		l := standin.Build(t, "", macros...)
		p := &workload.Program{
			Name: "sizes", File: "k.ptx",
			PTX:     []byte(header + ".visible .entry sizes(.param .u8 a, .param .s16 b, .param .f32 c, .param .b64 d, .param .u64 out)\n{ ret; }\n"),
			Buffers: []workload.Buffer{workload.Buffer{Name: "out", Bytes: 32, Element: workload.ElementU64}.AsOutput()},
			Launches: []workload.Launch{{Entry: "sizes", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Args: []workload.Arg{
				{Buffer: -1, Bits: 0xfe, Bytes: 1}, {Buffer: -1, Bits: 0xfedc, Bytes: 2}, workload.U32(0xfedcba98), workload.U64(0xfedcba9876543210), workload.BufferArg(0),
			}}},
		}
		out, err := Run(open(t, l), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var want []byte
		for _, v := range []uint64{0xfe, 0xfedc, 0xfedcba98, 0xfedcba9876543210} {
			want = binary.LittleEndian.AppendUint64(want, v)
		}
		if !bytes.Equal(out.Outputs[0], want) {
			t.Errorf("%v: %x, want %x", macros, out.Outputs[0], want)
		}
		noFaults(t, l)
	}
}

// A context belongs to a thread of the system, and a program's goroutines may run on any.
func TestCallsFromAnyThread(t *testing.T) {
	l := standin.Build(t, "")
	d := open(t, l)
	for range 3 {
		done := make(chan error)
		go func() {
			runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
			_, err := Run(d, increment(), Options{})
			done <- err
		}()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	noFaults(t, l)
}

// A module variable starts with its initial value in every repetition.
func TestVariablesAreRestored(t *testing.T) {
	p := increment()
	p.PTX = []byte(header + ".global .u32 counter;\n.visible .entry count(.param .u64 out)\n{ ret; }\n")
	p.Launches = []workload.Launch{{Entry: "count", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Args: []workload.Arg{workload.BufferArg(0)}}}
	out, err := Run(open(t, standin.Build(t, "")), p, Options{WarmUps: 1, Repetitions: 3})
	if err != nil {
		t.Fatal(err)
	}
	if n := binary.LittleEndian.Uint32(out.Outputs[0]); n != 1 || !out.Repeatable {
		t.Errorf("the counter is %d after one launch, repeatable %v", n, out.Repeatable)
	}
}

func TestOutputsThatDifferBetweenRepetitionsAreNoticed(t *testing.T) {
	p := increment()
	p.PTX = []byte(header + ".visible .entry vecadd(.param .u64 a, .param .u64 b, .param .u64 sum, .param .u32 n)\n{ ret; }\n")
	p.Launches = []workload.Launch{{Entry: "vecadd", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1},
		Args: []workload.Arg{workload.BufferArg(0), workload.BufferArg(0), workload.BufferArg(0), workload.U32(64)}}}
	for _, c := range []struct {
		behaviour string
		want      bool
	}{{"", true}, {"random", false}} {
		out, err := Run(open(t, standin.Build(t, c.behaviour)), p, Options{Repetitions: 3})
		if err != nil || out.Repeatable != c.want {
			t.Errorf("%q: %v, %+v", c.behaviour, err, out)
		}
	}
}

// Each fault has its kind, and a text that says what is wrong, where, and what to do.
func TestFaultsOfRun(t *testing.T) {
	with := func(change func(p *workload.Program)) *workload.Program {
		p := increment()
		change(p)
		return p
	}
	plain := increment()
	for _, c := range []struct {
		behaviour string
		program   *workload.Program
		kind      Kind
		want      string
	}{
		{"old PTX", plain, KindOldDriver, "CUDA 10.0) is too old for k.ptx with PTX version 6.4: install a newer driver"},
		{"older PTX", plain, KindOldDriver, "too old for k.ptx with PTX version 6.4: install a newer driver, or compile for an older PTX version; its log: ptxas application ptx input, line 1; fatal   : Unsupported .version 6.4; current version is '6.3'"},
		{"refuses", plain, KindPTX, "the driver refuses k.ptx (CUDA_ERROR_INVALID_PTX, a PTX JIT compilation failed): change the PTX as its log says; its log: ptxas application ptx input, line 8; error   : Unknown symbol '%x'; line 9; error : second; third"},
		{"no binary", plain, KindPTX, "k.ptx is for sm_70, and Stand-in 0 has compute capability 9.0: compile it for a target that the device has"},
		{"no target", plain, KindPTX, "compile it for a target that the device has; its log: ptxas fatal   : SM version specified by .target is higher"},
		{"no compiler", plain, KindPTX, "install the driver's library libnvidia-ptxjitcompiler"},
		{"", with(func(p *workload.Program) { p.Launches[0].Entry = "missing" }), KindPTX, "k.ptx has no entry missing"},
		{"", with(func(p *workload.Program) { p.Launches[0].Block[0] = 2048 }), KindLaunch, "Stand-in 0 cannot launch kernel increment with grid [2 1 1], block [2048 1 1], 20 registers for a thread and 16 bytes of shared memory: use a smaller block"},
		{"", with(func(p *workload.Program) { p.Launches[0].DynamicSharedBytes = 1 << 20 }), KindLaunch, "kernel increment cannot have 1048576 bytes of dynamic shared memory: Stand-in 0 allows 232448 for a CTA"},
		{"", with(func(p *workload.Program) { p.Launches[0].Args = p.Launches[0].Args[:1] }), KindLaunch, "kernel increment: 1 arguments for 2 parameters"},
		{"", with(func(p *workload.Program) { p.Launches[0].Args[1] = workload.U64(1) }), KindLaunch, "kernel increment: parameter 1 has 4 bytes on the GPU, the argument 8"},
		{"resources", plain, KindLaunch, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
		{"small memory", with(func(p *workload.Program) { p.Buffers[0].Bytes = 1 << 20 }), KindMemory, "buffer data: Stand-in 0 has too little memory for 1048576 bytes: 65536 of 65536 bytes are free"},
		{"illegal", plain, KindFault, "kernel increment reads or writes an address outside of its buffers on Stand-in 0"},
		{"fails later", plain, KindFault, "kernel increment reads or writes an address outside of its buffers on Stand-in 0"},
	} {
		l := standin.Build(t, c.behaviour)
		d := open(t, l)
		_, err := Run(d, c.program, Options{Repetitions: 5})
		var e *Error
		if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant kind %d, %s", c.behaviour, err, c.kind, c.want)
		}
		d.Close()
		noFaults(t, l)
	}
}

// A fault names the kernels since the last wait, and no earlier ones.
func TestFaultNamesTheKernelsThatRan(t *testing.T) {
	d := open(t, standin.Build(t, "fails later")) // in the fifth launch
	first := increment()
	first.PTX = []byte(header + ".visible .entry count(.param .u64 out)\n{ ret; }\n")
	first.Launches = []workload.Launch{{Entry: "count", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Args: []workload.Arg{workload.BufferArg(0)}}}
	if _, err := Run(d, first, Options{Repetitions: 3}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(d, increment(), Options{}); err == nil || !strings.HasPrefix(err.Error(), "kernel increment reads or writes") {
		t.Error(err)
	}
}

// After an address fault the driver refuses everything, and Reset says so.
func TestResetAfterAFault(t *testing.T) {
	l := standin.Build(t, "illegal")
	d := open(t, l)
	if _, err := Run(d, increment(), Options{}); err == nil {
		t.Fatal("no fault")
	}
	for range 2 {
		var e *Error
		if err := d.Reset(); !errors.As(err, &e) || e.Kind != KindLost || !strings.Contains(err.Error(), "Stand-in 0 cannot be used any more, because a kernel failed: start the program again") {
			t.Error(err)
		}
	}
	if _, err := d.Alloc(1); err == nil || !strings.Contains(err.Error(), "could not be reset") {
		t.Error(err)
	}
	noFaults(t, l)
}

// After a kernel that never ends, nothing waits for it.
func TestTimeout(t *testing.T) {
	l := standin.Build(t, "forever")
	d := open(t, l)
	begin := time.Now()
	_, err := Run(d, increment(), Options{Limit: 20 * time.Millisecond})
	var timeout *Timeout
	if !errors.As(err, &timeout) || err.Error() != "kernel increment still runs after 20ms: allow more time, or look for a loop without an end" {
		t.Error(err)
	}
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("a limit of 20 ms took %v", took)
	}
	_, again := Run(d, increment(), Options{})
	for _, err := range []error{again, d.Reset()} {
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindLost || !strings.Contains(err.Error(), "start the program again") {
			t.Error(err)
		}
	}
	d.Close()
	noFaults(t, l)
}

// Faults before a device is open.
func TestFaultsOfOpen(t *testing.T) {
	for _, c := range []struct {
		library func() string
		kind    Kind
		want    string
	}{
		{func() string { return "/nonexistent/libcuda.so.1" }, KindNoLibrary, "no NVIDIA driver: /nonexistent/libcuda.so.1 cannot be loaded"},
		{func() string { return "libc.so.6" }, KindWrongLibrary, "libc.so.6 is not a CUDA driver library, because it has no function cuInit"},
		{func() string { return standin.Build(t, "", "WITHOUT_SET_ATTRIBUTE").Path }, KindOldDriver, "has no function cuFuncSetAttribute: install a driver"},
		{func() string { return standin.Build(t, "no device").Path }, KindNoDevice, "the NVIDIA driver finds no GPU: check nvidia-smi and CUDA_VISIBLE_DEVICES (cuInit: CUDA_ERROR_NO_DEVICE"},
		{func() string { return standin.Build(t, "none").Path }, KindNoDevice, "the NVIDIA driver finds no GPU"},
		{func() string { return standin.Build(t, "stub").Path }, KindWrongLibrary, "is the stub of the CUDA toolkit"},
		{func() string { return standin.Build(t, "mismatch").Path }, KindOldDriver, "restart the machine"},
		{func() string { return standin.Build(t, "broken").Path }, KindDriver, "check that nvidia-smi works (cuInit: error 999)"},
		{func() string { return standin.Build(t, "held").Path }, KindDriver, "check that no other program holds it alone"},
	} {
		driver, err := Open(c.library())
		if err == nil {
			_, err = driver.Device(0)
		}
		var e *Error
		if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant kind %d, %s", err, c.kind, c.want)
		}
	}
	driver, err := Open(standin.Build(t, "").Path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := driver.Device(2); err == nil || !strings.Contains(err.Error(), "there is no GPU 2: the driver has 2, numbered from 0") {
		t.Error(err)
	}
}

// Memory refuses offsets outside of it before the driver could.
func TestMemoryBounds(t *testing.T) {
	l := standin.Build(t, "")
	d := open(t, l)
	m, err := d.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Write(12, make([]byte, 4)); err != nil {
		t.Error(err)
	}
	for _, err := range []error{m.Write(13, make([]byte, 4)), m.Read(17, nil), m.Read(1<<63, make([]byte, 1))} {
		if err == nil || !strings.Contains(err.Error(), "lie outside of an allocation of 16 bytes") {
			t.Error(err)
		}
	}
	noFaults(t, l)
}
