package argument

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/workload"
)

// parseTensorMap reads tensormap:NAME,dtype=f16,dims=40x20,strides=96,box=24x12,... The buffer and its offset are
// those of ptr:NAME+BYTES. Dimension 0 comes first; strides are bytes from dimension 1 on, dense rows without them.
func parseTensorMap(text, rest string) (Argument, error) {
	a := Argument{Kind: TensorMap, Text: rest, Bytes: ptx.TensorMapBytes}
	a.In, _, _ = strings.Cut(rest, ",")
	if a.In == "" {
		return a, fmt.Errorf("%s has no buffer: write tensormap:NAME,dtype=f16,dims=64x64,box=64x16", fault.Quote(text))
	}
	if _, err := readTensorMap(rest); err != nil {
		return a, fmt.Errorf("%s: %w", fault.Quote(text), err)
	}
	return a, nil
}

// tensorMap returns the 128 bytes of a tensor map.
func (s *Argument) tensorMap(in *Scope) (*workload.ByValue, error) {
	m, err := readTensorMap(s.Text)
	if err != nil {
		return nil, err
	}
	buffer, offset, err := in.Pointer(s.In)
	if err != nil {
		return nil, err
	}
	if m.Address = offset; m.Check() != "" { // a buffer begins at a multiple of 256
		return nil, fmt.Errorf("tensormap:%s: %s", fault.Quote(s.In), m.Check())
	}
	return workload.TensorMap(m, buffer), nil
}

// tensorSettings are the settings of a map after the buffer's name.
var tensorSettings = []string{"dtype", "rank", "dims", "strides", "box", "elementStrides", "interleave", "swizzle",
	"l2promotion", "oobfill", "mode", "lower", "upper", "channels", "pixels"}

func readTensorMap(text string) (*ptx.TensorMap, error) {
	m := &ptx.TensorMap{ElementStrides: [5]uint32{1, 1, 1, 1, 1}}
	given := map[string]string{}
	parts := strings.Split(text, ",")
	for _, part := range parts[1:] {
		key, value, ok := strings.Cut(part, "=")
		if key = strings.TrimSpace(key); strings.EqualFold(key, "elementstrides") {
			key = "elementStrides"
		}
		switch _, twice := given[key]; {
		case !ok || !slices.Contains(tensorSettings, key):
			return nil, fmt.Errorf("%s is not a setting of a tensor map: use %s", fault.Quote(part),
				strings.Join(tensorSettings, ", "))
		case twice:
			return nil, fmt.Errorf("%s is given twice: give it once", key)
		}
		given[key] = strings.TrimSpace(value)
	}
	r := tensorReader{given: given, m: m}
	r.words()
	r.extents()
	if r.err != nil {
		return nil, r.err
	}
	if wrong := m.Check(); wrong != "" {
		return nil, fmt.Errorf("%s", wrong)
	}
	return m, nil
}

// tensorReader keeps the first error.
type tensorReader struct {
	given map[string]string
	m     *ptx.TensorMap
	err   error
}

