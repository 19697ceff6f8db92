package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
)

// runs are models that were run on a picture or a text, by both: values that rows of the list name, one strip after the
// other.
type runs map[string]map[string]*numbers

// A recognizer of text takes a line of 48 pixels [PP-OCRv4, rec_image_shape in configs/rec/PP-OCRv4]. Four strips of 24
// rows with each pixel twice give lines of 896 pixels, and 112 tokens each [ours].
const (
	lineRows   = 48
	stripRows  = 24
	stripCount = 4
)

// array is a value of a run.
func (r runs) array(folder string, tensors []tensor, t *tensor) (a array, err error) {
	key := strings.Join([]string{t.Source, t.File, t.Run}, ":")
	if r[key] == nil {
		var names []string
		for i := range tensors {
			if x := &tensors[i]; x.Source == t.Source && x.File == t.File && x.Run == t.Run {
				names = append(names, x.Array)
			}
		}
		run := runModel
		if strings.HasSuffix(t.File, ".json") {
			run = runSentences
		}
		from, input, _ := strings.Cut(t.Run, ":")
		r[key], err = run(filepath.Join(folder, t.Source, filepath.FromSlash(t.File)),
			filepath.Join(folder, from, filepath.FromSlash(input)), names)
		if err != nil {
			return a, err
		}
	}
	v := r[key][t.Array]
	a = array{name: t.Array, of: datafile.F32}
	for _, n := range v.shape {
		a.shape = append(a.shape, int64(n))
	}
	for _, x := range v.v {
		a.data = binary.LittleEndian.AppendUint32(a.data, math.Float32bits(x))
	}
	return a, nil
}

// runModel runs a model on the strips of a grey picture.
func runModel(model, picture string, names []string) (map[string]*numbers, error) {
	g, err := openGraph(model)
	if err != nil {
		return nil, err
	}
	p, err := fromFile(picture, "")
	if err != nil {
		return nil, err
	}
	if p.of != datafile.U8 || len(p.shape) != 2 || p.shape[0] < stripRows*stripCount {
		return nil, fmt.Errorf("%s is %s%v: want a grey picture", picture, p.of, p.shape)
	}
	sim, err := newSimulator()
	if err != nil {
		return nil, err
	}
	found := map[string]*numbers{}
	for strip := range stripCount {
		f := &inference{sim: sim}
		width := int(p.shape[1])
		if err := f.run(g, lineOf(p.data[strip*stripRows*width:], width)); err != nil {
			return nil, err
		}
		for _, name := range names {
			v := f.values[name]
			if v == nil {
				return nil, fmt.Errorf("the model has no value %q", name)
			}
			if found[name] == nil {
				found[name] = &numbers{shape: slices.Clone(v.shape)}
				found[name].shape[0] = 0
			}
			found[name].shape[0] += v.shape[0]
			found[name].v = append(found[name].v, v.v...)
		}
	}
	fmt.Printf("%s on %s: %d warp instructions\n", filepath.Base(model), filepath.Base(picture), sim.warps)
	return found, nil
}

// lineOf makes the input of a strip: each pixel twice, three equal colours, grey levels from -1 to 1.
func lineOf(pixels []byte, width int) *numbers {
	in := &numbers{shape: []int{1, 3, lineRows, 2 * width}}
	for range 3 {
		for y := range lineRows {
			for x := range 2 * width {
				in.v = append(in.v, (float32(pixels[y/2*width+x/2])/255-0.5)/0.5)
			}
		}
	}
	return in
}
