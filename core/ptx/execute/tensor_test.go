package execute

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// tensorHead is the beginning of a kernel with a tensor map as its parameter and 16 KiB of shared memory: %m is the
// map's generic address, %b that of out, %s the shared address, %k that of an mbarrier, which waits for one arrival,
// and %c are coordinates.
const tensorHead = `.version 8.6
.target sm_90a
.address_size 64
.visible .entry test(.param .align 64 .b8 tm[128], .param .u64 in, .param .u64 out, .param .align 4 .b8 at[20]) {
.reg .b64 %m, %a, %b, %x<9>; .reg .b32 %s, %k, %t, %c<5>, %r<9>; .reg .b16 %h<4>; .reg .pred %p, %q, %g;
.shared .align 1024 .b8 buffer[16384]; .shared .align 8 .b64 bar;
mov.b64 %m, tm; cvta.param.u64 %m, %m; ld.param.u64 %a, [in]; ld.param.u64 %b, [out];
ld.param.u32 %c0, [at]; ld.param.u32 %c1, [at+4]; ld.param.u32 %c2, [at+8]; ld.param.u32 %c3, [at+12];
ld.param.u32 %c4, [at+16];
mov.u32 %t, %tid.x; mov.u32 %s, buffer; mov.u32 %k, bar;
setp.eq.u32 %p, %t, 0; @%p mbarrier.init.shared::cta.b64 [%k], 1; bar.sync 0;
`

// tensorDump copies all of shared memory to out; tensorLoad brings in there.
const (
	tensorDump = `bar.sync 0; mov.u32 %r0, %t; D: shl.b32 %r1, %r0, 2; cvt.u64.u32 %x0, %r1; add.u64 %x0, %x0, %b;
add.u32 %r1, %r1, %s;
ld.shared.u32 %r2, [%r1]; st.global.u32 [%x0], %r2; add.u32 %r0, %r0, 64; setp.lt.u32 %q, %r0, 4096; @%q bra D;`
	tensorStaged = `mov.u32 %r0, %t; L: shl.b32 %r1, %r0, 2; cvt.u64.u32 %x0, %r1; add.u64 %x0, %x0, %a;
add.u32 %r1, %r1, %s;
ld.global.u32 %r2, [%x0]; st.shared.u32 [%r1], %r2; add.u32 %r0, %r0, 64; setp.lt.u32 %q, %r0, 4096; @%q bra L;
fence.proxy.async.shared::cta; bar.sync 0;`
	tensorWait = `W: mbarrier.try_wait.parity.shared::cta.b64 %q, [%k], 0; @!%q bra W;`
)

const tensorBytes = 16384

// tensorRun is a launch of tensorHead and a body.
type tensorRun struct {
	m       ptx.TensorMap // of the buffer tensor
	at      [5]int32
	offsets [3]uint16 // of a load in im2col mode
	tensor  []byte
	in, out []byte
}

func (x *tensorRun) run(t *testing.T, body string) error {
	t.Helper()
	return x.runVersion(t, "8.6", body)
}

func (x *tensorRun) runVersion(t *testing.T, version, body string) error {
	t.Helper()
	head := strings.Replace(tensorHead, ".version 8.6", ".version "+version, 1)
	m, err := compile.Load("tensor.ptx", []byte(head+body+"\nret; }\n"))
	if err != nil {
		t.Fatalf("%v in\n%s", err, body)
	}
	image, _ := mem.NewImage(mem.DefaultBase, 1<<24)
	tensor, _ := image.Alloc("tensor", uint64(len(x.tensor)))
	a, _ := image.Alloc("in", tensorBytes)
	b, _ := image.Alloc("out", tensorBytes)
	x.m.Address = tensor.Base
	params := make([]byte, 164)
	copy(params, x.m.Encode())
	writeBytes(params[128:], 8, a.Base)
	writeBytes(params[136:], 8, b.Base)
	for i, c := range x.at {
		writeBytes(params[144+4*i:], 4, uint64(uint32(c)))
	}
	image.Write(tensor.Base, x.tensor)
	image.Write(a.Base, x.in)
	image.Write(b.Base, x.out)
	k := loadKernel(t, m, "test", image)
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}, Params: params}
	_, err = RunFunctional(l, image, FunctionalOptions{MaxWarpInstructions: 1 << 18})
	image.Read(tensor.Base, x.tensor)
	image.Read(b.Base, x.out)
	return err
}

// coordinates are %c0 to %c4 as far as the map has dimensions.
func (x *tensorRun) coordinates() string {
	list := []string{"%c0", "%c1", "%c2", "%c3", "%c4"}
	return strings.Join(list[:x.m.Rank], ", ")
}

// mode is the word of a load or of a store.
func (x *tensorRun) mode(load bool) string {
	switch {
	case x.m.Im2col && load:
		return "im2col"
	case x.m.Im2col:
		return "im2col_no_offs"
	}
	return "tile"
}

// columns puts a map into im2col mode.
func (x *tensorRun) columns(r *rand.Rand) {
	m := &x.m
	m.Im2col, m.Channels, m.Pixels, m.Box = true, m.Box[0], uint32(1+r.Intn(60)), [5]uint32{}
	for d := range m.Rank - 2 {
		m.Lower[d], m.Upper[d], x.offsets[d] = int32(-r.Intn(3)), int32(-r.Intn(3)), uint16(r.Intn(3))
		x.at[1+d] = m.Lower[d] + int32(r.Intn(2))
	}
}

