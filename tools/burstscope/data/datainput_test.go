package data

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
)

// npyOf is an array as NumPy writes it. order is True for Fortran's.
func npyOf(descr, order, shape string, data []byte) []byte {
	header := fmt.Sprintf("{'descr': %s, 'fortran_order': %s, 'shape': %s, }", descr, order, shape)
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	return append(append(b, header...), data...)
}

func npzOf(t *testing.T, arrays map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range arrays {
		w, err := z.Create(name + ".npy")
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// copyPTX copies eight words, and texelPTX one texel of a texture.
const (
	copyPTX = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a,.param .u64 o){ .reg .b64 %rd<9>; .reg .b32 %r<9>;
ld.param.u64 %rd1,[a]; ld.param.u64 %rd2,[o]; mov.u32 %r1,%tid.x; mul.wide.u32 %rd3,%r1,4; add.u64 %rd1,%rd1,%rd3; add.u64 %rd2,%rd2,%rd3; ld.global.u32 %r2,[%rd1]; st.global.u32 [%rd2],%r2; ret; }`
	texelPTX = `.version 8.0
.target sm_80
.address_size 64
.global .texref t;
.visible .entry k(.param .u64 o){ .reg .b64 %rd<3>; .reg .b32 %r<9>; ld.param.u64 %rd1,[o]; mov.u32 %r1,1; mov.u32 %r2,1; tex.2d.v4.u32.s32 {%r3,%r4,%r5,%r6},[t,{%r1,%r2}]; st.global.u32 [%rd1],%r3; ret; }`
)

// TestExecPassesElements: a buffer or a texture holds the elements of a file, never its
// header, and a file that cannot give them is refused by name.
func TestExecPassesElements(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := make([]byte, 256)
	for i := range data {
		data[i] = byte(i)
	}
	swapped := bytes.Clone(data)
	for i := 0; i < len(swapped); i += 4 {
		swapped[i], swapped[i+1], swapped[i+2], swapped[i+3] = data[i+3], data[i+2], data[i+1], data[i]
	}
	npy := npyOf("'<f4'", "False", "(8, 8)", data)
	two := npzOf(t, map[string][]byte{"a": npy, "b": npyOf("'<f4'", "False", "(8, 8)", swapped)})
	tensors := append(binary.LittleEndian.AppendUint64(nil, 57), `{"a":{"dtype":"F4","shape":[512],"data_offsets":[0,256]}}`...)
	pgm := append([]byte("P5\n# c\n16 16\n255\n"), data...)
	out := filepath.Join(dir, "out.bin")
	program := write("k.ptx", []byte(copyPTX))
	for _, c := range []struct {
		name  string
		file  []byte
		array string
		want  []byte // the first bytes of the buffer
		err   string
	}{
		{"c.npy", npy, "", data, ""},
		{"big.npy", npyOf("'>f4'", "False", "(64,)", data), "", swapped, ""},
		{"fortran-line.npy", npyOf("'<f4'", "True", "(1, 64)", data), "", data, ""},
		{"bool.npy", npyOf("'|b1'", "False", "(256,)", data), "", data, ""},
		{"complex.npy", npyOf("'<c8'", "False", "(32,)", data), "", data, ""},
		{"one.npz", npzOf(t, map[string][]byte{"a": npy}), "", data, ""},
		{"folder.npz", npzOf(t, map[string][]byte{"layers/a": npy}), "", data, ""},
		{"half.npy", npyOf("'<f2'", "False", "(2, 64)", data), "", data, ""},
		{"none.npy", npyOf("'<u4'", "False", "(0,)", nil), "", nil, "holds no elements"},
		{"rest.npy", npyOf("'<u4'", "False", "(60,)", data), "", nil, "16 bytes follow the 240 that the header announces"},
		{"times.npy", npyOf("'<m8[ns]'", "False", "(32,)", data), "", nil, "are not numbers this program reads"},
		{"two.npz", two, "#b", swapped, ""},
		{"a.safetensors", append(tensors, data...), "", data, ""},
		{"a.pgm", pgm, "", data, ""},
		{"a.bin", data, "", data, ""}, {"noending", data, "", data, ""}, {"a#b.bin", data, "", data, ""},
		{"fortran.npy", npyOf("'<f4'", "True", "(8, 8)", data), "", nil, "fortran.npy: the array is in Fortran's order, column by column: save numpy.ascontiguousarray of it"},
		{"fields.npy", npyOf("[('x', '<f4')]", "False", "(64,)", data), "", nil, "elements with fields: save each field on its own"},
		{"objects.npy", npyOf("'|O'", "False", "(8,)", data), "", nil, "are not numbers this program reads"},
		{"two.npz", two, "", nil, "two.npz#NAME"},
		{"two.npz", two, "#", nil, "name an array of it"}, {"two.npz", two, "#c", nil, `no array "c"`},
		{"cut.npy", npy[:100], "", nil, "the array is cut off"}, {"html.npy", []byte("<!DOCTYPE html>"), "", nil, "this is a web page"},
		{"lfs.bin", []byte("version https://git-lfs.github.com/spec/v1\n"), "", nil, "run git lfs pull"},
		{"a.pt", data, "", nil, "PyTorch checkpoint"}, {"a.npy.gz", append([]byte("\x1f\x8b\x08\x00"), data...), "", nil, "--as raw takes its bytes as they are"},
		{"empty.npy", nil, "", nil, "empty file"},
	} {
		path := write(c.name, c.file)
		status, _, errs := call("exec", program, "--entry", "k", "--block", "8", "--functional", "--arg", "in:"+path+c.array, "out:"+out+":32")
		got, _ := os.ReadFile(out)
		os.Remove(out)
		if c.want != nil && (status != 0 || !bytes.Equal(got, c.want[:32])) {
			t.Errorf("%s%s: status %d, % x, want % x: %s", c.name, c.array, status, got, c.want[:32], errs)
		}
		if c.want == nil && (status != 1 || !strings.Contains(errs, c.err) || got != nil) {
			t.Errorf("%s%s: status %d, %q does not say %q", c.name, c.array, status, errs, c.err)
		}
	}
	// Bytes as they are, for those who ask.
	mustCall(t, "exec", program, "--entry", "k", "--block", "8", "--functional", "--as", "raw", "--arg", "in:"+filepath.Join(dir, "c.npy"), "out:"+out+":32")
	if got, _ := os.ReadFile(out); !bytes.Equal(got, npy[:32]) {
		t.Errorf("--as raw passes % x", got)
	}
	// Nobody could open an output under such a name.
	if status, _, errs := call("exec", program, "--entry", "k", "--block", "8", "--functional", "--arg", "in:"+filepath.Join(dir, "c.npy"), "out:o.npy:32"); status != 1 || !strings.Contains(errs, "use a name such as out.bin") {
		t.Errorf("out:o.npy: status %d, %q", status, errs)
	}
	checkTexels(t, write("t.ptx", []byte(texelPTX)), filepath.Join(dir, "a.pgm"), out)
}

// checkTexels runs a program that reads a texel of a picture of u8.
func checkTexels(t *testing.T, program, picture, out string) {
	t.Helper()
	for format, want := range map[string]string{"u8": "", "u32": "its elements are u8, and the texture t has format=u32"} {
		status, _, errs := call("exec", program, "--entry", "k", "--block", "1", "--functional", "--arg", "out:"+out+":4",
			"--texture", "name=t,format="+format+",width=16,height=16,data="+picture)
		got, _ := os.ReadFile(out)
		if want == "" && (status != 0 || !bytes.Equal(got, []byte{17, 0, 0, 0})) || want != "" && (status != 1 || !strings.Contains(errs, want)) {
			t.Errorf("a texture of %s: status %d, % x, %q", format, status, got, errs)
		}
	}
}

// TestVerbsKnowTheirFiles: every verb that measures a file refuses the same ones, and says
// when it measures raw bytes. An index is read with its shards, each once.
func TestVerbsKnowTheirFiles(t *testing.T) {
	t.Parallel()
	data := make([]byte, 256)
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"
	dir := t.TempDir()
	write := func(name, contents string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(contents), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	shard := func(tensor string) string {
		header := fmt.Sprintf(`{%q:{"dtype":"F32","shape":[64],"data_offsets":[0,256]}}`, tensor)
		return string(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))) + header + string(data)
	}
	lfs, raw := write("a.safetensors", pointer), write("a.bin", string(data))
	module := write("codec.wasm", string(plugintest.New().Binary()))
	for _, verb := range [][]string{
		{"fit", "--sample-mb", "0"}, {"buddy", "profile"}, {"codec", "report", "--codec", "bdi"}, {"codec", "sizes", "--codec", "bdi"}, {"codec", "tslc"}, {"codec", "train", "--symbol-bits", "8"}, {"codec", "plugin", "--module", module},
	} {
		if status, _, errs := call(append(verb, lfs)...); !strings.Contains(errs, "a.safetensors: this is a Git LFS pointer: run git lfs pull") || status != 1 {
			t.Errorf("%q: status %d, %q", verb, status, errs)
		}
	}
	for _, verb := range [][]string{{"fit", "--sample-mb", "0"}, {"buddy", "profile"}} {
		if status, _, errs := call(append(verb, "--as", "raw", lfs)...); status != 0 {
			t.Errorf("%q --as raw: status %d, %q", verb, status, errs)
		}
		if status, _, errs := call(append(verb, "--as", "rar", raw)...); status != 2 || !strings.Contains(errs, `unknown format: "rar"`) {
			t.Errorf("%q --as rar: status %d, %q", verb, status, errs)
		}
	}
	if out := mustCall(t, "codec", "report", "--codec", "bdi", raw); !strings.Contains(out, "a.bin: raw bytes, 256 bytes") {
		t.Errorf("a report of raw bytes:\n%s", out)
	}
	for _, verb := range [][]string{{"fit", "--sample-mb", "0"}, {"buddy", "profile"}, {"fit", "--sample-mb", "0", "--format", "json"}} {
		if out := mustCall(t, append(verb, raw)...); !strings.Contains(out, "a.bin: read as raw bytes") {
			t.Errorf("%q does not say that it measures raw bytes:\n%s", verb, out)
		}
	}
	hostile := `{"\u001b[2Jw":{"dtype":"\u001b[31mQ","shape":[256],"data_offsets":[0,256]}}`
	odd := write("odd.safetensors", string(binary.LittleEndian.AppendUint64(nil, uint64(len(hostile))))+hostile+string(data))
	if out := mustCall(t, "codec", "report", "--codec", "bdi", odd); strings.Contains(out, "\x1b") || !strings.Contains(out, "counted as bytes") {
		t.Errorf("names of a file reach the terminal: %q", out)
	}
	index := write("model.safetensors.index.json", `{"weight_map":{"x":"1.safetensors","y":"below/2.safetensors"}}`)
	one := write("1.safetensors", shard("x"))
	if status, _, errs := call("fit", index); status != 1 || !strings.Contains(errs, "the index needs 2 files, and 1 of them are missing: put beside it below/2.safetensors") {
		t.Errorf("a missing shard: status %d, %q", status, errs)
	}
	write("below/2.safetensors", shard("y"))
	for _, files := range [][]string{{index}, {one, index}, {index, one}} {
		out := mustCall(t, append([]string{"fit", "--sample-mb", "0"}, files...)...)
		if !strings.Contains(out, "\n512 bytes need") {
			t.Errorf("%q: a shard is missing or counted twice:\n%s", files, out)
		}
	}
	out := write("outside.safetensors", shard("z"))
	escape := write("sub/model.safetensors.index.json", `{"weight_map":{"z":"../outside.safetensors"}}`)
	if status, _, errs := call("codec", "report", escape); status != 1 || !strings.Contains(errs, "only files of its own folder are read") {
		t.Errorf("%s through ..: status %d, %q", out, status, errs)
	}
	for _, place := range []string{dir, os.DevNull} {
		if status, _, errs := call("codec", "report", place); status != 1 || !strings.Contains(errs, "and not a file") {
			t.Errorf("%s: status %d, %q", place, status, errs)
		}
	}
}