func (r *tensorReader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// word returns the number of a setting's word in a list, 0 without the setting.
func (r *tensorReader) word(key string, list []string) int {
	value, ok := r.given[key]
	if !ok {
		return 0
	}
	i := slices.IndexFunc(list, func(word string) bool { return strings.EqualFold(word, value) })
	if i < 0 {
		r.fail("%s=%s: use %s", key, fault.Quote(value), strings.Join(list, ", "))
		return 0
	}
	return i
}

// list returns the numbers of a setting such as 64x16, and refuses more than most.
func (r *tensorReader) list(key string, most, bits int) []int64 {
	value, ok := r.given[key]
	if !ok || value == "" {
		return nil
	}
	var list []int64
	for _, text := range strings.Split(value, "x") {
		n, err := strconv.ParseInt(text, 0, bits)
		if err != nil || n < 0 && key != "lower" && key != "upper" {
			r.fail("%s=%s: want numbers with x between them, such as 64x16", key, fault.Quote(value))
			return nil
		}
		list = append(list, n)
	}
	if len(list) > most {
		r.fail("%s=%s: %d numbers, and at most %d are possible", key, fault.Quote(value), len(list), most)
		return nil
	}
	return list
}

func (r *tensorReader) words() {
	m := r.m
	if _, ok := r.given["dtype"]; !ok {
		r.fail("dtype is missing: give dtype=f16, say; the types are %s", strings.Join(ptx.TensorTypes, ", "))
	}
	r.given["dtype"] = strings.Replace(r.given["dtype"], "_ftz", ".ftz", 1)
	m.Type = ptx.TensorType(r.word("dtype", ptx.TensorTypes))
	m.Interleave = ptx.TensorInterleave(r.word("interleave", ptx.TensorInterleaves))
	m.Swizzle = ptx.TensorSwizzle(r.word("swizzle", ptx.TensorSwizzles))
	m.Promotion = uint8(r.word("l2promotion", ptx.TensorPromotions))
	m.FillNaN = r.word("oobfill", ptx.TensorFills) == 1
	m.Im2col = r.word("mode", ptx.TensorModes) == 1
}

// extents reads what has a number for each dimension.
func (r *tensorReader) extents() {
	m := r.m
	dims := r.list("dims", 5, 64)
	if len(dims) == 0 {
		r.fail("dims is missing: give the elements of each dimension, dimension 0 first, such as dims=64x128")
		return
	}
	m.Rank = len(dims)
	if rank := r.list("rank", 1, 32); len(rank) == 1 && rank[0] != int64(m.Rank) {
		r.fail("rank=%d, but dims has %d numbers", rank[0], m.Rank)
	}
	for i, d := range dims {
		m.Dims[i] = uint64(d)
	}
	strides := r.list("strides", 4, 64)
	if len(strides) == 0 { // dense rows
		for n, i := m.Dims[0]*uint64(m.Type.Bytes()), 1; i < m.Rank; i++ {
			strides = append(strides, int64(n))
			n *= m.Dims[i]
		}
	}
	r.exactly("strides", len(strides), m.Rank-1)
	for i, s := range strides {
		m.Strides[i] = uint64(s)
	}
	elements := r.list("elementStrides", 5, 32)
	if len(elements) > 0 {
		r.exactly("elementStrides", len(elements), m.Rank)
	}
	for i, s := range elements {
		m.ElementStrides[i] = uint32(min(s, 255))
	}
	if m.Im2col {
		r.im2col()
		return
	}
	for _, key := range []string{"lower", "upper", "channels", "pixels"} {
		if _, ok := r.given[key]; ok {
			r.fail("%s goes with mode=im2col", key)
		}
	}
	box := r.list("box", 5, 32)
	r.exactly("box", len(box), m.Rank)
	for i, n := range box {
		m.Box[i] = uint32(min(n, 1<<16-1))
	}
}

func (r *tensorReader) exactly(key string, have, want int) {
	if have != want {
		r.fail("%s has %d numbers, and %d dimensions need %d", key, have, r.m.Rank, want)
	}
}

func (r *tensorReader) im2col() {
	m := r.m
	if _, ok := r.given["box"]; ok {
		r.fail("box goes with mode=tiled: im2col has lower, upper, channels and pixels")
	}
	lower, upper := r.list("lower", 3, 16), r.list("upper", 3, 16)
	r.exactly("lower", len(lower), m.Rank-2)
	r.exactly("upper", len(upper), m.Rank-2)
	if r.err != nil {
		return
	}
	for i := range lower {
		m.Lower[i], m.Upper[i] = int32(lower[i]), int32(upper[i])
	}
	m.Channels, m.Pixels = r.one("channels"), r.one("pixels")
}

func (r *tensorReader) one(key string) uint32 {
	list := r.list(key, 1, 32)
	if len(list) != 1 {
		r.fail("%s is missing: im2col needs the channels of a pixel and the pixels of a column", key)
		return 0
	}
	return uint32(min(list[0], 1<<16-1))
}
