package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPieces: the pieces of a text have the largest sum of scores of all ways to cut it; a letter of none is piece 0.
func TestPieces(t *testing.T) {
	rows := [][2]any{{"<unk>", 0}, {"<s>", 0}, {"</s>", 0}, {"x", 0}, {"x", 0}, {"x", 0}, {"▁", -3.0}, {"▁the", -1.0},
		{"a", -2.0}, {"b", -2.0}, {"ab", -2.5}, {"ba", -1.5}, {"▁a", -2.2}, {":", nil}, {"é", -4.0}}
	scores := map[string]float64{}
	for i, r := range rows {
		if v, ok := r[1].(float64); ok && i >= firstPiece {
			scores[r[0].(string)] = v
		}
	}
	b, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "vocab.json")
	write(t, path, b)
	var slow func(text string) float64
	slow = func(text string) float64 {
		if text == "" {
			return 0
		}
		best := math.Inf(-1)
		for piece, score := range scores {
			if rest, ok := strings.CutPrefix(text, piece); ok {
				best = max(best, score+slow(rest))
			}
		}
		if letters := []rune(text); math.IsInf(best, -1) {
			return slow(string(letters[1:])) - 100
		}
		return best
	}
	for _, text := range []string{"the", " abba\n the ab", "éab", "ab:ba", "ababab b", "the the"} {
		pieces, err := piecesOf(path, text)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for _, p := range pieces {
			if p == 0 {
				sum -= 100
				continue
			}
			sum += scores[rows[p][0].(string)]
		}
		if want := slow("▁" + strings.Join(strings.Fields(text), "▁")); math.Abs(sum-want) > 1e-9 {
			t.Errorf("%q: pieces %v have %v, want %v", text, pieces, sum, want)
		}
	}
	write(t, path, []byte(`[[1, 2]]`))
	if _, err := piecesOf(path, "x"); err == nil || !strings.Contains(err.Error(), "row 0") {
		t.Errorf("a piece that is a number: %v", err)
	}
}

// Sizes of the small model of TestSentences.
const (
	smallWords = 8
	smallIn    = 8  // of an embedding
	smallWide  = 16 // of a layer
	smallDeep  = 24 // of its hidden layer
	partEnds   = "/ConcatPartitions/concat"
)

// small is a model of random weights, and what plain sums in f64 make of it.
type small struct {
	rand   *rand.Rand
	w      map[string][]float64
	data   []byte
	list   []map[string]any
	values map[string][]float64
}

func (m *small) add(name string, scale float64, shape ...int) {
	for range sizeOf(shape) {
		x := float32(scale * m.rand.NormFloat64())
		m.w[name] = append(m.w[name], float64(x))
		m.data = binary.LittleEndian.AppendUint32(m.data, math.Float32bits(x))
	}
	m.list = append(m.list, map[string]any{"name": "m/" + name, "dtype": "float32", "shape": shape})
}

// addAll makes all weights of the model.
func (m *small) addAll() {
	m.add("Embeddings_en", 1, firstPiece+smallWords, smallIn)
	m.add("TimingSignal/ExpandDims_1", 0.3, 1, smallIn/2)
	for n, in := range []int{smallIn, smallWide} {
		at := fmt.Sprintf("Layer_%d/TransformerLayer/", n)
		for k, part := range []string{"", "FFN/"} {
			m.add(at+part+"layer_prepostprocess/layer_norm/layer_norm_scale"+partEnds, 1, []int{in, smallWide}[k])
			m.add(at+part+"layer_prepostprocess/layer_norm/layer_norm_bias"+partEnds, 0.3, []int{in, smallWide}[k])
		}
		for k, name := range []string{"qkv", "output"} {
			out := []int{3 * in, smallWide}[k]
			m.add(at+"MultiheadAttention/"+name+"_transform_single/kernel/part_0", 0.3, 1, 1, in, out)
			m.add(at+"MultiheadAttention/"+name+"_transform_single/bias"+partEnds, 0.3, out)
		}
		m.add(at+"FFN/conv1/Tensordot/Reshape_1", 0.3, smallWide, smallDeep)
		m.add(at+"FFN/conv1/bias"+partEnds, 0.3, smallDeep)
		m.add(at+"FFN/conv2/Tensordot/Reshape_1", 0.3, smallDeep, smallWide)
		m.add(at+"FFN/conv2/bias"+partEnds, 0.3, smallWide)
	}
	m.add("Layer_0/TransformerLayer/dense/kernel"+partEnds, 0.3, smallIn, smallWide)
	m.add("Layer_0/TransformerLayer/dense/bias"+partEnds, 0.3, smallWide)
}

