package datafile

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// field appends a field of Protocol Buffers: a number, text or bytes.
func field(b []byte, number int, value any) []byte {
	switch v := value.(type) {
	case int:
		b = binary.AppendUvarint(b, uint64(number<<3|wireVarint))
		return binary.AppendUvarint(b, uint64(v))
	case float32:
		b = binary.AppendUvarint(b, uint64(number<<3|wire32))
		return binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	case string:
		return field(b, number, []byte(v))
	case []byte:
		b = binary.AppendUvarint(b, uint64(number<<3|wireBytes))
		return append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	panic(value)
}

// message makes a message of pairs of a field's number and its value.
func message(pairs ...any) (b []byte) {
	for i := 0; i < len(pairs); i += 2 {
		b = field(b, pairs[i].(int), pairs[i+1])
	}
	return b
}

// onnxTensorOf is a TensorProto with one more pair for its numbers.
func onnxTensorOf(name string, kind int, dims []byte, pairs ...any) []byte {
	return message(append([]any{onnxDims, dims, onnxType, kind, onnxTensorName, name}, pairs...)...)
}

// onnxFile is a model with all ways in which a tensor can be there.
func onnxFile() []byte {
	floats := []byte(float(1) + float(2))
	nine := binary.LittleEndian.AppendUint64(nil, math.Float64bits(9))
	inner := message(onnxInitializer, onnxTensorOf("inner", 11, []byte{1}, onnxDoubles, nine))
	branch := message(1, "then", onnxSubgraph, inner)
	constant := message(1, "value", onnxTensor, message(onnxType, 7, onnxLongs, []byte{5}))
	graph := message(
		onnxNode, message(onnxName, "If_1", onnxAttribute, branch),
		onnxNode, message(onnxName, "Constant_2", onnxAttribute, constant),
		2, "graph",
		onnxInitializer, onnxTensorOf("raw", 10, []byte{2, 2}, onnxRaw, []byte{1, 2, 3, 4, 5, 6, 7, 8}),
		onnxInitializer, onnxTensorOf("floats", 1, []byte{2}, onnxFloats, floats),
		onnxInitializer, onnxTensorOf("one by one", 1, []byte{2}, onnxFloats, float32(1), onnxFloats, float32(2)),
		onnxInitializer, onnxTensorOf("ints", 3, []byte{3}, onnxInts, binary.AppendUvarint([]byte{1, 2}, 1<<64-1)),
		onnxInitializer, onnxTensorOf("words", 8, []byte{1}, 6, "text"),
		onnxInitializer, onnxTensorOf("nibbles", 22, []byte{3}, onnxRaw, []byte{0x21, 3}),
		onnxInitializer, onnxTensorOf("empty", 1, []byte{0}),
		onnxInitializer, onnxTensorOf("halves", 10, []byte{2}, onnxInts, []byte{0x80, 0x78, 0x80, 0x80, 3}),
		onnxInitializer, onnxTensorOf("upper halves", 16, []byte{1}, onnxInts, binary.AppendUvarint(nil, 0x3f80)),
		onnxInitializer, onnxTensorOf("packed nibbles", 21, []byte{3}, onnxInts, []byte{0x21, 3}),
		onnxInitializer, onnxTensorOf("pairs", 25, []byte{5}, onnxRaw, []byte{0x1b, 2}),
		onnxInitializer, onnxTensorOf("apart", 6, []byte{3}, onnxInts, 7, onnxInts, []byte{8, 9}),
		onnxSparse, message(onnxValues, onnxTensorOf("sparse", 2, []byte{2}, onnxRaw, []byte{6, 7}),
			2, onnxTensorOf("places", 7, []byte{2}, onnxLongs, []byte{1, 2}), 3, 100),
	)
	return message(1, 8, 2, "by hand", onnxGraph, graph)
}

// arraysIn returns type, shape and bytes of every array of a file by its name.
func arraysIn(t *testing.T, f *File) map[string]string {
	t.Helper()
	found := map[string]string{}
	for _, a := range f.Arrays {
		r, err := a.Stream()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		found[a.Name] = a.Type.String() + " " + shapeOf(a.Shape) + " " + string(data)
	}
	return found
}

// shapeOf writes sizes of one digit.
func shapeOf(shape []int64) string {
	var b []byte
	for i, n := range shape {
		if i > 0 {
			b = append(b, 'x')
		}
		b = append(b, byte('0'+n))
	}
	return string(b)
}

func float(x float32) string {
	return string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
}

func TestONNX(t *testing.T) {
	data := onnxFile()
	f, err := Open(bytes.NewReader(data), int64(len(data)), Options{Name: "a.onnx"})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"inner":      "f64 1 " + string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(9))),
		"Constant_2": "i64  \x05\x00\x00\x00\x00\x00\x00\x00",
		"raw":        "f16 2x2 \x01\x02\x03\x04\x05\x06\x07\x08",
		"floats":     "f32 2 " + float(1) + float(2),
		"one by one": "f32 2 " + float(1) + float(2),
		"ints":       "i8 3 \x01\x02\xff",
		"nibbles":    "u8 3 \x21\x03",

		"halves": "f16 2 \x00\x3c\x00\xc0", "upper halves": "bf16 1 \x80\x3f", "packed nibbles": "u8 3 \x21\x03",
		"pairs": "u8 5 \x1b\x02", "sparse": "u8 2 \x06\x07",
		"apart": "i32 3 \x07\x00\x00\x00\x08\x00\x00\x00\x09\x00\x00\x00",
	}
	got := arraysIn(t, f)
	for name, w := range want {
		if got[name] != w {
			t.Errorf("%s: %q, want %q", name, got[name], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d arrays, want %d", len(got), len(want))
	}
	if len(f.Notes) != 1 || !strings.Contains(f.Notes[0], "INT4") {
		t.Errorf("notes: %q", f.Notes)
	}
}

func TestWrongONNX(t *testing.T) {
	in := func(kind int, dims []byte, pairs ...any) []byte {
		return message(onnxGraph, message(onnxInitializer, onnxTensorOf("w", kind, dims, pairs...)))
	}
	deep := message(onnxInitializer, onnxTensorOf("w", 1, []byte{1}, onnxRaw, ramp(4)))
	for range 40 {
		deep = message(onnxNode, message(onnxAttribute, message(onnxSubgraph, deep)))
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{in(1, []byte{2}, onnxRaw, ramp(4)), `tensor "w" has 4 bytes, but its shape needs 8`},
		{in(1, []byte{2}), `tensor "w" has 0 bytes, but its shape needs 8`},
		{in(1, []byte{2}, onnxFloats, ramp(12)), `has 12 bytes, but its shape needs 8`},
		{in(2, []byte{2}, onnxInts, []byte{1, 2, 3}), `has 3 bytes, but its shape needs 2`},
		{in(1, []byte{2}, onnxFloats, ramp(4), onnxFloats, ramp(4)), "in several pieces"},
		{in(1, []byte{1}, onnxFloats, ramp(4), onnxDoubles, ramp(8)), "numbers in two fields"},
		{in(1, []byte{1}, onnxExternal, message(1, "location", 2, "x"), onnxLocation, 1), "or save the model in one file"},
		{in(1, []byte{1}, onnxRaw, ramp(4), onnxFloats, ramp(4)), "numbers in two fields"},
		{in(1, []byte{1}, onnxInts, []byte{1}), "in a field of another type"},
		{in(7, []byte{1}, onnxInts, []byte{1}), "in a field of another type"},
		{in(10, []byte{1}, onnxFloats, ramp(4)), "in a field of another type"},
		{in(1, []byte{1}, onnxSegment, message(1, 0, 2, 1), onnxRaw, ramp(4)), "is a segment of a larger one"},
		{in(6, []byte{2}, onnxInts, bytes.Repeat([]byte{0xff}, 11)), "no number of Protocol Buffers"},
		{in(99, []byte{1}, onnxRaw, ramp(4)), "type 99"},
		{in(1, bytes.Repeat([]byte{1}, 70), onnxRaw, ramp(4)), "more than 64 dimensions"},
		{in(1, bytes.Repeat([]byte{0xff, 0xff, 0xff, 0x7f}, 4), onnxRaw, ramp(4)), "no memory holds"},
		{message(onnxGraph, deep), "more than 32 deep"},
		{message(1, 8), "no elements"},
		{[]byte{0x3a, 100, 1}, "a field of 100 bytes where 1 are left"},
		{[]byte{0x3b, 1}, "a field of the kind 3"},
		{[]byte{0x00, 1}, "field 0"},
		{bytes.Repeat([]byte{0xff}, 20), "no number of Protocol Buffers"},
	} {
		_, err := Open(bytes.NewReader(c.data), int64(len(c.data)), Options{Name: "a.onnx"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
	data := onnxFile()
	for n := 1; n < len(data); n++ {
		if f, err := Open(bytes.NewReader(data[:n]), int64(n), Options{Name: "a.onnx"}); err == nil {
			t.Fatalf("cut to %d of %d bytes: %d arrays", n, len(data), len(f.Arrays))
		}
	}
}

// TestONNXFunction: functions of a model have constants too.
func TestONNXFunction(t *testing.T) {
	data := message(onnxFunction, message(1, "f", onnxFunctionNode, message(onnxName, "Constant_9", onnxAttribute,
		message(1, "value", onnxTensor, message(onnxType, 2, onnxRaw, []byte{4})))))
	f, err := Open(bytes.NewReader(data), int64(len(data)), Options{Name: "a.onnx"})
	if err != nil {
		t.Fatal(err)
	}
	if got := arraysIn(t, f); got["Constant_9"] != "u8  \x04" {
		t.Errorf("%q", got)
	}
}

// table is a table of FlatBuffers: its fields are other parts, or numbers of some bytes.
type table []any

// flatFile lays tables, lists and texts out one after the other.
func flatFile(root table) []byte {
	b := append(make([]byte, 4), "TFL3"...)
	place(&b, root, 0)
	return b
}

// place appends a part, and stores at a place how far away it is.
func place(b *[]byte, part any, from int) {
	for len(*b)%8 != 0 {
		*b = append(*b, 0)
	}
	at := len(*b)
	switch p := part.(type) {
	case table:
		vtable := 4 + 2*len(p)
		*b = binary.LittleEndian.AppendUint16(*b, uint16(vtable))
		*b = binary.LittleEndian.AppendUint16(*b, uint16(4+8*len(p)))
		for i, f := range p {
			offset := uint16(0)
			if f != nil {
				offset = uint16(4 + 8*i)
			}
			*b = binary.LittleEndian.AppendUint16(*b, offset)
		}
		at = len(*b)
		*b = binary.LittleEndian.AppendUint32(*b, uint32(vtable))
		*b = append(*b, make([]byte, 8*len(p))...)
		for i, f := range p {
			if n, isNumber := f.(int); isNumber {
				binary.LittleEndian.PutUint64((*b)[at+4+8*i:], uint64(n))
			} else if f != nil {
				place(b, f, at+4+8*i)
			}
		}
	case []table:
		*b = binary.LittleEndian.AppendUint32(*b, uint32(len(p)))
		*b = append(*b, make([]byte, 4*len(p))...)
		for i := range p {
			place(b, p[i], at+4+4*i)
		}
	case []int32:
		*b = binary.LittleEndian.AppendUint32(*b, uint32(len(p)))
		for _, n := range p {
			*b = binary.LittleEndian.AppendUint32(*b, uint32(n))
		}
	case string:
		*b = append(binary.LittleEndian.AppendUint32(*b, uint32(len(p))), p...)
	}
	binary.LittleEndian.PutUint32((*b)[from:], uint32(at-from))
}

func tfliteOf(buffers []table, tensors ...table) table {
	return table{3, nil, []table{{tensors}}, "by hand", buffers}
}

func tfliteFile() []byte {
	return flatFile(tfliteOf([]table{{}, {"\x01\x02\x03\x04"}, {"\x05\x06\x07"}, {"\x08\x09\x0a\x0b"},
		{"\x1b\x02"}, {nil, 4, 2}},
		table{[]int32{2, 3}, 0, 0, "no data"}, table{[]int32{2}, 1, 1, "halves"}, table{[]int32{3}, 9, 2, "bytes"},
		table{[]int32{8, 8}, 1, 3, "sparse", nil, nil, table{}}, table{[]int32{2}, 1, 1, "the same"},
		table{[]int32{4}, 5, 3, "words"}, table{[]int32{5}, 19, 4, "pairs"}, table{[]int32{2}, 22, 5, "behind"}))
}

func TestTFLite(t *testing.T) {
	data := tfliteFile()
	f, err := Open(bytes.NewReader(data), int64(len(data)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := arraysIn(t, f)
	for name, want := range map[string]string{
		"halves": "f16 2 \x01\x02\x03\x04", "bytes": "i8 3 \x05\x06\x07", "sparse": "f16 2 \x08\x09\x0a\x0b",
		"pairs": "u8 5 \x1b\x02", "behind": "f8 2 TF",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	if len(got) != 5 || f.Format != TFLite {
		t.Errorf("%d arrays of a file of format %s", len(got), f.Format)
	}
}

func TestWrongTFLite(t *testing.T) {
	one := func(tensor table) []byte { return flatFile(tfliteOf([]table{{}, {"\x01\x02\x03\x04"}}, tensor)) }
	many := make([]table, 100)
	for i := range many {
		many[i] = table{[]int32{1}, 1, 0, "w"}
	}
	for _, c := range []struct {
		data []byte
		want string
	}{
		{one(table{[]int32{3}, 1, 1, "w"}), `tensor "w" has 4 bytes`},
		{one(table{[]int32{-2}, 1, 1, "w"}), `tensor "w" has 4 bytes`},
		{one(table{[]int32{2}, 77, 1, "w"}), "type 77"},
		{one(table{[]int32{2}, 1, 5, "w"}), "buffer 5 of 2"},
		{one(table{slices.Repeat([]int32{1}, 70), 1, 1, "w"}), "70 dimensions"},
		{one(table{[]int32{1}, 1, 0, "w"}), "no elements"},
		{flatFile(tfliteOf([]table{{nil, 64, 1 << 40}}, table{[]int32{1}, 9, 0, "w"})), "a buffer of 1099511627776 bytes"},
		{flatFile(tfliteOf([]table{{nil, 1 << 40, 1}}, table{[]int32{1}, 9, 0, "w"})), "at byte 1099511627776"},
		{append([]byte{0xff, 0xff, 0, 0}, "TFL3"...), "outside the file"},
	} {
		_, err := Open(bytes.NewReader(c.data), int64(len(c.data)), Options{Format: TFLite})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
	data := tfliteFile()
	for n := 8; n < len(data); n++ {
		// Cut where nothing is read any more, the file may be whole; it never panics.
		_, _ = Open(bytes.NewReader(data[:n]), int64(n), Options{Format: TFLite})
	}
}

// TestTFLiteNamesAreBounded: names that many tensors share cannot fill memory.
func TestTFLiteNamesAreBounded(t *testing.T) {
	f := &flatbuffer{size: 100}
	if n := f.spend(0, 60); n != 60 || f.err != nil {
		t.Errorf("%d bytes: %v", n, f.err)
	}
	if n := f.spend(0, 60); n != 0 || f.err == nil {
		t.Errorf("%d bytes more than the file has", n)
	}
}

func FuzzONNX(f *testing.F)   { fuzzFile(f, ONNX, onnxFile()) }
func FuzzTFLite(f *testing.F) { fuzzFile(f, TFLite, tfliteFile()) }
