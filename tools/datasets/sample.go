package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/ptx/arith"
	"github.com/burstscope/burstscope/tools/input"
)

// maxSampleBytes bounds the arrays that are committed [ours].
const maxSampleBytes = 8 << 20

// fileTypes are the types that have a name of their own in .safetensors: the upper-case name here.
var fileTypes = []datafile.Type{
	datafile.U8, datafile.I8, datafile.Bool, datafile.U16, datafile.I16, datafile.F16, datafile.BF16, datafile.U32,
	datafile.I32, datafile.F32, datafile.U64, datafile.I64, datafile.F64, datafile.C64,
}

// array is numbers with their type and shape.
type array struct {
	name  string
	of    datafile.Type
	shape []int64
	data  []byte
}

// sample writes a file for each row of tensors.csv.
func sample(folder string) error {
	sources, tensors, err := lists(os.DirFS(dataFolder))
	if err != nil {
		return err
	}
	total := 0
	all := runs{}
	for i := range tensors {
		t := &tensors[i]
		for k := range sources {
			if sources[k].ID != t.Source {
				continue
			}
			a, err := t.from(folder, packageFolder(folder, &sources[k]), tensors, all)
			if err == nil && !slices.Contains(fileTypes, a.of) {
				err = fmt.Errorf("arrays of %s are not written", a.of)
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", t.ID, t.File, err)
			}
			if total += len(a.data); total > maxSampleBytes {
				return fmt.Errorf("more than %d bytes with %s: take a part (column bytes)", maxSampleBytes, t.ID)
			}
			if err := os.WriteFile(filepath.Join(dataFolder, t.ID+arrayEnding), a.file(), 0o644); err != nil {
				return err
			}
			fmt.Printf("%s: %s%v, %d bytes\n", t.ID, a.of, a.shape, len(a.data))
		}
	}
	return nil
}

// from reads the array of a row, or runs the model that has it.
func (t *tensor) from(folder, source string, tensors []tensor, all runs) (a array, err error) {
	if t.Run == "" {
		return t.read(source)
	}
	if a, err = all.array(folder, tensors, t); err == nil {
		a, err = t.part(a)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(a.data)); err == nil && got != t.SHA256 {
		err = fmt.Errorf("its SHA-256 is %s, and %s says %s", got, tensorsCSV, t.SHA256)
	}
	return a, err
}

// read reads the array of a row from the folder of its package.
func (t *tensor) read(folder string) (a array, err error) {
	path := filepath.Join(folder, filepath.FromSlash(t.File))
	switch {
	case strings.HasSuffix(path, ".json"):
		a, err = fromManifest(path, t.Array)
	case t.Type != "":
		a, err = t.raw(path)
	default:
		a, err = fromFile(path, t.Array)
	}
	if err != nil {
		return a, err
	}
	return t.part(a)
}

// part takes the part of an array that the row asks for, and changes its type.
func (t *tensor) part(a array) (array, error) {
	if t.Type == "" && t.Bytes > 0 {
		n := int64(len(a.data))
		if t.First >= n || t.First%int64(a.of.Bytes()) != 0 || t.Bytes%int64(a.of.Bytes()) != 0 {
			return a, fmt.Errorf("%d bytes from byte %d on are not whole elements of %s in %d bytes", t.Bytes, t.First,
				a.of, n)
		}
		a.data = a.data[t.First:][:min(t.Bytes, n-t.First)]
		a.shape = []int64{int64(len(a.data)) / int64(a.of.Bytes())}
	}
	a.name = t.Array
	if a.name == "" {
		a.name = t.ID
	}
	return a.as(t.As)
}

// raw reads a part of a file of a format that nothing else reads.
func (t *tensor) raw(path string) (a array, err error) {
	if a.of, err = datafile.ParseType(t.Type); err != nil {
		return a, err
	}
	f, size, err := input.Open(path)
	if err != nil {
		return a, err
	}
	defer f.Close()
	if t.Bytes == 0 || t.Bytes%int64(a.of.Bytes()) != 0 || t.Bytes > size || t.First > size-t.Bytes {
		return a, fmt.Errorf("%d bytes from byte %d on are not whole elements of %s in a file of %d bytes", t.Bytes,
			t.First, a.of, size)
	}
	a.data = make([]byte, t.Bytes)
	if _, err := f.ReadAt(a.data, t.First); err != nil {
		return a, err
	}
	a.shape = []int64{t.Bytes / int64(a.of.Bytes())}
	return a, nil
}

// fromFile reads the first array of a name, or the only one.
func fromFile(path, name string) (a array, err error) {
	src, size, err := input.Open(path)
	if err != nil {
		return a, err
	}
	defer src.Close()
	f, err := datafile.Open(src, size, datafile.Options{Name: path, Array: name})
	if err != nil {
		return a, err
	}
	of := &f.Arrays[0]
	if of.Counted != "" {
		return a, fmt.Errorf("array %.40q has the type %s, which nothing here takes apart", of.Name, of.Counted)
	}
	r, err := of.Stream()
	if err != nil {
		return a, err
	}
	a = array{of: of.Type, shape: of.Shape}
	a.data, err = io.ReadAll(r)
	return a, err
}

