package main

import (
	"fmt"
	"math"
	"slices"
)

// inference runs a graph. Products of matrices, convolutions of 1 x 1 and softmax are kernels in the simulator, in
// f16; the host does the rest in f32, as between kernels of a real run. Each product of floats is rounded before it is
// added, so that hosts with and without fused instructions have the same bits.
type inference struct {
	sim    *simulator
	values map[string]*numbers
}

// run gives all values of a graph for an input.
func (f *inference) run(g *graph, input *numbers) error {
	f.values = map[string]*numbers{g.input: input}
	for i := range g.nodes {
		n := &g.nodes[i]
		var ins []*numbers
		for _, name := range n.ins {
			if f.values[name] == nil {
				return fmt.Errorf("%s needs %q: %w", n.op, name, errGraph)
			}
			ins = append(ins, f.values[name])
		}
		out, err := f.layer(n, ins)
		if err != nil {
			return fmt.Errorf("%s %q: %w", n.op, n.outs[0], err)
		}
		f.values[n.outs[0]] = out
	}
	return nil
}

func (f *inference) layer(n *node, in []*numbers) (*numbers, error) {
	if one := elementwise(n); one != nil {
		return pointwise(one, in), nil
	}
	switch n.op {
	case "Constant":
		return n.constant, nil
	case "Cast":
		return in[0], nil
	case "Conv":
		return f.convolution(n, in)
	case "MatMul":
		return f.matmul(in[0], in[1])
	case "Softmax":
		return f.shares(n, in[0])
	case "Shape":
		s := &numbers{shape: []int{len(in[0].shape)}}
		for _, d := range in[0].shape {
			s.v = append(s.v, float32(d))
		}
		return s, nil
	case "Reshape":
		return reshape(in[0], in[1].v)
	case "Transpose":
		return transposed(in[0], n.ints["perm"]), nil
	case "Slice":
		return sliced(in[0], n.ints["axes"][0], n.ints["starts"][0], n.ints["ends"][0]), nil
	case "Squeeze":
		at := n.ints["axes"][0]
		return &numbers{slices.Concat(in[0].shape[:at], in[0].shape[at+1:]), in[0].v}, nil
	case "Concat":
		return joined(in, n.ints["axis"][0]), nil
	case "ReduceMean":
		width := in[0].shape[len(in[0].shape)-1]
		m := means(in[0], width)
		m.shape = append(slices.Clone(in[0].shape[:len(in[0].shape)-1]), 1)
		return m, nil
	case "GlobalAveragePool":
		m := means(in[0], in[0].shape[2]*in[0].shape[3])
		m.shape = []int{in[0].shape[0], in[0].shape[1], 1, 1}
		return m, nil
	case "AveragePool", "MaxPool":
		return pooled(n, in[0]), nil
	case "BatchNormalization":
		return normalized(n, in), nil
	}
	return nil, fmt.Errorf("an operation that is not run here: %w", errGraph)
}

// elementwise returns the operation of numbers at the same place, nil if n is none.
func elementwise(n *node) func(a, b float32) float32 {
	switch n.op {
	case "Add":
		return func(a, b float32) float32 { return a + b }
	case "Sub":
		return func(a, b float32) float32 { return a - b }
	case "Mul":
		return func(a, b float32) float32 { return float32(a * b) }
	case "Div":
		return func(a, b float32) float32 { return a / b }
	case "Pow":
		return func(a, b float32) float32 { return float32(math.Pow(float64(a), float64(b))) }
	case "Sqrt":
		return func(a, _ float32) float32 { return float32(math.Sqrt(float64(a))) }
	case "Sigmoid":
		return func(a, _ float32) float32 { return float32(1 / (1 + math.Exp(-float64(a)))) }
	case "Relu":
		return func(a, _ float32) float32 { return max(a, 0) }
	case "Clip":
		return func(a, _ float32) float32 { return min(max(a, n.floats["min"]), n.floats["max"]) }
	case "HardSigmoid":
		return func(a, _ float32) float32 {
			return min(max(float32(n.floats["alpha"]*a)+n.floats["beta"], 0), 1)
		}
	}
	return nil
}

