//go:build !wasm

package datafile

import (
	"bytes"
	"strings"
	"testing"
)

// TestONNXBeside: tensors may lie in files of the model's own folder, at any place of them.
func TestONNXBeside(t *testing.T) {
	files := map[string][]byte{"d/w.data": ramp(100)}
	model := func(pairs ...string) []byte {
		fields := []any{onnxLocation, 1}
		for i := 0; i < len(pairs); i += 2 {
			fields = append(fields, onnxExternal, message(1, pairs[i], 2, pairs[i+1]))
		}
		return message(onnxGraph, message(
			onnxInitializer, onnxTensorOf("w", 1, []byte{5}, fields...),
			onnxInitializer, onnxTensorOf("v", 2, []byte{4}, onnxExternal, message(1, "location", 2, "d/w.data"),
				onnxLocation, 1)))
	}
	for _, c := range []struct {
		pairs []string
		want  string // "" is no fault
	}{
		{[]string{"location", "./d/w.data", "offset", "80", "length", "20", "checksum", "0"}, ""},
		{[]string{"location", "d/w.data", "offset", "80"}, ""},
		{[]string{"location", "d/w.data", "offset", "81"}, "needs 20 bytes at byte 81"},
		{[]string{"location", "d/w.data", "offset", "9223372036854775807"}, "needs 20 bytes"},
		{[]string{"location", "d/w.data", "length", "21"}, "needs 20 bytes"},
		{[]string{"location", "d/w.data", "offset", "-1"}, "no number of bytes"},
		{[]string{"location", "../w.data"}, `"../w.data", which is not there`},
		{[]string{"location", "/w.data"}, `"/w.data", which is not there`},
		{[]string{"location", `d\w.data`}, "which is not there"},
		{nil, "which is not there"},
	} {
		data := model(c.pairs...)
		f, err := Open(bytes.NewReader(data), int64(len(data)), Options{Name: "a.onnx", Beside: folder(files)})
		if err == nil && c.want == "" {
			got := arraysIn(t, f)
			if got["w"] != "f32 5 "+string(ramp(100)[80:]) || got["v"] != "u8 4 "+string(ramp(4)) {
				t.Errorf("%v: %q", c.pairs, got)
			}
		} else if err == nil || c.want == "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.pairs, err, c.want)
		}
	}
}
