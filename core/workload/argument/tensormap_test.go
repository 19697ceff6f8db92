package argument

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/ptx"
)

// tensorMapOf returns the map that a SPEC passes, with the address of its place.
func tensorMapOf(t *testing.T, text string) ptx.TensorMap {
	t.Helper()
	a, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	v, err := a.ByValue(&everything)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Places) != 1 || v.Places[0].At != ptx.TensorAddressAt || !v.Exact {
		t.Fatalf("%+v: want the address of one buffer", v)
	}
	binary.LittleEndian.PutUint64(v.Data[v.Places[0].At:], 256)
	m, ok := ptx.DecodeTensorMap((*[ptx.TensorMapBytes]byte)(v.Data))
	if !ok || m.Address != 256 {
		t.Fatalf("%+v", m)
	}
	return m
}

func TestTensorMapSpecs(t *testing.T) {
	m := tensorMapOf(t, "tensormap:a,dtype=f32.ftz,dims=40x20,strides=176,box=24x12,elementStrides=1x2,interleave=none,"+
		"swizzle=128B,l2promotion=256B,oobfill=nan")
	if m.Type != 10 || m.Rank != 2 || m.Dims[1] != 20 || m.Strides[0] != 176 || m.Box[0] != 24 ||
		m.ElementStrides[1] != 2 ||
		m.Swizzle != 3 || m.Promotion != 3 || !m.FillNaN {
		t.Errorf("%+v", m)
	}
	m = tensorMapOf(t, "tensormap:a,dtype=u8,dims=64x4x3,box=16x2x1")
	if m.Strides[0] != 64 || m.Strides[1] != 256 || m.ElementStrides[2] != 1 || m.Im2col {
		t.Errorf("dense rows: %+v", m)
	}
	m = tensorMapOf(t, "tensormap:a,dtype=f16,dims=64x8x9x3,mode=im2col,lower=-1x-2,upper=1x2,channels=32,pixels=64")
	if !m.Im2col || m.Lower[1] != -2 || m.Upper[0] != 1 || m.Channels != 32 || m.Pixels != 64 {
		t.Errorf("im2col: %+v", m)
	}
}

func TestTensorMapSpecFaults(t *testing.T) {
	const whole = "tensormap:a,dtype=f16,dims=64x20,box=16x4"
	for text, want := range map[string]string{
		"tensormap:":                                              "has no buffer",
		"tensormap:a":                                             "dtype is missing",
		"tensormap:a,dtype=f16":                                   "dims is missing",
		"tensormap:a,dtype=f17,dims=64,box=16":                    "dtype=\"f17\": use u8",
		"tensormap:a,dtype=f16,dims=64x20":                        "box has 0 numbers, and 2 dimensions need 2",
		"tensormap:a,dtype=f16,dims=1x1x1x1x1x1,box=1":            "at most 5",
		"tensormap:a,dtype=f16,dims=63x20,box=16x4":               "strides: 126 bytes of dimension 1",
		"tensormap:a,dtype=f16,dims=64x-1,box=16x4":               "dims=\"64x-1\": want numbers",
		"tensormap:a,dtype=f16,dims=64x20,box=16x-4":              "box=\"16x-4\": want numbers",
		whole + ",strides=-128":                                   "strides=\"-128\": want numbers",
		whole + ",width=5":                                        "is not a setting",
		whole + ",box=16x4":                                       "box is given twice",
		whole + ",strides=128x4":                                  "strides has 2 numbers",
		whole + ",rank=3":                                         "rank=3, but dims has 2 numbers",
		whole + ",swizzle=96B":                                    "swizzle=\"96B\"",
		whole + ",interleave=16B":                                 "want 3 to 5",
		whole + ",pixels=5":                                       "pixels goes with mode=im2col",
		whole + ",mode=im2col":                                    "box goes with mode=tiled",
		whole + ",elementStrides=1x9":                             "elementStrides: dimension 1 has 9",
		"tensormap:a,dtype=f16,dims=64x99999999999999999999,box=": "want numbers",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func FuzzTensorMap(f *testing.F) {
	f.Add("tensormap:a,dtype=f16,dims=64x20,box=16x4")
	f.Add("tensormap:a,dtype=f16,dims=64x8x9x3,mode=im2col,lower=-1x-2,upper=1x2,channels=32,pixels=64")
	f.Fuzz(func(t *testing.T, text string) {
		if a, err := Parse(text); err == nil && a.Kind == TensorMap {
			if _, err := a.ByValue(&everything); err != nil {
				t.Errorf("%q parses, and then: %v", text, err)
			}
		}
	})
}