// files writes the model, its vocabulary and a text, and returns the pieces of that.
func (m *small) files(t *testing.T, folder string) (tokens []int) {
	t.Helper()
	rows, text := make([][2]any, firstPiece), ""
	for i := range rows {
		rows[i] = [2]any{"mark", 0.0}
	}
	for i := range smallWords {
		rows = append(rows, [2]any{fmt.Sprintf("▁%c", 'a'+i), -1.0})
	}
	for range sentenceTokens {
		i := m.rand.Intn(smallWords)
		tokens, text = append(tokens, firstPiece+i), text+fmt.Sprintf("%c ", 'a'+i)
	}
	for name, v := range map[string]any{"vocab.json": rows, "model.json": map[string]any{
		"weightsManifest": []any{map[string]any{"paths": []string{"w"}, "weights": m.list}}}} {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, name), b)
	}
	write(t, filepath.Join(folder, "w"), m.data)
	write(t, filepath.Join(folder, "text"), []byte(text))
	return tokens
}

func (m *small) dense(x []float64, depth int, kernel, bias string) (out []float64) {
	k, b := m.w[kernel], m.w[bias+partEnds]
	for row := range len(x) / depth {
		for c := range b {
			sum := b[c]
			for i := range depth {
				sum += x[row*depth+i] * k[i*len(b)+c]
			}
			out = append(out, sum)
		}
	}
	return out
}

func (m *small) normed(x []float64, width int, at string) (out []float64) {
	for row := 0; row < len(x); row += width {
		mean, square := 0.0, 0.0
		for _, v := range x[row:][:width] {
			mean += v / float64(width)
		}
		for _, v := range x[row:][:width] {
			square += (v - mean) * (v - mean) / float64(width)
		}
		at := at + "layer_prepostprocess/layer_norm/layer_norm_"
		for i, v := range x[row:][:width] {
			v = (v - mean) / math.Sqrt(square+normEpsilon)
			out = append(out, v*m.w[at+"scale"+partEnds][i]+m.w[at+"bias"+partEnds][i])
		}
	}
	return out
}

// attention is of queries, keys and values of a width each.
func (m *small) attention(all []float64, width int) []float64 {
	seen, head := make([]float64, sentenceTokens*width), width/sentenceHeads
	for q := range sentenceTokens {
		for h := range sentenceHeads {
			total := 0.0
			for k := range sentenceTokens {
				score := 0.0
				for i := range head {
					score += all[q*3*width+h*head+i] * all[k*3*width+width+h*head+i]
				}
				share := math.Exp(score / math.Sqrt(float64(head)))
				total += share
				for i := range head {
					seen[q*width+h*head+i] += share * all[k*3*width+2*width+h*head+i]
				}
			}
			for i := range head {
				seen[q*width+h*head+i] /= total
			}
		}
	}
	return seen
}

func (m *small) layer(n int, x []float64) []float64 {
	at, in := fmt.Sprintf("Layer_%d/TransformerLayer/", n), []int{smallIn, smallWide}[n]
	name := at + "MultiheadAttention/"
	all := m.dense(m.normed(x, in, at), in, name+"qkv_transform_single/kernel/part_0", name+"qkv_transform_single/bias")
	for q := range sentenceTokens {
		m.values[name+"split:1"] = append(m.values[name+"split:1"], all[q*3*in+in:][:in]...)
	}
	out := m.dense(m.attention(all, in), in, name+"output_transform_single/kernel/part_0",
		name+"output_transform_single/bias")
	if n == 0 {
		x = m.dense(x, in, at+"dense/kernel"+partEnds, at+"dense/bias")
	}
	for i := range x {
		x[i] += out[i]
	}
	hidden := m.dense(m.normed(x, smallWide, at+"FFN/"), smallWide, at+"FFN/conv1/Tensordot/Reshape_1",
		at+"FFN/conv1/bias")
	for i := range hidden {
		hidden[i] = max(hidden[i], 0)
	}
	m.values[at+"FFN/conv1/Relu"] = hidden
	for i, v := range m.dense(hidden, smallDeep, at+"FFN/conv2/Tensordot/Reshape_1", at+"FFN/conv2/bias") {
		x[i] += v
	}
	return x
}

// TestSentences runs a small model of random weights, and compares its values with plain sums in f64.
func TestSentences(t *testing.T) {
	m := &small{rand: rand.New(rand.NewSource(3)), w: map[string][]float64{}, values: map[string][]float64{}}
	m.addAll()
	folder := t.TempDir()
	var x []float64
	for place, token := range m.files(t, folder) {
		for i := range smallIn {
			angle := float64(place) * m.w["TimingSignal/ExpandDims_1"][i%(smallIn/2)]
			signal := []float64{math.Sin(angle), math.Cos(angle)}[i/(smallIn/2)]
			x = append(x, 2*m.w["Embeddings_en"][token*smallIn+i]+signal)
		}
	}
	m.layer(1, m.layer(0, x))
	got, err := runSentences(filepath.Join(folder, "model.json"), filepath.Join(folder, "text"),
		slices.Collect(maps.Keys(m.values)))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range m.values {
		off, size := 0.0, 0.0
		for i, v := range want {
			off, size = off+math.Pow(float64(got[name].v[i])-v, 2), size+v*v
		}
		if len(want) != len(got[name].v) || math.Sqrt(off/size) > 0.01 { // products are in f16
			t.Errorf("%s is %.4f off", name, math.Sqrt(off/size))
		}
	}
}