// pointwise broadcasts as NumPy does (ONNX, "Broadcasting in ONNX").
func pointwise(f func(a, b float32) float32, in []*numbers) *numbers {
	a, b := in[0], in[len(in)-1]
	dims := max(len(a.shape), len(b.shape))
	out := &numbers{shape: make([]int, dims)}
	strides := [2][]int{make([]int, dims), make([]int, dims)}
	for k, x := range []*numbers{a, b} {
		step := 1
		for i := range x.shape {
			from, to := len(x.shape)-1-i, dims-1-i
			if out.shape[to] = max(out.shape[to], x.shape[from]); x.shape[from] > 1 {
				strides[k][to] = step
			}
			step *= x.shape[from]
		}
	}
	out.v = make([]float32, sizeOf(out.shape))
	at := make([]int, dims)
	i, j := 0, 0
	for k := range out.v {
		out.v[k] = f(a.v[i], b.v[j])
		for d := dims - 1; d >= 0; d-- {
			at[d]++
			i, j = i+strides[0][d], j+strides[1][d]
			if at[d] < out.shape[d] {
				break
			}
			i, j, at[d] = i-at[d]*strides[0][d], j-at[d]*strides[1][d], 0
		}
	}
	return out
}

// means are those of runs of a width.
func means(x *numbers, width int) *numbers {
	m := &numbers{}
	for i := 0; i < len(x.v); i += width {
		sum := 0.0
		for _, v := range x.v[i:][:width] {
			sum += float64(v)
		}
		m.v = append(m.v, float32(sum/float64(width)))
	}
	return m
}

// reshape takes sizes of which 0 keeps the one that is there and -1 takes what is left.
func reshape(x *numbers, sizes []float32) (*numbers, error) {
	out := &numbers{v: x.v}
	open, n := -1, 1
	for i, s := range sizes {
		d := int(s)
		switch {
		case d == 0:
			d = x.shape[i]
		case d < 0:
			open, d = i, 1
		}
		out.shape, n = append(out.shape, d), n*d
	}
	if open >= 0 {
		out.shape[open] = len(x.v) / n
	}
	if sizeOf(out.shape) != len(x.v) {
		return nil, fmt.Errorf("%v does not become %v: %w", x.shape, out.shape, errGraph)
	}
	return out, nil
}

// transposed takes dimensions in another order.
func transposed(x *numbers, order []int) *numbers {
	out := &numbers{v: make([]float32, len(x.v))}
	strides := make([]int, len(order))
	for to, from := range order {
		out.shape = append(out.shape, x.shape[from])
		strides[to] = sizeOf(x.shape[from+1:])
	}
	at := make([]int, len(order))
	i := 0
	for k := range out.v {
		out.v[k] = x.v[i]
		for d := len(order) - 1; d >= 0; d-- {
			at[d]++
			if i += strides[d]; at[d] < out.shape[d] {
				break
			}
			i, at[d] = i-at[d]*strides[d], 0
		}
	}
	return out
}

// sliced takes a part along a dimension.
func sliced(x *numbers, axis, start, end int) *numbers {
	inner, whole := sizeOf(x.shape[axis+1:]), x.shape[axis]
	end = min(end, whole)
	out := &numbers{shape: slices.Clone(x.shape)}
	out.shape[axis] = end - start
	for i := 0; i < len(x.v); i += whole * inner {
		out.v = append(out.v, x.v[i+start*inner:i+end*inner]...)
	}
	return out
}

// joined puts values one after the other along a dimension.
func joined(in []*numbers, axis int) *numbers {
	out := &numbers{shape: slices.Clone(in[0].shape)}
	out.shape[axis] = 0
	for _, x := range in {
		out.shape[axis] += x.shape[axis]
	}
	for outer := range sizeOf(out.shape[:axis]) {
		for _, x := range in {
			n := sizeOf(x.shape[axis:])
			out.v = append(out.v, x.v[outer*n:][:n]...)
		}
	}
	return out
}

// pooled takes the mean or the greatest of windows that do not leave the picture.
func pooled(n *node, x *numbers) *numbers {
	k, step := n.ints["kernel_shape"], n.ints["strides"]
	h, w := x.shape[2], x.shape[3]
	out := &numbers{shape: []int{x.shape[0], x.shape[1], (h-k[0])/step[0] + 1, (w-k[1])/step[1] + 1}}
	for c := range x.shape[0] * x.shape[1] {
		for y := range out.shape[2] {
			for z := range out.shape[3] {
				most, sum := float32(math.Inf(-1)), 0.0
				for i := range k[0] * k[1] {
					v := x.v[(c*h+y*step[0]+i/k[1])*w+z*step[1]+i%k[1]]
					most, sum = max(most, v), sum+float64(v)
				}
				if n.op == "AveragePool" {
					most = float32(sum / float64(k[0]*k[1]))
				}
				out.v = append(out.v, most)
			}
		}
	}
	return out
}