// manifest is the part that counts of a model of TensorFlow.js (tensorflow/tfjs, tfjs-core/src/io/types.ts): weights
// one after the other in files beside it, in the type of their quantization if there is one.
type manifest struct {
	WeightsManifest []struct {
		Paths   []string
		Weights []struct {
			Name, DType  string
			Shape        []int64
			Quantization *struct{ DType string }
		}
	}
}

// manifestTypes are the types of TensorFlow.js that are read.
var manifestTypes = map[string]datafile.Type{
	"float32": datafile.F32, "float16": datafile.F16, "int32": datafile.I32, "uint8": datafile.U8,
	"uint16": datafile.U16, "bool": datafile.Bool, "complex64": datafile.C64,
}

// fromManifest reads the first weights whose name ends in a text.
func fromManifest(path, name string) (a array, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return a, err
	}
	return manifestArray(text, name, func(p string) ([]byte, error) {
		return os.ReadFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(p)))
	})
}

// manifestArray finds weights in a manifest; read reads a file beside it.
func manifestArray(text []byte, name string, read func(path string) ([]byte, error)) (a array, err error) {
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return a, err
	}
	for _, group := range m.WeightsManifest {
		var data []byte
		for _, p := range group.Paths {
			if !filepath.IsLocal(p) {
				return a, fmt.Errorf("%q lies outside the folder of the model", p)
			}
			b, err := read(p)
			if err != nil {
				return a, err
			}
			data = append(data, b...)
		}
		for _, w := range group.Weights {
			kind := w.DType
			if w.Quantization != nil {
				kind = w.Quantization.DType
			}
			of, ok := manifestTypes[kind]
			if !ok {
				return a, fmt.Errorf("weights %.40q have the type %q, which is not read", w.Name, kind)
			}
			n, ok := bytesOf(of, w.Shape, int64(len(data)))
			if !ok {
				return a, fmt.Errorf("weights %.40q of %s%v need more than the %d bytes that are left", w.Name, of, w.Shape,
					len(data))
			}
			if strings.HasSuffix(w.Name, name) {
				return array{of: of, shape: w.Shape, data: data[:n:n]}, nil
			}
			data = data[n:]
		}
	}
	return a, fmt.Errorf("no weights %q", name)
}

// bytesOf is what the elements of a shape take, if it is at most a limit.
func bytesOf(of datafile.Type, shape []int64, limit int64) (n int64, ok bool) {
	n = int64(of.Bytes())
	for _, d := range shape {
		if d < 0 || d > 0 && n > limit/d {
			return 0, false
		}
		n *= d
	}
	return n, n <= limit
}

// as changes the type of an array: bf16 and f16 round f32 to the nearest, ties to even; f32 takes samples of bytes.
func (a array) as(word string) (array, error) {
	b := array{name: a.name, shape: a.shape}
	switch {
	case word == "":
		return a, nil
	case word == "bf16" && a.of == datafile.F32:
		b.of = datafile.BF16
		for i := 0; i < len(a.data); i += 4 {
			b.data = binary.LittleEndian.AppendUint16(b.data, bf16(binary.LittleEndian.Uint32(a.data[i:])))
		}
	case word == "f16" && a.of == datafile.F32:
		b.of = datafile.F16
		for i := 0; i < len(a.data); i += 4 {
			x := math.Float32frombits(binary.LittleEndian.Uint32(a.data[i:]))
			b.data = binary.LittleEndian.AppendUint16(b.data, uint16(arith.FormatF16.Nearest(float64(x))))
		}
	case word == "f32" && a.of == datafile.U8:
		b.of = datafile.F32
		for _, v := range a.data {
			b.data = binary.LittleEndian.AppendUint32(b.data, math.Float32bits(float32(v)))
		}
	default:
		return a, fmt.Errorf("%s does not become %q", a.of, word)
	}
	return b, nil
}

// bf16 rounds the bits of an f32. A NaN stays one: it has its quiet bit set.
func bf16(w uint32) uint16 {
	if w&0x7fffffff > 0x7f800000 {
		return uint16(w>>16) | 0x40
	}
	return uint16((w + 0x7fff + w>>16&1) >> 16)
}

// file returns the array as a .safetensors file.
func (a *array) file() []byte {
	header, err := json.Marshal(map[string]any{a.name: map[string]any{
		"dtype": strings.ToUpper(a.of.String()), "shape": a.shape, "data_offsets": []int{0, len(a.data)},
	}})
	if err != nil {
		panic(err) // texts and numbers
	}
	for len(header)%8 != 0 {
		header = append(header, ' ')
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), a.data...)
}
