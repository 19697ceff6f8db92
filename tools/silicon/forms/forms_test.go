package forms

import (
	"fmt"
	"os"
	"slices"
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
	file, err := os.Open("../../../core/machine/testdata/silicon/semantics-h200.csv")
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
	all, missing, gone := match(r.Rows)
	for _, name := range missing {
		t.Run(name, func(t *testing.T) {
			t.Skip("no GPU has run this form yet: on an H200, burstscope correlate semantics records it")
		})
	}
	for _, name := range gone {
		t.Errorf("the recording has a row of %q, and the catalog has no such form: take it out", name)
	}
	step := 1
	if testing.Short() {
		step = 16
	}
	cases := 0
	for i := 0; i < len(all); i += step {
		cases += all[i].form.Cases()
	}
	t.Logf("%d forms, %d operands, %s", (len(all)+step-1)/step, cases, r.Device)
	for part := range parts {
		t.Run(fmt.Sprint("part ", part), func(t *testing.T) {
			t.Parallel()
			for i := part * step; i < len(all); i += parts * step {
				compareWith(t, all[i].form, all[i].row)
			}
		})
	}
}

// recorded is a form with its row of a recording.
type recorded struct {
	form *Form
	row  *Row
}

// match gives each form of the catalog its row: the rows of one name belong to the forms of that name in their order
// (lop3 has a form for each table). It returns the names of forms without a row, and of rows without a form.
func match(rows []Row) (all []recorded, missing, gone []string) {
	of := map[string][]*Row{}
	for i := range rows {
		of[rows[i].Name] = append(of[rows[i].Name], &rows[i])
	}
	for _, g := range Catalog() {
		for i := range g.Forms {
			f := &g.Forms[i]
			list := of[f.Name()]
			if len(list) == 0 {
				missing = append(missing, f.Name())
				continue
			}
			all = append(all, recorded{f, list[0]})
			of[f.Name()] = list[1:]
		}
	}
	for i := range rows {
		if left := of[rows[i].Name]; len(left) > 0 && left[0] == &rows[i] {
			gone = append(gone, rows[i].Name)
			of[rows[i].Name] = left[1:]
		}
	}
	return all, missing, gone
}

// TestAFormWithoutARecordingIsMissing: it is named, and the others are compared. A row of no form is named too.
func TestAFormWithoutARecordingIsMissing(t *testing.T) {
	var rows []Row
	for _, g := range Catalog() {
		for i := range g.Forms {
			rows = append(rows, Row{Name: g.Forms[i].Name()})
		}
	}
	const name = "add.s32: s32 s32 to s32"
	at := slices.IndexFunc(rows, func(r Row) bool { return r.Name == name })
	rows = append(slices.Delete(rows, at, at+1), Row{Name: "nothing.s32"})
	all, missing, gone := match(rows)
	if len(all) != len(rows)-1 || !slices.Equal(missing, []string{name}) || !slices.Equal(gone, []string{"nothing.s32"}) {
		t.Errorf("%d of %d rows are compared, %q are missing, %q are gone", len(all), len(rows), missing, gone)
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
	// Each half of a packed pair has the bound of its type. The recording has no errors of pairs.
	bound, ok := bounds[strings.TrimSuffix(opcode, "x2")]
	if !ok && !strings.HasSuffix(opcode, "f64") { // the manual gives no numbers for f64
		t.Errorf("%s: the manual's bound is missing", want.Name)
	}
	for who, e := range map[string]Errors{"the device": want.Errors, "the simulator": got.Errors} {
		if bound.Ulps > 0 && e.Ulps > bound.Ulps || bound.Absolute > 0 && e.Absolute > bound.Absolute {
			t.Errorf("%s: %s is off by %.3g ulps, absolute %.3g; the manual allows %+v", want.Name, who, e.Ulps, e.Absolute, bound)
		}
	}
	t.Logf("%s: device %.3g ulps, absolute %.3g; simulator %.3g, %.3g", opcode, want.Errors.Ulps, want.Errors.Absolute, got.Errors.Ulps, got.Errors.Absolute)
}
