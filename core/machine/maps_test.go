package machine

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// mapCopy copies 16 words by the map at %x to shared memory and waits: %v is the first word, %d the cycles.
const mapCopy = `mov.u64 %c0, %clock64; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64; mov.u32 %z, 0;
cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%x, {%z}], [%k];
W$: mbarrier.try_wait.parity.shared::cta.b64 %q, [%k], %par; @!%q bra W$; xor.b32 %par, %par, 1;
mov.u64 %c1, %clock64; sub.u64 %c1, %c1, %c0; cvt.u32.u64 %d, %c1; ld.shared.u32 %v, [%s];
`

// mapMachine runs a body on an H100 in some CTAs of one thread. in has 16 KiB of words, each its own number. %a is
// their address, %m that of maps, of which map i has 16 words from word 16*i on, %b that of the table, and %o that of
// out.
func mapMachine(t *testing.T, ctas uint32, maps int, table []uint32, out int, body string) (words []uint32) {
	t.Helper()
	k := onlyKernel(t, `.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 maps, .param .u64 table, .param .u64 out) {
.reg .b64 %a, %m, %b, %o, %x, %y, %c<3>; .reg .b32 %s, %k, %z, %v, %d, %par, %op, %i, %e, %r<4>; .reg .pred %q, %p;
.shared .align 128 .b8 tile[128]; .shared .align 8 .b64 bar;
ld.param.u64 %a, [in]; ld.param.u64 %m, [maps]; ld.param.u64 %b, [table]; ld.param.u64 %o, [out];
mov.u32 %s, tile; mov.u32 %k, bar; mov.u32 %par, 0; mbarrier.init.shared::cta.b64 [%k], 1;
fence.mbarrier_init.release.cluster;
`+body+"\nEND: ret; }")
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	var params []byte
	var at []mem.Addr
	for i, size := range []int{1 << 14, maps * ptx.TensorMapBytes, 4 * len(table), 4 * out} {
		a, err := image.Alloc(fmt.Sprint("buffer", i), uint64(max(size, 16)))
		if err != nil {
			t.Fatal(err)
		}
		at, params = append(at, a.Base), binary.LittleEndian.AppendUint64(params, a.Base)
	}
	bytesOf := func(n int, of func(int) uint32) (b []byte) {
		for i := range n {
			b = binary.LittleEndian.AppendUint32(b, of(i))
		}
		return b
	}
	image.Write(at[0], bytesOf(1<<12, func(i int) uint32 { return uint32(i) }))
	for i := range maps {
		m := ptx.TensorMap{Type: 2, Rank: 1, Dims: [5]uint64{16}, Box: [5]uint32{16}, ElementStrides: [5]uint32{1},
			Address: at[0] + uint64(64*i)} // u32
		image.Write(at[1]+mem.Addr(i*ptx.TensorMapBytes), m.Encode())
	}
	image.Write(at[2], bytesOf(len(table), func(i int) uint32 { return table[i] }))
	l := &ptx.Launch{Kernel: k, Grid: [3]uint32{ctas, 1, 1}, Block: [3]uint32{1, 1, 1}, Params: params}
	m, err := New(withoutFetches(built("h100")),
		Job{Launches: []*ptx.Launch{l}, Image: image, Scheme: codec.NewRaw(32)})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 4*out)
	m.Read(at[3], b)
	for i := range out {
		words = append(words, binary.LittleEndian.Uint32(b[4*i:]))
	}
	return words
}

// Operations of TestKeptMaps. A copy writes its word and its cycles.
const (
	mapOpCopy = iota
	mapOpFence
	mapOpPrefetch // and a pause
	mapOpReplace  // the map gets another address
	mapOps
)

