package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sentences is a model that encodes English sentences (Universal Sentence Encoder Lite: Cer et al., 2018), as its graph
// for TensorFlow.js has it: embeddings of pieces of words and two layers of a transformer with four heads, each normed
// before it. Products of matrices and softmax are kernels in the simulator, in f16; the host does the rest in f32.
type sentences struct {
	inference        // whose kernels and values it uses
	manifest  []byte // model.json
	folder    string
	files     map[string][]byte // of weights, which have been read
}

const (
	sentenceTokens = 128 // the model takes no more (ClipToMaxLength)
	sentenceHeads  = 4
	normEpsilon    = 1e-6
	firstPiece     = 6 // of the vocabulary: those before it are marks
)

// runSentences runs the model on the first pieces of a text.
func runSentences(model, text string, names []string) (map[string]*numbers, error) {
	words, err := os.ReadFile(text)
	if err != nil {
		return nil, err
	}
	tokens, err := piecesOf(filepath.Join(filepath.Dir(model), "vocab.json"), string(words))
	if err != nil {
		return nil, err
	}
	if len(tokens) < sentenceTokens {
		return nil, fmt.Errorf("%s has %d pieces of words: want %d", text, len(tokens), sentenceTokens)
	}
	sim, err := newSimulator()
	if err != nil {
		return nil, err
	}
	s := &sentences{inference: inference{sim: sim, values: map[string]*numbers{}}, folder: filepath.Dir(model),
		files: map[string][]byte{}}
	if s.manifest, err = os.ReadFile(model); err != nil {
		return nil, err
	}
	x, err := s.embedded(tokens[:sentenceTokens])
	for n := 0; n < 2 && err == nil; n++ {
		x, err = s.block(n, x)
	}
	if err != nil {
		return nil, err
	}
	found := map[string]*numbers{}
	for _, name := range names {
		if found[name] = s.values[name]; found[name] == nil {
			return nil, fmt.Errorf("the model has no value %q", name)
		}
	}
	fmt.Printf("%s on %s: %d warp instructions\n", filepath.Base(model), filepath.Base(text), sim.warps)
	return found, nil
}

// piecesOf cuts a text into the pieces of a vocabulary whose scores have the largest sum (Kudo, Subword
// Regularization, 2018). Words begin with a low line; a letter of no piece is piece 0.
func piecesOf(vocabulary, text string) ([]int, error) {
	b, err := os.ReadFile(vocabulary)
	if err != nil {
		return nil, err
	}
	var rows [][2]any
	if err := json.Unmarshal(b, &rows); err != nil {
		return nil, fmt.Errorf("%s: %w", vocabulary, err)
	}
	scores, rowOf, longest := map[string]float64{}, map[string]int{}, 0
	for i, r := range rows {
		piece, isText := r[0].(string)
		if !isText {
			return nil, fmt.Errorf("%s: row %d is no piece with its score", vocabulary, i)
		}
		if score, ok := r[1].(float64); ok && i >= firstPiece { // three with a colon have none, and are not used
			scores[piece], rowOf[piece], longest = score, i, max(longest, len(piece))
		}
	}
	text = "▁" + strings.Join(strings.Fields(text), "▁")
	type best struct {
		score float64
		from  int
	}
	ends := []int{} // of letters
	for i := range text {
		ends = append(ends, i)
	}
	ends = append(ends, len(text))
	to := map[int]best{0: {}}
	for k, end := range ends[1:] {
		now := best{to[ends[k]].score - 100, ends[k]} // an unknown letter: worse than any pieces
		for j := k; j >= 0 && end-ends[j] <= longest; j-- {
			if score, ok := scores[text[ends[j]:end]]; ok && to[ends[j]].score+score > now.score {
				now = best{to[ends[j]].score + score, ends[j]}
			}
		}
		to[end] = now
	}
	var pieces []int
	for end := len(text); end > 0; end = to[end].from {
		pieces = append(pieces, rowOf[text[to[end].from:end]])
	}
	slices.Reverse(pieces)
	return pieces, nil
}

// weights are those whose name in the manifest ends so.
func (s *sentences) weights(name string) (*numbers, error) {
	a, err := manifestArray(s.manifest, name, func(p string) (b []byte, err error) {
		if s.files[p] == nil {
			s.files[p], err = os.ReadFile(filepath.Join(s.folder, filepath.FromSlash(p)))
		}
		return s.files[p], err
	})
	if err != nil {
		return nil, err
	}
	w := &numbers{}
	for _, d := range a.shape {
		if d > 1 || len(a.shape) == 1 {
			w.shape = append(w.shape, int(d))
		}
	}
	for i := 0; i < len(a.data); i += 4 {
		w.v = append(w.v, math.Float32frombits(binary.LittleEndian.Uint32(a.data[i:])))
	}
	return w, nil
}

// embedded looks tokens up, and adds them to themselves with their places, as the graph does.
func (s *sentences) embedded(tokens []int) (*numbers, error) {
	table, err := s.weights("Embeddings_en")
	if err != nil {
		return nil, err
	}
	rates, err := s.weights("TimingSignal/ExpandDims_1")
	if err != nil {
		return nil, err
	}
	width := table.shape[1]
	x := &numbers{shape: []int{len(tokens), width}}
	for place, token := range tokens {
		for i, v := range table.v[token*width:][:width] {
			angle := float64(float32(place) * rates.v[i%(width/2)])
			signal := float32(math.Sin(angle))
			if i >= width/2 {
				signal = float32(math.Cos(angle))
			}
			x.v = append(x.v, v+(v+signal))
		}
	}
	return x, nil
}

