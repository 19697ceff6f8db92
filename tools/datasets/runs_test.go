package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/burstscope/burstscope/assets/data"
	"github.com/burstscope/burstscope/core/workload"
)

// floatsOf are the numbers of a committed array.
func floatsOf(t *testing.T, id string) []float32 {
	t.Helper()
	a := opened(t, id)
	var v []float32
	for _, x := range valuesOf(elementOf(t, a.Type), contentsOf(t, a)) {
		v = append(v, float32(x))
	}
	return v
}

// TestRunsAreMadeAgain makes a part of the keys, values, scores and shares of an attention layer from its weights and
// activations by the kernels that made them: every bit is the same. A plain product in f64 is near them.
func TestRunsAreMadeAgain(t *testing.T) {
	const width, head, tokens, some = 120, 15, 112, 64
	sim, err := newSimulator()
	if err != nil {
		t.Fatal(err)
	}
	x, w := floatsOf(t, "ocr-norm")[:some*width], floatsOf(t, "ocr-attention")
	offset := floatsOf(t, "ocr-attention-offset")
	turned := transposed(&numbers{[]int{width, 3 * width}, w}, []int{1, 0}).v
	made, err := sim.product(x, turned, width)
	if err != nil {
		t.Fatal(err)
	}
	for part, id := range []string{"ocr-key", "ocr-value"} {
		stored := contentsOf(t, opened(t, id))
		for i := range some * width {
			token, column := i/width, i%width
			from := (part+1)*width + column
			sum, size := float64(offset[from]), 0.0
			for k := range width {
				p := float64(x[token*width+k]) * float64(w[k*3*width+from])
				sum, size = sum+p, size+math.Abs(p)
			}
			at := (column/head*tokens+token)*head + column%head
			want := halves([]float32{made[token*3*width+from] + offset[from]}, 1, 1, 1)
			if got := stored[2*at:][:2]; !bytes.Equal(got, want) {
				t.Fatalf("%s: token %d, column %d is %x; now it is %x", id, token, column, got, want)
			}
			// Weights and the result are rounded to 11 bits.
			got := valuesOf(workload.ElementF16, want)[0]
			if math.Abs(got-sum) > (size+math.Abs(sum)+1)/1024 {
				t.Fatalf("%s: token %d, column %d is %v; in f64 it is %v", id, token, column, got, sum)
			}
		}
	}
	q, k := floatsOf(t, "ocr-query")[:tokens*head], floatsOf(t, "ocr-key")[:tokens*head]
	scores, err := sim.product(q, k, head)
	if err != nil {
		t.Fatal(err)
	}
	shares, err := sim.softmax(scores, tokens)
	if err != nil {
		t.Fatal(err)
	}
	for id, v := range map[string][]float32{"ocr-scores": scores, "ocr-shares": shares} {
		if !slices.Equal(v, floatsOf(t, id)[:tokens*tokens]) {
			t.Errorf("%s: the first head is not the same", id)
		}
	}
}

// TestRunsHaveTheirHashes: an array of a run is the one of the list.
func TestRunsHaveTheirHashes(t *testing.T) {
	_, tensors, err := lists(data.Lists)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range tensors {
		if x := &tensors[i]; x.Run != "" {
			n++
			if got := fmt.Sprintf("%x", sha256.Sum256(contentsOf(t, opened(t, x.ID)))); got != x.SHA256 {
				t.Errorf("%s has the hash %s", x.ID, got)
			}
		}
	}
	if n < 10 {
		t.Errorf("%d arrays of runs", n)
	}
}

// onnxConstant is a node that is a tensor of f32.
func onnxConstant(name string, shape []int, v ...float32) []byte {
	var tensor []byte
	for _, d := range shape {
		tensor = binary.AppendUvarint(append(tensor, 1<<3), uint64(d))
	}
	tensor = append(tensor, 2<<3, 1)
	var raw []byte
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	tensor = text(tensor, 9, string(raw))
	return text(text(text(nil, 2, name), 4, "Constant"), 5, string(text(text(nil, 1, "value"), 5, string(tensor))))
}

// text appends a field of bytes.
func text(b []byte, field int, s string) []byte {
	b = binary.AppendUvarint(b, uint64(field<<3|2))
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// TestGraph runs a small model: a convolution of 1 x 1 in the simulator, one of 1 x 3 on the host, and what follows.
func TestGraph(t *testing.T) {
	ints := func(name string, v ...int) string {
		b := text(nil, 1, name)
		for _, x := range v {
			b = binary.AppendUvarint(append(b, 8<<3), uint64(x))
		}
		return string(b)
	}
	conv := func(in, w, out string, size, group, pad int) []byte {
		b := text(text(text(text(nil, 1, in), 1, w), 2, out), 4, "Conv")
		for _, a := range []string{
			ints("kernel_shape", 1, size), ints("strides", 1, 1), ints("pads", 0, pad, 0, pad), ints("group", group),
		} {
			b = text(b, 5, a)
		}
		return b
	}
	op := func(name, out string, ins ...string) []byte {
		var b []byte
		for _, in := range ins {
			b = text(b, 1, in)
		}
		return text(text(b, 2, out), 4, name)
	}
	var g []byte
	for _, n := range [][]byte{
		onnxConstant("w", []int{1, 2, 1, 1}, 1, -2), conv("x", "w", "mixed", 1, 1, 0),
		onnxConstant("blur", []int{1, 1, 1, 3}, 0.25, 0.5, 0.25), conv("mixed", "blur", "soft", 3, 1, 1),
		op("Relu", "kept", "soft"), op("Add", "y", "kept", "soft"),
	} {
		g = text(g, 1, string(n))
	}
	g = text(text(g, 11, string(text(nil, 1, "x"))), 12, string(text(nil, 1, "y")))
	path := filepath.Join(t.TempDir(), "m.onnx")
	write(t, path, text(nil, 7, string(g)))
	model, err := openGraph(path)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := newSimulator()
	if err != nil {
		t.Fatal(err)
	}
	f := &inference{sim: sim}
	if err := f.run(model, &numbers{[]int{1, 2, 1, 4}, []float32{1, 2, 3, 4, 0, 0, 4, 0}}); err != nil {
		t.Fatal(err)
	}
	// 1 2 -5 4 is mixed; soft has 1, 0, -1 and 0.75.
	got := f.values["y"]
	if !slices.Equal(got.v, []float32{2, 0, -1, 1.5}) || !slices.Equal(got.shape, []int{1, 1, 1, 4}) {
		t.Errorf("%v of shape %v", got.v, got.shape)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(b); n++ {
		write(t, path, b[:n])
		if _, err := openGraph(path); !errors.Is(err, errGraph) {
			t.Fatalf("cut to %d of %d bytes: %v", n, len(b), err)
		}
	}
	if _, err := openGraph(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
