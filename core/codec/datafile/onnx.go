package datafile

import (
	"encoding/binary"
	"io"
	"slices"
)

// openONNX reads the initializers of a model, and the tensors of its constant nodes, also those of graphs inside nodes.
// Numbers of fields and of types come from onnx/onnx, onnx/onnx.proto.
func openONNX(src io.ReaderAt, size int64, beside opener) ([]Array, error) {
	m := &onnxModel{src: src, files: onnxFiles{beside: beside}}
	p := &protoMessage{src: src, end: size}
	m.each(p, func(field int, v protoValue) {
		switch field {
		case onnxGraph:
			m.graph(v.message(src), 0)
		case onnxFunction:
			m.each(v.message(src), func(field int, v protoValue) {
				if field == onnxFunctionNode {
					m.node(v.message(src), 0)
				}
			})
		}
	})
	if m.err != nil {
		return nil, m.err
	}
	return m.list, nil
}

// Fields of messages.
const (
	onnxGraph, onnxFunction = 7, 25 // of ModelProto
	onnxFunctionNode        = 7     // of FunctionProto

	onnxNode, onnxInitializer, onnxSparse = 1, 5, 15 // of GraphProto
	onnxAttribute                         = 5        // of NodeProto
	onnxName                              = 3
	onnxValues                            = 1 // of SparseTensorProto

	onnxTensor, onnxSubgraph, onnxTensors, onnxSubgraphs = 5, 6, 10, 11 // of AttributeProto
	onnxSparseTensor, onnxSparseTensors                  = 22, 23
)

const (
	// maxGraphDepth bounds graphs inside nodes of graphs [ours].
	maxGraphDepth = 32
	// maxTensors bounds the arrays of a file [ours].
	maxTensors = 1 << 20
)

type onnxModel struct {
	src   io.ReaderAt
	files onnxFiles // beside the model
	list  []Array
	err   error // the first
}

func (m *onnxModel) failAt(at int64, format string, args ...any) {
	if m.err == nil {
		m.err = faultAt(at, format, args...)
	}
}

// each calls do with every field of a message.
func (m *onnxModel) each(p *protoMessage, do func(field int, v protoValue)) {
	for m.err == nil {
		field, v, err := p.next()
		if err == io.EOF {
			return
		}
		if err != nil {
			m.err = err
			return
		}
		do(field, v)
	}
}

func (m *onnxModel) graph(p *protoMessage, depth int) {
	if depth > maxGraphDepth {
		m.failAt(p.at, "graphs inside each other, more than %d deep: the file is damaged", maxGraphDepth)
		return
	}
	m.each(p, func(field int, v protoValue) {
		switch field {
		case onnxInitializer:
			m.tensor(v, "")
		case onnxSparse:
			m.sparse(v, "")
		case onnxNode:
			m.node(v.message(m.src), depth)
		}
	})
}

// node looks into the attributes of a node.
func (m *onnxModel) node(p *protoMessage, depth int) {
	name := ""
	m.each(p, func(field int, v protoValue) {
		switch field {
		case onnxName:
			name = m.text(v)
		case onnxAttribute:
			m.each(v.message(m.src), func(field int, v protoValue) {
				switch field {
				case onnxTensor, onnxTensors:
					m.tensor(v, name)
				case onnxSparseTensor, onnxSparseTensors:
					m.sparse(v, name)
				case onnxSubgraph, onnxSubgraphs:
					m.graph(v.message(m.src), depth+1)
				}
			})
		}
	})
}

// sparse reads the numbers of a tensor that are not zero. Their places are left out.
func (m *onnxModel) sparse(of protoValue, node string) {
	m.each(of.message(m.src), func(field int, v protoValue) {
		if field == onnxValues {
			m.tensor(v, node)
		}
	})
}

// maxNameBytes bounds the name of an array [ours].
const maxNameBytes = 1 << 16

