package ptx

import (
	"math/rand"
	"strings"
	"testing"
)

// slowTile lists what a tiled copy moves, element by element, as the PTX ISA says it: for each byte of the box its
// place in shared memory, and the address in global memory or -1 out of bounds.
func slowTile(m *TensorMap, at [5]int32, base uint64) (shared []uint64, global []int64) {
	size := m.Type.Bytes()
	count := [5]int{1, 1, 1, 1, 1}
	for d := range m.Rank {
		count[d] = int(m.Box[d])
		if d > 0 {
			count[d] = 0
			for x := 0; x < int(m.Box[d]); x += int(m.ElementStrides[d]) {
				count[d]++
			}
		}
	}
	pitch := count[0] * size
	if span := []int{0, 32, 64, 128}[m.Swizzle]; pitch < span {
		pitch = span
	}
	row := 0
	for i4 := range count[4] {
		for i3 := range count[3] {
			for i2 := range count[2] {
				for i1 := range count[1] {
					for i0 := range count[0] {
						address, inside := int64(m.Address), true
						for d, i := range [5]int{i0, i1, i2, i3, i4} {
							if d >= m.Rank {
								break
							}
							x := int64(at[d]) + int64(i)
							stride := int64(size)
							if d > 0 {
								x, stride = int64(at[d])+int64(i)*int64(m.ElementStrides[d]), int64(m.Strides[d-1])
							}
							inside = inside && x >= 0 && x < int64(m.Dims[d])
							address += x * stride
						}
						for b := range size {
							to := base + uint64(row*pitch+i0*size+b)
							// The number of the 16-byte chunk in its 128-byte line, combined with that of the line.
							chunk, line := to/16%8, to/128
							to = line*128 + (chunk^line%[]uint64{1, 2, 4, 8}[m.Swizzle])*16 + to%16
							shared = append(shared, to)
							if inside {
								global = append(global, address+int64(b))
							} else {
								global = append(global, -1)
							}
						}
					}
					row++
				}
			}
		}
	}
	return shared, global
}

// randomMap returns a legal map in tiled mode with small boxes.
func randomMap(r *rand.Rand) *TensorMap {
	for {
		m := &TensorMap{Type: TensorType(r.Intn(len(TensorTypes))), Rank: 1 + r.Intn(5),
			Swizzle: TensorSwizzle(r.Intn(4)), Address: 4096}
		stride := uint64(0)
		for d := range m.Rank {
			m.Dims[d], m.ElementStrides[d] = uint64(1+r.Intn(20)), uint32(1+r.Intn(3))
			m.Box[d] = uint32(1 + r.Intn(5))
			if d == 0 {
				m.Dims[0], m.Box[0] = uint64(1+r.Intn(200)), uint32(1+r.Intn(128))
				stride = (m.Dims[0]*uint64(m.Type.Bytes()) + 15 + uint64(r.Intn(64))) / 16 * 16
			} else {
				m.Strides[d-1] = stride
				stride *= m.Dims[d]
			}
		}
		if m.Check() == "" {
			return m
		}
	}
}

// TestTensorBox compares the units of copies with the slow twin.
func TestTensorBox(t *testing.T) {
	r := rand.New(rand.NewSource(37))
	widest := map[uint64]bool{}
	for range 400 {
		m := randomMap(r)
		var at [5]int32
		for d := range m.Rank {
			at[d] = int32(r.Intn(int(m.Dims[d])+12) - 8)
		}
		if r.Intn(2) == 0 {
			at[0] &^= 7
		}
		base := uint64(1024 * r.Intn(3))
		shared, global := slowTile(m, at, base)
		box := NewTensorBox(m, at, [3]uint16{}, 16)
		widest[box.Unit] = true
		if box.Bytes() != uint64(len(shared)) {
			t.Fatalf("%+v: %d bytes, want %d", m, box.Bytes(), len(shared))
		}
		for n := range box.Units() {
			to := box.Shared(base, n)
			from, ok := box.Global(n)
			for b := range box.Unit {
				k := n*box.Unit + b
				if shared[k] != to+b || ok != (global[k] >= 0) || ok && uint64(global[k]) != from+b {
					t.Fatalf("%+v at %v: byte %d lies at %#x and %#x (%v), want %#x and %#x", m, at, k, to+b,
						from+b, ok, shared[k], global[k])
				}
			}
		}
	}
	if len(widest) != 5 {
		t.Errorf("units of %v bytes only: the test needs all", widest)
	}
}