// normalized is a batch normalization: scale, offset, mean and variance of each channel.
func normalized(n *node, in []*numbers) *numbers {
	x := in[0]
	out := &numbers{shape: x.shape, v: make([]float32, len(x.v))}
	each := sizeOf(x.shape[2:])
	for i, v := range x.v {
		c := i / each % x.shape[1]
		scale := float64(in[1].v[c]) / math.Sqrt(float64(in[4].v[c])+float64(n.floats["epsilon"]))
		out.v[i] = float32(float64((float64(v)-float64(in[3].v[c]))*scale) + float64(in[2].v[c]))
	}
	return out
}

// shares are a softmax along the last dimension, in the simulator if its width is even.
func (f *inference) shares(n *node, x *numbers) (*numbers, error) {
	width := x.shape[len(x.shape)-1]
	if axis := n.ints["axis"][0]; axis != len(x.shape)-1 {
		return nil, errGraph
	}
	if width%2 == 0 {
		v, err := f.sim.softmax(x.v, width)
		return &numbers{x.shape, v}, err
	}
	out := &numbers{shape: x.shape}
	for i := 0; i < len(x.v); i += width {
		most, sum := slices.Max(x.v[i:i+width]), 0.0
		for _, v := range x.v[i : i+width] {
			sum += math.Exp(float64(v - most))
		}
		for _, v := range x.v[i : i+width] {
			out.v = append(out.v, float32(math.Exp(float64(v-most))/sum))
		}
	}
	return out, nil
}

// matmul multiplies matrices in the simulator; one that has fewer dimensions serves all.
func (f *inference) matmul(x, w *numbers) (*numbers, error) {
	depth, columns := w.shape[len(w.shape)-2], w.shape[len(w.shape)-1]
	order := make([]int, len(w.shape))
	for i := range order {
		order[i] = i
	}
	order[len(order)-1], order[len(order)-2] = len(order)-2, len(order)-1
	turned := transposed(w, order)
	many := len(w.v) / (depth * columns)
	out := &numbers{shape: append(slices.Clone(x.shape[:len(x.shape)-1]), columns)}
	for i := range many {
		part := len(x.v) / many
		v, err := f.sim.product(x.v[i*part:][:part], turned.v[i*depth*columns:][:depth*columns], depth)
		if err != nil {
			return nil, err
		}
		out.v = append(out.v, v...)
	}
	return out, nil
}

// convolution is a product in the simulator if the window is 1 x 1, and on the host otherwise.
func (f *inference) convolution(n *node, in []*numbers) (out *numbers, err error) {
	x, w, k, step, pads := in[0], in[1], n.ints["kernel_shape"], n.ints["strides"], n.ints["pads"]
	channels, h, wide := x.shape[1], x.shape[2], x.shape[3]
	if k[0]*k[1] == 1 && n.ints["group"][0] == 1 && step[0] == 1 && step[1] == 1 {
		pixels := transposed(&numbers{[]int{channels, h * wide}, x.v}, []int{1, 0})
		v, err := f.sim.product(pixels.v, w.v, channels)
		if err != nil {
			return nil, err
		}
		out = transposed(&numbers{[]int{h * wide, w.shape[0]}, v}, []int{1, 0})
		out.shape = []int{1, w.shape[0], h, wide}
	} else {
		out = windows(x, w, k, step, pads, n.ints["group"][0])
	}
	if len(in) > 2 {
		each := out.shape[2] * out.shape[3]
		for i := range out.v {
			out.v[i] += in[2].v[i/each]
		}
	}
	return out, nil
}

// windows is a convolution with windows of any size; pads are those above, left, below and right.
func windows(x, w *numbers, k, step, pads []int, groups int) *numbers {
	h, wide := x.shape[2], x.shape[3]
	high, across := (h+pads[0]+pads[2]-k[0])/step[0]+1, (wide+pads[1]+pads[3]-k[1])/step[1]+1
	out := &numbers{shape: []int{1, w.shape[0], high, across}}
	depth, each := w.shape[1], w.shape[0]/groups
	for c := range w.shape[0] {
		for y := range out.shape[2] {
			for z := range out.shape[3] {
				sum := float32(0)
				for d := range depth {
					from := (c/each*depth + d) * h * wide
					for i := range k[0] * k[1] {
						row, column := y*step[0]+i/k[1]-pads[0], z*step[1]+i%k[1]-pads[1]
						if row >= 0 && row < h && column >= 0 && column < wide {
							sum += float32(x.v[from+row*wide+column] * w.v[(c*depth+d)*k[0]*k[1]+i])
						}
					}
				}
				out.v = append(out.v, sum)
			}
		}
	}
	return out
}