func (m *onnxModel) text(v protoValue) string {
	if v.bytes > maxNameBytes {
		m.failAt(v.at, "a name of %d bytes: at most %d are read", v.bytes, maxNameBytes)
		return ""
	}
	b := make([]byte, max(v.bytes, 0))
	if err := readAt(m.src, b, v.at, "a name"); err != nil && m.err == nil {
		m.err = err
	}
	return string(b)
}

// onnxTypes are the types of TensorProto by their numbers. Those that nothing here takes apart are counted as bytes.
var onnxTypes = map[uint64]struct {
	t    Type
	bits int64  // of an element that is counted as bytes
	name string // of such a type
}{
	1: {t: F32}, 2: {t: U8}, 3: {t: I8}, 4: {t: U16}, 5: {t: I16}, 6: {t: I32}, 7: {t: I64}, 9: {t: Bool}, 10: {t: F16},
	11: {t: F64}, 12: {t: U32}, 13: {t: U64}, 14: {t: C64}, 15: {t: C128}, 16: {t: BF16}, 17: {t: F8},
	18: {U8, 8, "FLOAT8E4M3FNUZ"}, 19: {t: F8}, 20: {U8, 8, "FLOAT8E5M2FNUZ"},
	21: {U8, 4, "UINT4"}, 22: {U8, 4, "INT4"}, 23: {U8, 4, "FLOAT4E2M1"}, 24: {U8, 8, "FLOAT8E8M0"},
	25: {U8, 2, "UINT2"}, 26: {U8, 2, "INT2"},
}

// onnxFieldOf is the field of a type's numbers if they are not raw: onnxInts if it is not here.
var onnxFieldOf = [16]uint8{
	1: onnxFloats, 7: onnxLongs, 11: onnxDoubles, 12: onnxULongs, 13: onnxULongs, 14: onnxFloats, 15: onnxDoubles,
}

// onnxFound is what the fields of a TensorProto say.
type onnxFound struct {
	name       string
	shape      []int64
	kind       uint64
	raw        *protoValue
	typed      []protoValue // float_data, double_data: as they are; varints otherwise
	typedField int
	outside    bool
	place      onnxPlace // of a tensor in a file beside the model
}

// Fields of TensorProto.
const (
	onnxDims, onnxType, onnxSegment, onnxTensorName, onnxRaw = 1, 2, 3, 8, 9
	onnxExternal, onnxLocation                               = 13, 14
	onnxFloats, onnxInts, onnxLongs, onnxDoubles, onnxULongs = 4, 5, 7, 10, 11
)

// tensor reads a TensorProto. Strings are left out: they are no numbers.
func (m *onnxModel) tensor(of protoValue, node string) {
	found := onnxFound{name: node}
	m.each(of.message(m.src), func(field int, v protoValue) {
		switch field {
		case onnxDims:
			m.dims(v, &found)
		case onnxType:
			found.kind = v.number
		case onnxTensorName:
			if name := m.text(v); name != "" {
				found.name = name
			}
		case onnxRaw:
			found.raw = &v
		case onnxSegment:
			m.failAt(v.at, "tensor %.40q is a segment of a larger one: save the model with whole tensors", found.name)
		case onnxFloats, onnxInts, onnxLongs, onnxDoubles, onnxULongs:
			if found.typedField != 0 && found.typedField != field {
				m.failAt(v.at, "tensor %.40q has numbers in two fields", found.name)
			}
			found.typedField = field
			if found.typed = append(found.typed, v); len(found.typed) > maxPieces {
				m.failAt(v.at, "tensor %.40q has more than %d numbers one by one: save it with raw data", found.name, maxPieces)
			}
		case onnxExternal:
			found.place.read(m, v.message(m.src))
		case onnxLocation:
			found.outside = v.number == 1
		}
	})
	k, known := onnxTypes[found.kind]
	switch {
	case m.err != nil || found.kind == 8: // strings
		return
	case !known:
		m.failAt(of.at, "tensor %.40q has the type %d, which is unknown here", found.name, found.kind)
		return
	case len(m.list) == maxTensors:
		m.failAt(of.at, "more than %d tensors", maxTensors)
		return
	}
	bits := 8 * int64(k.t.Bytes())
	if k.bits > 0 {
		bits = k.bits
	}
	n, ok := count(found.shape, 1<<50)
	if !ok {
		m.failAt(of.at, "tensor %.40q has a shape that no memory holds", found.name)
		return
	}
	field := onnxInts
	if found.kind < 16 && onnxFieldOf[found.kind] != 0 {
		field = int(onnxFieldOf[found.kind])
	}
	if found.typedField != 0 && found.typedField != field {
		m.failAt(of.at, "tensor %.40q has its numbers in a field of another type", found.name)
		return
	}
	a := Array{Name: found.name, Type: k.t, Shape: found.shape, Counted: k.name, Bytes: (n*bits + 7) / 8}
	m.place(&a, &found, of.at)
	if m.err == nil {
		m.list = append(m.list, a)
	}
}