// TestKeptMaps: which copies find their map in the SM is what a list of maps says, the one used last at its end, and
// the others take as much longer as a load from L2 does. All copies have the words of their map as it is.
func TestKeptMaps(t *testing.T) {
	const maps, operations = 36, 300
	random := rand.New(rand.NewSource(7))
	places := make([]uint32, maps) // in words
	for i := range places {
		places[i] = uint32(16 * i)
	}
	var table, words []uint32
	var kept []uint32 // the slow twin
	var found []bool
	use := func(i uint32) {
		kept = append(slices.DeleteFunc(kept, func(x uint32) bool { return x == i }), i)
		kept = kept[max(0, len(kept)-keptMapsOfSM):]
	}
	for n := range operations {
		op, i := uint32(mapOpCopy), uint32(random.Intn(maps))
		switch {
		case n < maps:
			i = uint32(n) // all maps and words come to L2
		case n%50 == 0:
			op = mapOpFence
		case n%3 == 0:
			op = uint32(random.Intn(mapOps-mapOpPrefetch) + mapOpPrefetch)
		}
		to := uint32(16 * random.Intn(maps))
		table = append(table, op, i, 4*to)
		switch op {
		case mapOpCopy:
			found, words = append(found, slices.Contains(kept, i)), append(words, places[i])
			use(i)
		case mapOpFence:
			kept = nil
		case mapOpPrefetch:
			use(i)
		case mapOpReplace:
			kept, places[i] = slices.DeleteFunc(kept, func(x uint32) bool { return x == i }), to
		}
	}
	got := mapMachine(t, 1, maps, table, 2*len(words), fmt.Sprintf(`mov.u32 %%e, 0;
NEXT: ld.global.u32 %%op, [%%b]; ld.global.u32 %%i, [%%b+4]; ld.global.u32 %%r0, [%%b+8]; add.u64 %%b, %%b, 12;
mul.wide.u32 %%x, %%i, 128; add.u64 %%x, %%m, %%x; cvt.u64.u32 %%y, %%r0; add.u64 %%y, %%a, %%y;
setp.eq.u32 %%p, %%op, 1; @%%p bra FENCE; setp.eq.u32 %%p, %%op, 2; @%%p bra PREFETCH;
setp.eq.u32 %%p, %%op, 3; @%%p bra REPLACE;
%s st.global.v2.u32 [%%o], {%%v, %%d}; add.u64 %%o, %%o, 8; bra DONE;
FENCE: fence.proxy.tensormap::generic.acquire.gpu [%%x], 128; bra DONE;
REPLACE: tensormap.replace.tile.global_address.global.b1024.b64 [%%x], %%y; bra DONE;
PREFETCH: prefetch.tensormap [%%x]; mov.u64 %%c0, %%clock64;
PAUSE: mov.u64 %%c1, %%clock64; sub.u64 %%c1, %%c1, %%c0; setp.lt.u64 %%p, %%c1, 3000; @%%p bra PAUSE;
DONE: add.u32 %%e, %%e, 1; setp.lt.u32 %%p, %%e, %d; @%%p bra NEXT;`, copyNumber(0), operations))
	fastest, hits := ^uint32(0), 0
	for i := range words {
		fastest = min(fastest, got[2*i+1])
	}
	one := "ld.global.cg.u32 %r1, [%b]; add.u32 %r2, %r1, 1;\n"
	load := uint32(meanOf(hopperCycles(t, 1, 1, 1, 1980, one+clockBegin+one+clockEnd)))
	for i, hit := range found[maps:] {
		word, cycles := got[2*(maps+i)], got[2*(maps+i)+1]
		if word != words[maps+i] {
			t.Errorf("copy %d has word %d, want %d", i, word, words[maps+i])
		}
		if more := cycles - fastest; hit && more > load/3 || !hit && (more < load*2/3 || more > load*3/2) {
			t.Errorf("copy %d takes %d cycles, the fastest %d and a load %d; kept: %v", i, cycles, fastest, load, hit)
		}
		if hit {
			hits++
		}
	}
	if misses := len(found) - maps - hits; hits < 40 || misses < 40 {
		t.Errorf("%d copies find their map, and %d do not", hits, misses)
	}
}

// keptMapsOfSM is keptMaps of core/sm.
const keptMapsOfSM = 32

// TestStaleMap: an SM that has a map does not see what another SM makes of it before its own fence.
func TestStaleMap(t *testing.T) {
	spin := func(label, flag string) string {
		return label + ": ld.acquire.gpu.global.u32 %r0, [%b+" + flag + "]; setp.eq.u32 %p, %r0, 0; @%p bra " + label + ";\n"
	}
	copied := func(n int) string {
		return fmt.Sprintf("%sst.global.u32 [%%o+%d], %%v;\n", copyNumber(n), 4*n)
	}
	got := mapMachine(t, 2, 1, make([]uint32, 64), 3, "mov.u64 %x, %m; mov.u32 %r1, 1; mov.u32 %i, %ctaid.x; "+
		"setp.eq.u32 %p, %i, 1; @%p bra OTHER;\n"+copied(0)+"st.release.gpu.global.u32 [%b], %r1;\n"+spin("L0", "128")+
		copied(1)+"fence.proxy.tensormap::generic.acquire.gpu [%x], 128;\n"+copied(2)+"bra END;\nOTHER:\n"+spin("L1", "0")+
		"add.u64 %y, %a, 256; tensormap.replace.tile.global_address.global.b1024.b64 [%x], %y; "+
		"fence.proxy.tensormap::generic.release.gpu; st.release.gpu.global.u32 [%b+128], %r1;")
	if want := []uint32{0, 0, 64}; !slices.Equal(got, want) {
		t.Errorf("words %v, want %v", got, want)
	}
}

// copyNumber is mapCopy with labels of its own.
func copyNumber(n int) string { return strings.ReplaceAll(mapCopy, "$", fmt.Sprint(n)) }
