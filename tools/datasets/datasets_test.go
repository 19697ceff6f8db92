package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/burstscope/burstscope/core/codec/datafile"
)

// TestBF16 rounds to the nearest, ties to even.
func TestBF16(t *testing.T) {
	for _, c := range []struct {
		of   float32
		want uint16
	}{{float32(math.Inf(-1)), 0xff80}, {math.Float32frombits(0x7fffffff), 0x7fff},
		{math.Float32frombits(0xff800001), 0xffc0}, {math.MaxFloat32, 0x7f80},
		{1, 0x3f80}, {1 + 1.0/256, 0x3f80}, {1 + 3.0/256, 0x3f82}, {1 + 1.01/256, 0x3f81}, {-2, 0xc000}, {0, 0}} {
		if got := bf16(math.Float32bits(c.of)); got != c.want {
			t.Errorf("%v: %#x, want %#x", c.of, got, c.want)
		}
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRead: arrays come from a manifest, from raw bytes and from files that datafile reads, whole or in part.
func TestRead(t *testing.T) {
	folder := t.TempDir()
	var floats []byte
	for _, v := range []float32{1, 2, 3, 4} {
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(v))
	}
	write(t, filepath.Join(folder, "m.json"), []byte(`{"weightsManifest": [{"paths": ["a.bin", "b.bin"], "weights": [
		{"name": "x/first", "shape": [3], "dtype": "float32", "quantization": {"dtype": "uint8"}},
		{"name": "x/second", "shape": [2, 1], "dtype": "float32", "quantization": {"dtype": "float16"}}]}]}`))
	manifest := `{"weightsManifest": [{"paths": ["a.bin", "b.bin"], "weights": [
		{"name": %q, "shape": %s, "dtype": "float32"}]}]}`
	write(t, filepath.Join(folder, "n.json"), fmt.Appendf(nil, manifest, "negative", "[-1, -1]"))
	write(t, filepath.Join(folder, "o.json"), fmt.Appendf(nil, manifest, "large", "[4611686018427387904, 4, 1]"))
	write(t, filepath.Join(folder, "p.json"), []byte(`{"weightsManifest": [{"paths": ["../a.bin"]}]}`))
	const nibbles = `{"q":{"dtype":"F4","shape":[4],"data_offsets":[0,2]}}`
	write(t, filepath.Join(folder, "q.safetensors"),
		append(binary.LittleEndian.AppendUint64(nil, uint64(len(nibbles))), nibbles+"ab"...))
	write(t, filepath.Join(folder, "a.bin"), []byte{1, 2, 3, 4})
	write(t, filepath.Join(folder, "b.bin"), []byte{5, 6, 7})
	write(t, filepath.Join(folder, "raw"), append([]byte("head"), floats...))
	whole := array{name: "w", of: datafile.F32, shape: []int64{2, 2}, data: floats}
	write(t, filepath.Join(folder, "f.safetensors"), whole.file())
	for _, c := range []struct {
		row   tensor
		of    datafile.Type
		shape []int64
		data  string
	}{
		{tensor{File: "m.json", Array: "first"}, datafile.U8, []int64{3}, "\x01\x02\x03"},
		{tensor{File: "m.json", Array: "x/second"}, datafile.F16, []int64{2, 1}, "\x04\x05\x06\x07"},
		{tensor{File: "raw", Type: "f32", First: 8, Bytes: 8}, datafile.F32, []int64{2}, string(floats[4:12])},
		{tensor{File: "f.safetensors", Array: "w"}, datafile.F32, []int64{2, 2}, string(floats)},
		{tensor{File: "f.safetensors", Array: "w", First: 4, Bytes: 100}, datafile.F32, []int64{3}, string(floats[4:])},
		{tensor{File: "f.safetensors", Array: "w", As: "bf16"}, datafile.BF16, []int64{2, 2},
			"\x80\x3f\x00\x40\x40\x40\x80\x40"},
		{tensor{File: "m.json", Array: "first", As: "f32"}, datafile.F32, []int64{3}, string(floats[:12])},
	} {
		a, err := c.row.read(folder)
		if err != nil || a.of != c.of || !slices.Equal(a.shape, c.shape) || string(a.data) != c.data {
			t.Errorf("%+v: %s%v %q: %v", c.row, a.of, a.shape, a.data, err)
		}
	}
	for _, c := range []struct {
		row  tensor
		want string
	}{
		{tensor{File: "m.json", Array: "third"}, "no weights"}, {tensor{File: "none"}, "none"},
		{tensor{File: "raw", Type: "f33"}, "f33"},
		{tensor{File: "m.json", Array: "first", As: "bf16"}, "does not become"},
		{tensor{File: "raw", Type: "f32", First: 8, Bytes: 16}, "not whole elements"},
		{tensor{File: "raw", Type: "f32", First: 8, Bytes: 7}, "not whole elements"},
		{tensor{File: "raw", Type: "f32", First: 8, Bytes: 1 << 60}, "not whole elements"},
		{tensor{File: "raw", Type: "f32"}, "not whole elements"},
		{tensor{File: "f.safetensors", Array: "w", First: 16, Bytes: 4}, "not whole elements"},
		{tensor{File: "f.safetensors", Array: "w", First: 2, Bytes: 4}, "not whole elements"},
		{tensor{File: "n.json", Array: "negative"}, "need more than the 7 bytes"},
		{tensor{File: "o.json", Array: "large"}, "need more than the 7 bytes"},
		{tensor{File: "p.json", Array: "x"}, "outside the folder"},
		{tensor{File: "q.safetensors", Array: "q"}, "which nothing here takes apart"},
	} {
		if _, err := c.row.read(folder); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.row, err)
		}
	}
}

