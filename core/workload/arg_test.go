package workload

import "testing"

func TestArgsHoldTheirBits(t *testing.T) {
	cases := []struct {
		got, want Arg
	}{
		{U32(7), Arg{Buffer: -1, Bits: 7, Bytes: 4}},
		{S32(-1), Arg{Buffer: -1, Bits: 0xffffffff, Bytes: 4}},
		{U64(1 << 40), Arg{Buffer: -1, Bits: 1 << 40, Bytes: 8}},
		{F32(1), Arg{Buffer: -1, Bits: 0x3f800000, Bytes: 4}},
		{F64(1), Arg{Buffer: -1, Bits: 0x3ff0000000000000, Bytes: 8}},
		{BufferArg(2), Arg{Buffer: 2, Bytes: 8}},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%+v, want %+v", c.got, c.want)
		}
	}
}