// dense multiplies rows with weights and adds an offset.
func (s *sentences) dense(x *numbers, kernel, bias string) (*numbers, error) {
	w, err := s.weights(kernel)
	if err != nil {
		return nil, err
	}
	offset, err := s.weights(bias)
	if err != nil {
		return nil, err
	}
	out, err := s.matmul(x, w)
	if err != nil {
		return nil, err
	}
	return pointwise(plus, []*numbers{out, offset}), nil
}

// normed gives rows a mean of 0 and a variance of 1, then a scale and an offset.
func (s *sentences) normed(x *numbers, at string) (*numbers, error) {
	scale, err := s.weights(at + "layer_prepostprocess/layer_norm/layer_norm_scale/ConcatPartitions/concat")
	if err != nil {
		return nil, err
	}
	offset, err := s.weights(at + "layer_prepostprocess/layer_norm/layer_norm_bias/ConcatPartitions/concat")
	if err != nil {
		return nil, err
	}
	width, out := x.shape[1], &numbers{shape: x.shape}
	for row := range x.shape[0] {
		in := x.v[row*width:][:width]
		var sum, squares float32
		for _, v := range in {
			sum += v
		}
		mean := sum / float32(width)
		for _, v := range in {
			squares += float32((v - mean) * (v - mean))
		}
		inverse := float32(1 / math.Sqrt(float64(squares/float32(width)+normEpsilon)))
		for i, v := range in {
			out.v = append(out.v, float32(float32(scale.v[i]*inverse)*(v-mean))+offset.v[i])
		}
	}
	s.values[at+"layer_prepostprocess/layer_norm/add_1"] = out
	return out, nil
}

// block is one layer of the transformer: attention and two dense layers, each added to what came in.
func (s *sentences) block(n int, x *numbers) (*numbers, error) {
	at := fmt.Sprintf("Layer_%d/TransformerLayer/", n)
	const ends, attention = "/ConcatPartitions/concat", "MultiheadAttention/"
	in, err := s.normed(x, at)
	if err != nil {
		return nil, err
	}
	all, err := s.dense(in, at+attention+"qkv_transform_single/kernel/part_0",
		at+attention+"qkv_transform_single/bias"+ends)
	if err != nil {
		return nil, err
	}
	seen, err := s.attention(at+attention, all)
	if err != nil {
		return nil, err
	}
	if seen, err = s.dense(seen, at+attention+"output_transform_single/kernel/part_0",
		at+attention+"output_transform_single/bias"+ends); err != nil {
		return nil, err
	}
	if n == 0 { // the layers are wider than embeddings
		if x, err = s.dense(x, at+"dense/kernel"+ends, at+"dense/bias"+ends); err != nil {
			return nil, err
		}
	}
	x = pointwise(plus, []*numbers{seen, x})
	if in, err = s.normed(x, at+"FFN/"); err != nil {
		return nil, err
	}
	hidden, err := s.dense(in, at+"FFN/conv1/Tensordot/Reshape_1", at+"FFN/conv1/bias"+ends)
	if err != nil {
		return nil, err
	}
	hidden = pointwise(func(a, _ float32) float32 { return max(a, 0) }, []*numbers{hidden})
	s.values[at+"FFN/conv1/Relu"] = hidden
	out, err := s.dense(hidden, at+"FFN/conv2/Tensordot/Reshape_1", at+"FFN/conv2/bias"+ends)
	if err != nil {
		return nil, err
	}
	return pointwise(plus, []*numbers{out, x}), nil
}

func plus(a, b float32) float32 { return a + b }

// attention weighs values by the shares of softmax, head by head. Its values are named as the graph splits them.
func (s *sentences) attention(at string, all *numbers) (*numbers, error) {
	tokens, width := all.shape[0], all.shape[1]/3
	head := width / sentenceHeads
	var part [3][]float32 // queries, keys, values
	for i, v := range all.v {
		k := i % all.shape[1] / width
		part[k] = append(part[k], v)
	}
	for k, name := range []string{"split", "split:1", "split:2"} {
		s.values[at+name] = &numbers{[]int{tokens, width}, part[k]}
	}
	scale := float32(1 / math.Sqrt(float64(head)))
	out := &numbers{shape: []int{tokens, width}, v: make([]float32, tokens*width)}
	for h := range sentenceHeads {
		var q, k, v []float32
		for i := range tokens * head {
			from := i/head*width + h*head + i%head
			q, k = append(q, part[0][from]*scale), append(k, part[1][from])
			v = append(v, part[2][i%tokens*width+h*head+i/tokens]) // a row for each column
		}
		scores, err := s.sim.product(q, k, head)
		if err != nil {
			return nil, err
		}
		shares, err := s.sim.softmax(scores, tokens)
		if err != nil {
			return nil, err
		}
		seen, err := s.sim.product(shares, v, tokens)
		if err != nil {
			return nil, err
		}
		for i, x := range seen {
			out.v[i/head*width+h*head+i%head] = x
		}
	}
	return out, nil
}