// FuzzManifest: whatever a manifest says, an array has the bytes of its shape.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"weightsManifest": [{"paths": ["a"], "weights": [{"name": "n", "shape": [3, 2], "dtype": "uint8"},
		{"name": "w", "shape": [2], "dtype": "float32", "quantization": {"dtype": "uint16"}}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		a, err := manifestArray(text, "w", func(string) ([]byte, error) { return make([]byte, 100), nil })
		if n, ok := bytesOf(a.of, a.shape, 1<<40); err == nil && (!ok || n != int64(len(a.data))) {
			t.Errorf("%s%v has %d bytes", a.of, a.shape, len(a.data))
		}
	})
}

// TestUnpack takes files out of a package, and none that would lie outside.
func TestUnpack(t *testing.T) {
	pack := func(name string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		w := tar.NewWriter(z)
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Size: 2, Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte("ab"))
		w.Close()
		z.Close()
		path := filepath.Join(t.TempDir(), "p.tgz")
		write(t, path, b.Bytes())
		return path
	}
	to := t.TempDir()
	if err := unpack(pack("package/x/y.bin"), to); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(filepath.Join(to, "x", "y.bin")); err != nil || string(b) != "ab" {
		t.Errorf("%q: %v", b, err)
	}
	if err := unpack(pack("package/../../y.bin"), to); err == nil {
		t.Error("a file outside the folder was unpacked")
	}
	if err := checked(pack("package/z"), strings.Repeat("0", 64)); err == nil {
		t.Error("a file with another hash was taken")
	}
}

func TestWrongLists(t *testing.T) {
	packages := "id,registry,package,version,sha256,licence,text,credit\na,npm,p,1,0,MIT,,c\n"
	head := "id,title,kind,package,file,array,type,first,bytes,as,beside,run,sha256\n"
	for _, c := range []struct{ rows, want string }{
		{"t,,,b,,,,0,0,,,,\n", `package "b" is not in`}, {"t,,,a,,,,x,0,,,,\n", "no number of bytes"},
		{"t,,,a,,,,0,0,,,a:x,12\n", "a hash of 2 digits"}, {"t,,,a,,,,0,0,,,y,12\n", `a run on "y"`},
		{"t,,a\n", "wrong number of fields"},
	} {
		both := fstest.MapFS{packagesCSV: {Data: []byte(packages)}, tensorsCSV: {Data: []byte(head + c.rows)}}
		_, _, err := lists(both)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v", c.want, err)
		}
	}
}
