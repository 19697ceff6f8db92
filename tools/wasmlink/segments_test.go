package wasmlink

import (
	"bytes"
	"testing"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
)

// memoryOf copies segments as an engine does when it starts a module.
func memoryOf(t *testing.T, module []byte, size int) (memory []byte, segments int) {
	t.Helper()
	at := bytes.LastIndexByte(module[:wasmHeaderBytes+4], sectionData)
	if at < wasmHeaderBytes {
		t.Fatal("no data section")
	}
	body := module[at+1:]
	for body[0] >= 0x80 { // the section's size
		body = body[1:]
	}
	list, err := readSegments(module, len(module)-len(body)+1)
	if err != nil {
		t.Fatal(err)
	}
	memory = make([]byte, size)
	for _, s := range list {
		copy(memory[s.address:], s.data)
	}
	return memory, len(list)
}

func moduleOf(segments ...segment) []byte {
	body := appendSegments(nil, segments)
	head := append([]byte("\x00asm\x01\x00\x00\x00"), sectionData)
	for n := len(body); ; n >>= 7 {
		if n < 0x80 {
			return append(append(head, byte(n)), body...)
		}
		head = append(head, byte(n)|0x80)
	}
}

func TestMergedSegmentsFillMemoryAlike(t *testing.T) {
	for name, c := range map[string]struct {
		segments []segment
		want     int
	}{
		"near":        {[]segment{{64, []byte{1, 2}}, {84, []byte{3, 4}}, {104, []byte{5}}}, 1},
		"adjacent":    {[]segment{{0, []byte{1}}, {1, []byte{2}}}, 1},
		"far":         {[]segment{{0, []byte{1}}, {2 + mergeGapBytes, []byte{2}}}, 2},
		"widest gap":  {[]segment{{0, []byte{1}}, {1 + mergeGapBytes, []byte{2}}}, 1},
		"overlapping": {[]segment{{8, []byte{1, 2, 3}}, {9, []byte{9}}, {8, []byte{7}}}, 3},
		"descending":  {[]segment{{900, []byte{1}}, {100, []byte{2}}}, 2},
		"long":        {[]segment{{0, bytes.Repeat([]byte{7}, 300)}, {310, []byte{1}}}, 1},
		"none":        {nil, 0},
	} {
		module := moduleOf(c.segments...)
		want, _ := memoryOf(t, module, 1024)
		merged, err := mergeSegments(module)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, n := memoryOf(t, merged, 1024)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: memory differs", name)
		}
		if n != c.want {
			t.Errorf("%s: %d segments, want %d", name, n, c.want)
		}
	}
}

func TestSignedNumbers(t *testing.T) {
	for _, v := range []int64{0, 1, 63, 64, 127, 128, 8191, 8192, 1<<31 - 1, -1, -64, -65, -1 << 31} {
		b := code.AppendSigned(nil, v)
		if got, n := signed(b); got != v || n != len(b) {
			t.Errorf("%d: read %d of %d bytes, wrote %d", v, got, n, len(b))
		}
	}
}