// randomTensor returns a run with a random tensor, whose boxes fit into shared memory.
func randomTensor(r *rand.Rand) *tensorRun { return randomTensorOf(r, ptx.TensorReplaceTypes...) }

// randomTensorOf is randomTensor with elements of one of some types.
func randomTensorOf(r *rand.Rand, types ...ptx.TensorType) *tensorRun {
	for {
		x := &tensorRun{in: make([]byte, tensorBytes), out: make([]byte, tensorBytes)}
		m := &x.m
		*m = ptx.TensorMap{Type: types[r.Intn(len(types))], Rank: 1 + r.Intn(5),
			Swizzle: ptx.TensorSwizzle(r.Intn(4))}
		stride := uint64(0)
		for d := range m.Rank {
			m.Dims[d], m.Box[d], m.ElementStrides[d] = uint64(1+r.Intn(9)), uint32(1+r.Intn(4)), uint32(1+r.Intn(2))
			if d == 0 {
				m.Dims[0], m.Box[0] = uint64(1+r.Intn(150)), uint32(1+r.Intn(128))
				stride = (m.Dims[0]*uint64(m.Type.Bytes()) + 15 + uint64(r.Intn(48))) / 16 * 16
			} else {
				m.Strides[d-1] = stride
				stride *= m.Dims[d]
			}
			x.at[d] = int32(r.Intn(int(m.Dims[d])+8) - 5)
		}
		m.FillNaN = m.Type.NaN() != 0 && r.Intn(2) == 0
		if m.Rank > 2 && r.Intn(2) == 0 {
			x.columns(r)
		}
		if m.Check() != "" || stride > 1<<18 {
			continue
		}
		if box := ptx.NewTensorBox(m, x.at, x.offsets, 1); box.SharedBytes() <= tensorBytes-1024 {
			x.tensor = make([]byte, stride)
			for _, b := range [][]byte{x.tensor, x.in, x.out} {
				r.Read(b)
			}
			return x
		}
	}
}

// TestTensorLoads compares images of shared memory, tiled and im2col, with the units of ptx.TensorBox, which have a
// slow twin of their own.
func TestTensorLoads(t *testing.T) {
	r := rand.New(rand.NewSource(40))
	for range 60 {
		x := randomTensor(r)
		size := x.m.Type.Bytes()
		box := ptx.NewTensorBox(&x.m, x.at, x.offsets, uint64(size)) // element by element
		want := make([]byte, tensorBytes)
		for n := range box.Units() {
			to := box.Shared(0, n)
			if from, ok := box.Global(n); ok {
				copy(want[to:], x.tensor[from:from+uint64(size)])
			} else if x.m.FillNaN {
				for b := range size {
					want[to+uint64(b)] = byte(x.m.Type.NaN() >> (8 * b))
				}
			}
		}
		space := []string{"shared::cluster", "shared::cta"}[r.Intn(2)]
		offsets := ""
		if x.m.Im2col {
			offsets = ", {" + strings.Join([]string{"%h0", "%h1", "%h2"}[:x.m.Rank-2], ", ") + "}"
		}
		err := x.run(t, fmt.Sprintf(`@!%%p bra END; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%%k], %d;
mov.u16 %%h0, %d; mov.u16 %%h1, %d; mov.u16 %%h2, %d;
cp.async.bulk.tensor.%dd.%s.global.%s.mbarrier::complete_tx::bytes [%%s], [%%m, {%s}], [%%k]%s;
END: `, box.Bytes(), x.offsets[0], x.offsets[1], x.offsets[2], x.m.Rank, space, x.mode(true), x.coordinates(),
			offsets)+tensorWait+tensorDump)
		if err != nil {
			t.Fatalf("%v: %+v", err, x.m)
		}
		if !bytes.Equal(x.out, want) {
			t.Fatalf("%+v at %v: shared memory differs", x.m, x.at)
		}
	}
}

// TestTensorStores stores boxes: elements out of bounds stay. TestTensorReductions has the other operations.
func TestTensorStores(t *testing.T) {
	r := rand.New(rand.NewSource(41))
	for range 30 {
		x := randomTensor(r)
		size := uint64(x.m.Type.Bytes())
		want := bytes.Clone(x.tensor)
		box := ptx.NewTensorBox(&x.m, x.at, [3]uint16{}, size)
		for n := range box.Units() {
			if to, ok := box.Global(n); ok {
				copy(want[to:to+size], x.in[box.Shared(0, n):])
			}
		}
		err := x.run(t, tensorStaged+fmt.Sprintf("@%%p cp.async.bulk.tensor.%dd.global.shared::cta.%s.bulk_group "+
			"[%%m, {%s}], [%%s]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
			x.m.Rank, x.mode(false), x.coordinates()))
		if err != nil {
			t.Fatalf("%v: %+v", err, x.m)
		}
		if !bytes.Equal(x.tensor, want) {
			t.Fatalf("%+v at %v: the tensor differs", x.m, x.at)
		}
	}
}
