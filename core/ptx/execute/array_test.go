package execute

import "testing"

// TestElementsOfArrays: name[3], name[%r], name[%r + 1] are the addresses of elements, of loads, stores, atomics and
// mov, in every address space, with elements of any size.
func TestElementsOfArrays(t *testing.T) {
	for body, want := range map[string]int32{
		"ld.shared.u32 %r0, words[2];":                                                         30,
		"mov.u32 %r2, 2; ld.shared.u32 %r0, words[%r2];":                                       30,
		"mov.u32 %r2, 2; ld.shared.u32 %r0, words[%r2+1];":                                     40,
		"mov.u32 %r2, 2; ld.shared.u32 %r0, words[%r2-2];":                                     10,
		"mov.s32 %i, -1; ld.shared.u32 %r0, words[%i+1];":                                      10,
		"mov.u64 %rd3, 3; ld.shared.u32 %r0, words[%rd3];":                                     40,
		"st.shared.u32 words[1], 7; ld.shared.u32 %r0, [words+4];":                             7,
		"mov.u32 %r2, 3; st.shared.u32 words[%r2], 9; ld.shared.u32 %r0, [words+12];":          9,
		"mov.u32 %r2, 1; atom.shared.add.u32 %r3, words[%r2], 5; ld.shared.u32 %r0, words[1];": 25,
		"mov.u32 %r2, words[3]; ld.shared.u32 %r0, [%r2];":                                     40,
		"mov.u32 %r3, 3; mov.u32 %r2, words[%r3]; ld.shared.u32 %r0, [%r2];":                   40,
		"mov.u32 %r2, 1; st.shared.v2.u32 pairs[%r2], {5, 6}; ld.shared.u32 %r0, [pairs+12];":  6,
		"mov.u32 %r2, 5; st.local.u8 bytes[%r2], 77; ld.local.u8 %r0, [bytes+5];":              77,
		"mov.u32 %r2, 1; ld.const.u32 %r0, table[%r2];":                                        22,
		"mov.u32 %r2, 1; ld.u32 %r0, table[%r2+1];":                                            33,
		"mov.u32 %r2, 2; ld.global.u32 %r0, there[%r2]; st.global.u32 there[%r2], 1;":          6,
		"mov.u32 %r2, 2; prefetch.global.L2 there[%r2]; ld.global.u32 %r0, there[%r2 + -1];":   5,
		"mov.u32 %r2, 2; mov.u64 %rd5, there[%r2]; ld.global.u32 %r0, [%rd5];":                 6,
	} {
		src := withOutput(`.reg .s32 %i; .local .align 8 .u8 bytes[8]; .shared .align 8 .v2 .u32 pairs[4];
			.shared .u32 words[4]; st.shared.u32 [words], 10; st.shared.u32 [words+4], 20;
			st.shared.u32 [words+8], 30; st.shared.u32 [words+12], 40;
			` + body)
		tables := ".const .u32 table[3] = {11, 22, 33};\n.global .u32 there[3] = {4, 5, 6};\n"
		src = src[:len(divergeHead)] + tables + src[len(divergeHead):]
		got, err := runWords(t, src, 1)
		if err != nil || got[0] != want {
			t.Errorf("%s: %v %v, want %d", body, got, err, want)
		}
	}
}