// TestTensorColumns compares the pixels of an im2col copy with a walk through the bounding box, pixel by pixel.
func TestTensorColumns(t *testing.T) {
	r := rand.New(rand.NewSource(38))
	for range 400 {
		m := &TensorMap{Type: 6, Rank: 3 + r.Intn(3), Im2col: true, Channels: 8, Pixels: uint32(1 + r.Intn(60))}
		stride := uint64(32)
		var at [5]int32
		var offsets [3]uint16
		for d := range m.Rank {
			m.Dims[d], m.ElementStrides[d] = uint64(3+r.Intn(6)), uint32(1+r.Intn(2))
			at[d] = int32(r.Intn(2))
			if d > 0 {
				m.Strides[d-1] = stride
				stride *= m.Dims[d]
			}
			if d > 0 && d < m.Rank-1 {
				m.Lower[d-1], m.Upper[d-1], offsets[d-1] = int32(-r.Intn(3)), int32(-r.Intn(3)), uint16(r.Intn(3))
				at[d] = m.Lower[d-1] + int32(r.Intn(2))
			}
		}
		m.Dims[0] = 16
		if wrong := m.Check(); wrong != "" {
			t.Fatal(wrong)
		}
		box := NewTensorBox(m, at, offsets, 16)
		position := at
		for n := range uint64(m.Pixels) {
			want, inside := uint64(at[0])*2, true
			for d := 1; d < m.Rank; d++ {
				x := int64(position[d])
				if d < m.Rank-1 {
					x += int64(offsets[d-1])
				}
				inside = inside && x >= 0 && x < int64(m.Dims[d])
				want += uint64(x) * m.Strides[d-1]
			}
			got, ok := box.Global(n * box.Row)
			if ok != inside || ok && got != want {
				t.Fatalf("%+v at %v: pixel %d lies at %#x (%v), want %#x (%v)", m, at, n, got, ok, want, inside)
			}
			for d := 1; d < m.Rank; d++ { // the next pixel
				if d == m.Rank-1 {
					position[d]++
					break
				}
				end := int64(m.Dims[d]) + int64(m.Upper[d-1])
				if position[d] += int32(m.ElementStrides[d]); int64(position[d]) < end {
					break
				}
				position[d] = m.Lower[d-1]
			}
		}
	}
}

// TestTensorMapBytes: a map is what its 128 bytes say, and other bytes are no map.
func TestTensorMapBytes(t *testing.T) {
	r := rand.New(rand.NewSource(39))
	for range 200 {
		m := randomMap(r)
		m.Lower, m.Upper, m.Promotion, m.FillNaN = [3]int32{-5, 3, -1}, [3]int32{2, -3, 0}, 3, true
		var b [TensorMapBytes]byte
		copy(b[:], m.Encode())
		if got, ok := DecodeTensorMap(&b); !ok || got != *m {
			t.Fatalf("%+v, want %+v", got, *m)
		}
		b[0] ^= 1
		if _, ok := DecodeTensorMap(&b); ok {
			t.Fatal("other bytes are taken for a map")
		}
	}
}

