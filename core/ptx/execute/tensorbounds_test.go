package execute

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

const (
	tensorLoad2 = "@!%p bra END; mbarrier.arrive.expect_tx.shared::cta.b64 _, [%k], 256; " +
		"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%m, {%c0, %c1}], [%k]; END: "
	tensorStore2 = "@%p cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%m, {%c0, %c1}], [%s]; " +
		"cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
)

// rowsOf is a run with a map of rows of 64 bytes, some bytes apart, and boxes of four rows.
func rowsOf(rows, apart, bytes int) *tensorRun {
	x := &tensorRun{tensor: make([]byte, bytes), in: make([]byte, tensorBytes), out: make([]byte, tensorBytes)}
	x.m = ptx.TensorMap{Type: 2, Rank: 2, Dims: [5]uint64{16, uint64(rows)}, Strides: [4]uint64{uint64(apart)},
		Box: [5]uint32{16, 4}, ElementStrides: [5]uint32{1, 1}}
	rand.New(rand.NewSource(7)).Read(x.tensor)
	return x
}

// TestTensorBeyondItsBuffer: a map may have more rows than its buffer, as the driver does not know the buffer. A box
// within the buffer is copied, and one that leaves it is a fault, though the next buffer begins there.
func TestTensorBeyondItsBuffer(t *testing.T) {
	for at, want := range map[int32]string{
		0: "", 4: "", 16: "", // the last is out of bounds as a whole
		-2: "", 5: "the box at [0 5] leaves the buffer \"tensor\" of 512 bytes, in which the tensor begins, at offset 512",
		8: "the box at [0 8]", 13: "the box at [0 13]", 15: "at offset 960: give the tensor map fewer elements (dims)",
	} {
		for _, body := range []string{tensorLoad2 + tensorWait, tensorStore2} {
			x := rowsOf(16, 64, 512)
			x.at[1] = at
			err := x.run(t, body)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("row %d: %v, want %q", at, err, want)
			}
			if err != nil && !strings.HasPrefix(err.Error(), "test:12:") {
				t.Errorf("no line in %v", err)
			}
		}
	}
}

// TestTensorRowsOverlap: rows may lie closer than they are long, down to one row again and again, as a window that
// slides over a signal.
func TestTensorRowsOverlap(t *testing.T) {
	for _, apart := range []int{0, 16, 48} {
		x := rowsOf(4, apart, 256)
		if err := x.run(t, tensorLoad2+tensorWait+tensorDump); err != nil {
			t.Fatal(apart, err)
		}
		for row := range 4 {
			if want := x.tensor[row*apart:][:64]; !bytes.Equal(x.out[64*row:][:64], want) {
				t.Errorf("%d bytes apart: row %d differs", apart, row)
			}
		}
	}
}
