package forms

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx/compile"
)

// bounds are the largest errors that the manual allows (PTX ISA 8.7, floating-point
// instructions): relative ones as units of the last place, which are at least as small.
var bounds = map[string]Errors{
	"div.approx.f32": {Ulps: 2}, "div.approx.ftz.f32": {Ulps: 2}, "div.full.f32": {Ulps: 2}, "div.full.ftz.f32": {Ulps: 2},
	"rcp.approx.f32": {Ulps: 1}, "rcp.approx.ftz.f32": {Ulps: 1},
	"sqrt.approx.f32": {Ulps: 2}, "sqrt.approx.ftz.f32": {Ulps: 2}, // 2^-23, relative
	"rsqrt.approx.f32": {Ulps: 2.2}, "rsqrt.approx.ftz.f32": {Ulps: 2.2}, // 2^-22.9, relative
	"sin.approx.f32": {Absolute: 0x1p-20}, "sin.approx.ftz.f32": {Absolute: 0x1p-20}, // 2^-20.5, of angles of up to 2 pi
	"cos.approx.f32": {Absolute: 0x1p-20}, "cos.approx.ftz.f32": {Absolute: 0x1p-20},
	"lg2.approx.f32": {Absolute: 0x1p-21}, "lg2.approx.ftz.f32": {Absolute: 0x1p-21}, // 2^-22, relative where the result is beyond 1
	"ex2.approx.f32": {Ulps: 4}, "ex2.approx.ftz.f32": {Ulps: 4}, // 2^-22, relative
	"tanh.approx.f32": {Absolute: 0x1p-11},                                 // relative, of results of up to 1
	"ex2.approx.f16":  {Ulps: 2.2}, "tanh.approx.f16": {Absolute: 0x1p-10}, // 2^-9.9 and 2^-10.987
	"ex2.approx.ftz.bf16": {Ulps: 2}, "tanh.approx.bf16": {Ulps: 1.1}, // 2^-8, relative
}

// recording is the answers of an NVIDIA H200.
func recording(t *testing.T) *Recording {
	t.Helper()
	file, err := os.Open("../../machine/testdata/silicon/semantics-h200.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := ReadRecording(file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFormsAsOnTheDevice compares the results of every form with the device's, which are
// equal bit by bit. Forms that the manual defines within a bound are inside of it, on the
// device and here.
func TestFormsAsOnTheDevice(t *testing.T) {
	r := recording(t)
	var all []*Form
	for _, g := range Catalog() {
		for i := range g.Forms {
			all = append(all, &g.Forms[i])
		}
	}
	for i := range min(len(all), len(r.Rows)) {
		if all[i].Name() != r.Rows[i].Name {
			t.Fatalf("row %d of the recording is %q, and the catalog has %q there: record it anew (burstscope correlate semantics)", i+2, r.Rows[i].Name, all[i].Name())
		}
	}
	if len(all) != len(r.Rows) {
		t.Fatalf("%d forms, but %d rows in the recording: record it anew (burstscope correlate semantics)", len(all), len(r.Rows))
	}
	step := 1
	if testing.Short() {
		step = 16
	}
	cases := 0
	for i := 0; i < len(all); i += step {
		cases += all[i].Cases()
	}
	t.Logf("%d forms, %d operands, %s", (len(all)+step-1)/step, cases, r.Device)
	for part := range parts {
		t.Run(fmt.Sprint("part ", part), func(t *testing.T) {
			t.Parallel()
			for i := part * step; i < len(all); i += parts * step {
				compareWith(t, all[i], &r.Rows[i])
			}
		})
	}
}

// parts is how many tests run side by side.
const parts = 8

func compareWith(t *testing.T, f *Form, want *Row) {
	m, err := compile.Load("forms.ptx", Module([]Form{*f}))
	if err != nil {
		t.Error(err)
		return
	}
	results, err := f.Simulate(m, 0, f.Operands())
	if err != nil {
		t.Errorf("%s: %v", want.Name, err)
		return
	}
	got := RowOf(f, results)
	if !f.Approximate() {
		if got.Hash != want.Hash {
			t.Errorf("%s: not the device's results (compare on a GPU: burstscope correlate semantics)", want.Name)
		}
		return
	}
	opcode, _, _ := strings.Cut(want.Name, ":")
	bound, ok := bounds[opcode]
	for who, e := range map[string]Errors{"the device": want.Errors, "the simulator": got.Errors} {
		if bound.Ulps > 0 && e.Ulps > bound.Ulps || bound.Absolute > 0 && e.Absolute > bound.Absolute {
			t.Errorf("%s: %s is off by %.3g ulps, absolute %.3g; the manual allows %+v", want.Name, who, e.Ulps, e.Absolute, bound)
		}
	}
	if ok {
		t.Logf("%s: device %.3g ulps, absolute %.3g; simulator %.3g, %.3g", opcode, want.Errors.Ulps, want.Errors.Absolute, got.Errors.Ulps, got.Errors.Absolute)
	}
}
