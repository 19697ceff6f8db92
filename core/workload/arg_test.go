package workload

import "testing"

func TestArgsHoldTheirBits(t *testing.T) {
	cases := []struct {
		got, want Arg
	}{
		{U32(7), Arg{-1, 7, 4}},
		{S32(-1), Arg{-1, 0xffffffff, 4}},
		{U64(1 << 40), Arg{-1, 1 << 40, 8}},
		{F32(1), Arg{-1, 0x3f800000, 4}},
		{F64(1), Arg{-1, 0x3ff0000000000000, 8}},
		{BufferArg(2), Arg{2, 0, 8}},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%+v, want %+v", c.got, c.want)
		}
	}
}
