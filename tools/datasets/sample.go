package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/tools/input"
)

// maxSampleBytes bounds the arrays that are committed [ours].
const maxSampleBytes = 8 << 20

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
	for i := range tensors {
		t := &tensors[i]
		for k := range sources {
			if sources[k].ID != t.Source {
				continue
			}
			a, err := t.read(packageFolder(folder, &sources[k]))
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

// read reads the array of a row from the folder of its package.
func (t *tensor) read(folder string) (a array, err error) {
	path := filepath.Join(folder, filepath.FromSlash(t.File))
	switch {
	case strings.HasSuffix(path, ".json"):
		a, err = fromManifest(path, t.Array)
	case t.Type != "":
		a, err = t.part(path)
	default:
		a, err = fromFile(path, t.Array)
	}
	if err != nil {
		return a, err
	}
	if t.Type == "" && t.Bytes > 0 {
		a.data = a.data[t.First:][:min(t.Bytes, int64(len(a.data))-t.First)]
		a.shape = []int64{int64(len(a.data)) / int64(a.of.Bytes())}
	}
	a.name = t.Array
	if a.name == "" {
		a.name = t.ID
	}
	return a.as(t.As)
}

// part reads a part of a file of a format that nothing else reads.
func (t *tensor) part(path string) (a array, err error) {
	if a.of, err = datafile.ParseType(t.Type); err != nil {
		return a, err
	}
	f, _, err := input.Open(path)
	if err != nil {
		return a, err
	}
	defer f.Close()
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
	"uint16": datafile.U16,
}

// fromManifest reads the first weights whose name ends in a text.
func fromManifest(path, name string) (a array, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return a, err
	}
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
			b, err := os.ReadFile(filepath.Join(filepath.Dir(path), p))
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
			n := int64(of.Bytes())
			for _, d := range w.Shape {
				n *= d
			}
			if n < 0 || n > int64(len(data)) {
				return a, fmt.Errorf("weights %.40q need %d bytes and %d are left", w.Name, n, len(data))
			}
			if strings.HasSuffix(w.Name, name) {
				return array{of: of, shape: w.Shape, data: data[:n:n]}, nil
			}
			data = data[n:]
		}
	}
	return a, fmt.Errorf("no weights %q", name)
}

// as changes the type of an array: bf16 rounds f32 to the nearest, ties to even; f32 takes samples of bytes.
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

// bf16 rounds the bits of a finite f32.
func bf16(w uint32) uint16 { return uint16((w + 0x7fff + w>>16&1) >> 16) }

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