// maxPieces bounds the numbers of a tensor that stand one by one [ours].
const maxPieces = 1 << 20

// maxDims bounds the dimensions of a tensor [ours].
const maxDims = 64

// dims reads sizes of a shape: a number, or several packed ones.
func (m *onnxModel) dims(v protoValue, of *onnxFound) {
	for list := (numberList{src: m.src, left: []protoValue{v}}); m.err == nil; {
		d, err := list.next()
		if err == io.EOF {
			return
		}
		m.err = err
		if of.shape = append(of.shape, int64(d)); len(of.shape) > maxDims {
			m.failAt(v.at, "tensor %.40q has more than %d dimensions", of.name, maxDims)
		}
	}
}

// place finds the bytes of a tensor, which must be as many as its shape needs.
func (m *onnxModel) place(a *Array, found *onnxFound, at int64) {
	wrong := func(has int64) {
		m.failAt(at, "tensor %.40q has %d bytes, but its shape needs %d", found.name, has, a.Bytes)
	}
	plain := found.typedField == onnxFloats || found.typedField == onnxDoubles
	switch {
	case found.outside:
		m.outside(a, found, at)
	case found.raw != nil && found.raw.bytes > 0 && len(found.typed) > 0:
		m.failAt(at, "tensor %.40q has numbers in two fields", found.name)
	case found.raw != nil && len(found.typed) == 0:
		if found.raw.bytes != a.Bytes {
			wrong(found.raw.bytes)
		}
		a.src, a.offset = m.src, found.raw.at
	case len(found.typed) == 0:
		if a.Bytes != 0 {
			wrong(0)
		}
	case plain && len(found.typed) == 1 && found.typed[0].wire == wireBytes:
		if found.typed[0].bytes != a.Bytes {
			wrong(found.typed[0].bytes)
		}
		a.src, a.offset = m.src, found.typed[0].at
	default:
		m.unpacked(a, found, wrong)
	}
}

// unpacked counts numbers that the file holds one by one. They are decoded when somebody reads them.
func (m *onnxModel) unpacked(a *Array, found *onnxFound, wrong func(int64)) {
	for _, v := range found.typed {
		if v.wire == wireBytes && (found.typedField == onnxFloats || found.typedField == onnxDoubles) {
			m.failAt(v.at, "tensor %.40q has its numbers in several pieces", found.name)
			return
		}
	}
	list, unit, n := numberList{src: m.src, left: found.typed}, int64(a.Type.unit()), int64(0)
	for {
		if _, err := list.next(); err == io.EOF {
			break
		} else if err != nil {
			m.err = err
			return
		}
		n++
	}
	if n*unit != a.Bytes {
		wrong(n * unit)
	}
	a.unpack = func() (io.Reader, error) {
		return &numberList{src: m.src, left: found.typed, unit: int(unit)}, nil
	}
}

// numberList reads numbers of Protocol Buffers, each on its own or packed, as units of the same size.
type numberList struct {
	src    io.ReaderAt
	left   []protoValue
	packed *protoMessage
	unit   int
	rest   []byte // of a number
}

