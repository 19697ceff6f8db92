package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
)

// numbers are the value of an edge of a graph: all are f32 here, sizes and places too.
type numbers struct {
	shape []int
	v     []float32
}

// node is an operation of a graph.
type node struct {
	op        string
	ins, outs []string
	ints      map[string][]int
	floats    map[string]float32
	constant  *numbers
}

// graph is a model of ONNX: nodes in an order in which all inputs of a node are there before it.
type graph struct {
	nodes         []node
	input, output string
}

var errGraph = errors.New("the model is damaged, or has a form that is not run here")

// fields calls do with each field of a message of Protocol Buffers (its documentation, "Encoding").
func fields(b []byte, do func(field int, number uint64, bytes []byte) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return errGraph
		}
		b = b[n:]
		var number uint64
		var bytes []byte
		switch width := map[uint64]int{1: 8, 5: 4}[tag&7]; {
		case tag&7 == 0:
			if number, n = binary.Uvarint(b); n <= 0 {
				return errGraph
			}
			b = b[n:]
		case tag&7 == 2:
			size, n := binary.Uvarint(b)
			if n <= 0 || size > uint64(len(b)-n) {
				return errGraph
			}
			bytes, b = b[n:][:size], b[n+int(size):]
		case width > 0 && len(b) >= width:
			for i := range width {
				number |= uint64(b[i]) << (8 * i)
			}
			b = b[width:]
		default:
			return errGraph
		}
		if err := do(int(tag>>3), number, bytes); err != nil {
			return err
		}
	}
	return nil
}

// openGraph reads a model. Numbers of fields come from onnx/onnx, onnx/onnx.proto.
func openGraph(path string) (*graph, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	g := &graph{}
	err = fields(b, func(field int, _ uint64, b []byte) error {
		if field != 7 {
			return nil
		}
		return fields(b, func(field int, _ uint64, b []byte) error {
			switch field {
			case 1:
				return g.node(b)
			case 11, 12:
				return fields(b, func(of int, _ uint64, name []byte) error {
					if of == 1 && field == 11 {
						g.input = string(name)
					} else if of == 1 {
						g.output = string(name)
					}
					return nil
				})
			}
			return nil
		})
	})
	return g, err
}

func (g *graph) node(b []byte) error {
	n := node{ints: map[string][]int{}, floats: map[string]float32{}}
	err := fields(b, func(field int, _ uint64, b []byte) error {
		switch field {
		case 1:
			n.ins = append(n.ins, string(b))
		case 2:
			n.outs = append(n.outs, string(b))
		case 4:
			n.op = string(b)
		case 5:
			return n.attribute(b)
		}
		return nil
	})
	g.nodes = append(g.nodes, n)
	return err
}

func (n *node) attribute(b []byte) error {
	name := ""
	return fields(b, func(field int, number uint64, b []byte) (err error) {
		switch field {
		case 1:
			name = string(b)
		case 2:
			n.floats[name] = math.Float32frombits(uint32(number))
		case 3:
			n.ints[name] = []int{int(number)}
		case 5:
			n.constant, err = constantOf(b)
		case 8:
			if b == nil {
				n.ints[name] = append(n.ints[name], int(number))
			}
			for len(b) > 0 {
				v, k := binary.Uvarint(b)
				if k <= 0 {
					return errGraph
				}
				n.ints[name], b = append(n.ints[name], int(v)), b[k:]
			}
		}
		return err
	})
}

// constantOf reads a tensor with raw data in f32, i32 or i64.
func constantOf(b []byte) (*numbers, error) {
	t, kind := &numbers{}, uint64(0)
	var raw []byte
	err := fields(b, func(field int, number uint64, b []byte) error {
		switch {
		case field == 1 && b == nil:
			t.shape = append(t.shape, int(number))
		case field == 1:
			return errGraph // sizes are not packed in these models
		case field == 2:
			kind = number
		case field == 9:
			raw = b
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for ; len(raw) >= 4; raw = raw[4:] {
		word := binary.LittleEndian.Uint32(raw)
		switch kind {
		case 1:
			t.v = append(t.v, math.Float32frombits(word))
		case 6:
			t.v = append(t.v, float32(int32(word)))
		case 7:
			t.v = append(t.v, float32(int32(word)))
			raw = raw[4:]
		default:
			return nil, fmt.Errorf("a constant of type %d: %w", kind, errGraph)
		}
	}
	if len(t.v) != sizeOf(t.shape) {
		return nil, errGraph
	}
	return t, nil
}

// sizeOf is how many elements a shape has.
func sizeOf(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