// TestTensorMapRules breaks each rule of cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col alone.
func TestTensorMapRules(t *testing.T) {
	tiled := func() *TensorMap {
		return &TensorMap{Type: 6, Rank: 3, Dims: [5]uint64{64, 32, 8}, Strides: [4]uint64{128, 4096},
			Box:            [5]uint32{32, 8, 2},
			ElementStrides: [5]uint32{1, 1, 1}, Swizzle: 2}
	}
	column := func() *TensorMap {
		m := tiled()
		m.Im2col, m.Channels, m.Pixels = true, 32, 64
		return m
	}
	for _, c := range []struct {
		make  func() *TensorMap
		spoil func(m *TensorMap)
		want  string
	}{
		{tiled, func(*TensorMap) {}, ""},
		{column, func(*TensorMap) {}, ""},
		{tiled, func(m *TensorMap) { m.Type = 13 }, "dtype"},
		{tiled, func(m *TensorMap) { m.Rank = 0 }, "the rank is 0"},
		{tiled, func(m *TensorMap) { m.Rank = 6 }, "the rank is 6"},
		{tiled, func(m *TensorMap) { m.Rank, m.Interleave = 2, 1 }, "want 3 to 5"},
		{tiled, func(m *TensorMap) { m.Address = 8 }, "multiple of 16"},
		{tiled, func(m *TensorMap) { m.Dims[1] = 0 }, "dims: dimension 1 has 0"},
		{tiled, func(m *TensorMap) { m.Dims[1] = 1<<32 + 1 }, "dims: dimension 1"},
		{tiled, func(m *TensorMap) { m.Dims[1] = 1 << 32 }, ""},
		{tiled, func(m *TensorMap) { m.Strides[0] = 120 }, "strides: 120"},
		{tiled, func(m *TensorMap) { m.Strides[1] = 1 << 40 }, "strides: 1099511627776"},
		{tiled, func(m *TensorMap) { m.Box[2] = 0 }, "box: dimension 2 has 0"},
		{tiled, func(m *TensorMap) { m.Box[2] = 257 }, "box: dimension 2 has 257"},
		{tiled, func(m *TensorMap) { m.Box[0] = 4 }, "a row of 8 bytes"},
		{tiled, func(m *TensorMap) { m.Box[0] = 40 }, "swizzle=64B takes rows of at most 64 bytes, not 80"},
		{tiled, func(m *TensorMap) { m.ElementStrides[1] = 9 }, "elementStrides: dimension 1 has 9"},
		{tiled, func(m *TensorMap) { m.ElementStrides[1] = 0 }, "elementStrides: dimension 1 has 0"},
		{tiled, func(m *TensorMap) { m.ElementStrides[0] = 9 }, ""}, // ignored
		{tiled, func(m *TensorMap) { m.Interleave = 2 }, "interleave=32B goes with swizzle=32B"},
		{tiled, func(m *TensorMap) { m.Interleave = 1 }, "in one slice of 16 bytes"},
		{tiled, func(m *TensorMap) { m.Interleave, m.Dims[0], m.Box[0] = 1, 8, 8 }, ""},
		{tiled, func(m *TensorMap) { m.Type, m.FillNaN, m.Box[0] = 2, true, 16 }, "floating-point types"},
		{tiled, func(m *TensorMap) { m.FillNaN = true }, ""},
		{column, func(m *TensorMap) { m.Rank = 2 }, "want 3 to 5"},
		{column, func(m *TensorMap) { m.Channels = 0 }, "channels: 0"},
		{column, func(m *TensorMap) { m.Channels = 3 }, "6 bytes of a pixel"},
		{column, func(m *TensorMap) { m.Channels = 64 }, "pixels of at most 64 bytes"},
		{column, func(m *TensorMap) { m.Pixels = 1025 }, "pixels: 1025"},
		{column, func(m *TensorMap) { m.Rank, m.Strides[2], m.Strides[3], m.Lower[1] = 5, 16, 16, -17 },
			"-17 of dimension 2: want -16 to 15"},
	} {
		m := c.make()
		for d := 3; d < 5; d++ {
			m.Dims[d], m.ElementStrides[d], m.Box[d] = 2, 1, 1
		}
		c.spoil(m)
		if got := m.Check(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", m, got, c.want)
		}
	}
}