func (l *numberList) next() (uint64, error) {
	for {
		if l.packed != nil && l.packed.at < l.packed.end {
			return l.packed.varint()
		}
		if len(l.left) == 0 {
			return 0, io.EOF
		}
		v := l.left[0]
		if l.left = l.left[1:]; v.wire != wireBytes {
			return v.number, nil
		}
		l.packed = v.message(l.src)
	}
}

func (l *numberList) Read(p []byte) (n int, err error) {
	for n < len(p) {
		if len(l.rest) == 0 {
			v, err := l.next()
			if err != nil {
				return n, err
			}
			l.rest = binary.LittleEndian.AppendUint64(l.rest[:0], v)[:l.unit]
		}
		k := copy(p[n:], l.rest)
		n, l.rest = n+k, l.rest[k:]
	}
	return n, nil
}

// Kinds of values on the wire (Protocol Buffers documentation, "Encoding").
const (
	wireVarint = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5
)

// protoMessage is a message of Protocol Buffers from a place of a file to its end. It reads a piece at a time, so a
// message of any length takes little memory.
type protoMessage struct {
	src     io.ReaderAt
	at, end int64
	piece   []byte // of the file
	from    int64  // its place
}

// protoValue is the value of a field: a number, or bytes at a place of the file.
type protoValue struct {
	wire   int
	number uint64
	at     int64
	bytes  int64
}

// message returns the bytes of a value as a message.
func (v protoValue) message(src io.ReaderAt) *protoMessage {
	return &protoMessage{src: src, at: v.at, end: v.at + v.bytes}
}

// pieceBytes are read at a time: the names and shapes of a tensor are short.
const pieceBytes = 256

// bytes returns the next n bytes, at most 10.
func (p *protoMessage) bytes(n int64) ([]byte, error) {
	if p.at+n > p.end {
		return nil, faultAt(p.at, "a message ends inside a field: the file is cut off or damaged")
	}
	if p.at < p.from || p.at+n > p.from+int64(len(p.piece)) {
		p.piece = slices.Grow(p.piece[:0], pieceBytes)[:min(pieceBytes, p.end-p.at)]
		if err := readAt(p.src, p.piece, p.at, "a message"); err != nil {
			p.piece = p.piece[:0]
			return nil, err
		}
		p.from = p.at
	}
	at := p.at - p.from
	return p.piece[at : at+n], nil
}

func (p *protoMessage) varint() (uint64, error) {
	start := p.at
	b, err := p.bytes(min(binary.MaxVarintLen64, p.end-p.at))
	if err != nil {
		return 0, err
	}
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, faultAt(start, "this is no number of Protocol Buffers: the file is damaged or has another format")
	}
	p.at += int64(n)
	return v, nil
}

// next returns the next field, io.EOF at the end.
func (p *protoMessage) next() (field int, v protoValue, err error) {
	if p.at >= p.end {
		return 0, v, io.EOF
	}
	start := p.at
	tag, err := p.varint()
	if err != nil {
		return 0, v, err
	}
	v.wire, v.at = int(tag&7), p.at
	if tag>>3 == 0 || tag>>3 >= 1<<29 {
		return 0, v, faultAt(start, "field %d: the file is damaged or has another format", tag>>3)
	}
	width := map[int]int64{wire32: 4, wire64: 8}[v.wire]
	switch v.wire {
	case wireVarint:
		v.number, err = p.varint()
	case wire32, wire64:
		var b []byte
		if b, err = p.bytes(width); err == nil {
			v.number = binary.LittleEndian.Uint64(append(slices.Clone(b), 0, 0, 0, 0)[:8])
			p.at += width
		}
	case wireBytes:
		var n uint64
		n, err = p.varint()
		if err == nil && n > uint64(p.end-p.at) {
			err = faultAt(start, "a field of %d bytes where %d are left: the file is cut off or damaged", n, p.end-p.at)
		}
		v.at, v.bytes = p.at, int64(n)
		p.at += v.bytes
	default:
		err = faultAt(start, "a field of the kind %d: the file is damaged or has another format", v.wire)
	}
	return int(tag >> 3), v, err
}
