package profile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
)

// tensors returns a safetensors file of bytes; contents are those of data, then zeros.
func tensors(header string, data []byte) *image {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return &image{append(append(b, header...), data...)}
}

// image is a file that begins with some bytes and goes on with zeros.
type image struct{ start []byte }

func (m *image) ReadAt(b []byte, at int64) (int, error) {
	n := 0
	if at < int64(len(m.start)) {
		n = copy(b, m.start[at:])
	}
	clear(b[n:])
	return len(b), nil
}

func newCollector() *Collector {
	return &Collector{Bits: func(l *mem.Line) int { return bpc.Codec{}.SizeBits(l) }}
}

func open(t *testing.T, m *image, size int64) *datafile.File {
	t.Helper()
	f, err := datafile.Open(m, size, datafile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func ignore(int) error { return nil }

// A file of 1 GB (64 MB where CI is not set) is read to its end in a few megabytes of memory.
func TestLargeFilesAreStreamed(t *testing.T) {
	bytes := int64(1 << 30)
	if os.Getenv("CI") == "" || testing.Short() {
		bytes = 1 << 26
	}
	header := fmt.Sprintf(`{"a":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}`, bytes/4, bytes)
	m := tensors(header, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c := newCollector()
	entries := 0
	if err := c.Add(open(t, m, int64(len(m.start))+bytes), func(n int) error { entries += n; return nil }); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes of memory for a file of %d", grown, bytes)
	}
	if got := c.Allocs[0].Snapshots[0]; got[0] != uint64(bytes/128) || entries != int(bytes/128) {
		t.Errorf("%d entries, %v", entries, got)
	}
}

// Arrays become allocations, several files snapshots, and what cannot be read leaves the
// profile as it was.
func TestSnapshotsOfFiles(t *testing.T) {
	const header = `{"w":{"dtype":"F32","shape":[64],"data_offsets":[0,256]},"b":{"dtype":"F32","shape":[8],"data_offsets":[256,288]}}`
	noise := bytes.Repeat([]byte{0x9e, 0x37, 0x79, 0xb9, 0x7f, 0x4a, 0x7c, 0x15, 0x01, 0xc3, 0x55}, 30)
	c := newCollector()
	for _, data := range [][]byte{nil, noise[:256]} {
		m := tensors(header, data)
		if err := c.Add(open(t, m, int64(len(m.start)-len(data))+288), ignore); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.Allocs) != 2 || c.Allocs[0].Name != "w" || c.Allocs[0].Bytes != 256 || c.Allocs[1].Bytes != 128 ||
		len(c.Allocs[1].Snapshots) != 2 {
		t.Fatalf("%+v", c.Allocs)
	}
	if first, second := c.Allocs[0].Snapshots[0], c.Allocs[0].Snapshots[1]; first[0] != 2 || second[0] != 0 ||
		second.Entries() != 2 {
		t.Errorf("w: %v, then %v", first, second)
	}
	for name, bad := range map[string]string{
		"another name":  `{"v":{"dtype":"F32","shape":[64],"data_offsets":[0,256]},"b":{"dtype":"F32","shape":[8],"data_offsets":[256,288]}}`,
		"another size":  `{"w":{"dtype":"F32","shape":[8],"data_offsets":[0,32]},"b":{"dtype":"F32","shape":[8],"data_offsets":[32,64]}}`,
		"fewer tensors": `{"w":{"dtype":"F32","shape":[64],"data_offsets":[0,256]}}`,
	} {
		m := tensors(bad, nil)
		size := map[string]int64{"another name": 288, "another size": 64, "fewer tensors": 256}[name]
		err := c.Add(open(t, m, int64(len(m.start))+size), ignore)
		if err == nil || !strings.Contains(err.Error(), "the first snapshot has") &&
			!strings.Contains(err.Error(), "in the first snapshot") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(c.Allocs[0].Snapshots) != 2 {
		t.Errorf("%d snapshots after files that do not fit", len(c.Allocs[0].Snapshots))
	}
	stop := fmt.Errorf("cancelled")
	m := tensors(header, nil)
	if err := c.Add(open(t, m, int64(len(m.start))+288), func(int) error { return stop }); err != stop ||
		len(c.Allocs[0].Snapshots) != 2 {
		t.Errorf("a cancelled reading: %v, %d snapshots", err, len(c.Allocs[0].Snapshots))
	}
	r := Rule{ThresholdPercent: 30}
	report, err := r.Report(c.Allocs)
	if err != nil || report.Snapshots != 2 || report.SizeBytes != 384 || len(report.Allocations) != 2 {
		t.Errorf("%+v, %v", report, err)
	}
}
