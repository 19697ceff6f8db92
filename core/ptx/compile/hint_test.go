package compile

import (
	"strings"
	"testing"
)

func hintModule(body string) error {
	_, err := Load("k.ptx",
		[]byte(".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"+
			".shared .b32 s;\n.reg .b64 %a, %c;\n.reg .b32 %r;\n"+body+"\nret;\n}\n"))
	return err
}

func TestHintsThatAreRefused(t *testing.T) {
	for body, want := range map[string]string{
		"ld.global.L1::evict_soon.u32 %r, [%a];":                        "unsupported modifier .L1::evict_soon",
		"ld.global.L2::32B.u32 %r, [%a];":                               "unsupported modifier .L2::32B",
		"st.global.L2::128B.u32 [%a], %r;":                              "unsupported modifier .L2::128B",
		"ld.global.cs.L1::evict_first.u32 %r, [%a];":                    "exclude each other",
		"ld.shared.L1::evict_first.u32 %r, [s];":                        "legal on .global only",
		"ld.shared.L2::128B.u32 %r, [s];":                               "legal on .global only",
		"ld.shared.L2::cache_hint.u32 %r, [s], %c;":                     "legal on .global only",
		"ld.shared.nc.u32 %r, [s];":                                     ".nc is legal on .global only",
		"ld.global.L1::evict_first.L1::evict_last.u32 %r, [%a];":        "unsupported modifier",
		"ld.global.L2::cache_hint.u32 %r, [%a];":                        "takes 3 operands",
		"createpolicy.fractional.b64 %c, 1.0;":                          "want a priority",
		"createpolicy.fractional.L2::evict_last.L2::evict_last.b64 %c;": "secondary priority",
		"createpolicy.fractional.L1::evict_last.b64 %c;":                "want a priority",
		"createpolicy.range.L2::evict_last.b64 %c, [%a], 4096;":         "takes 4 operands",
		"createpolicy.cvt.b64 %c, %a;":                                  "unsupported",
		"prefetch.local.L2::evict_last [%a];":                           "legal on .global only",
		"prefetch.global.L3 [%a];":                                      "want the level of cache",
		"prefetchu.L2 [%a];":                                            "want the level of cache",
		"discard.global.L1 [%a], 128;":                                  "want .L2",
		"discard.global.L2 [%a], 64;":                                   "size must be 128 bytes",
		"applypriority.global.L2::evict_last [%a], 128;":                "want .L2::evict_normal",
	} {
		if err := hintModule(body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v, want %q", body, err, want)
		}
	}
	for _, body := range []string{
		"ld.global.ca.nc.L2::256B.u32 %r, [%a];",
		"ld.global.nc.L1::no_allocate.L2::128B.u32 %r, [%a];",
		"ld.volatile.global.L2::64B.u32 %r, [%a];",
		"ld.relaxed.gpu.global.L1::evict_last.L2::cache_hint.L2::128B.u32 %r, [%a], %c;",
		"st.L1::evict_unchanged.u32 [%a], %r;",
		"createpolicy.fractional.L2::evict_first.L2::evict_first.b64 %c, 0.5;",
		"atom.global.add.L2::cache_hint.u32 %r, [%a], 1, %c;",
		"createpolicy.range.global.L2::evict_unchanged.b64 %c, [%a+16], %r, 4096;",
		"discard.L2 [%a], 128;", "prefetch.L1 [s];",
	} {
		if err := hintModule(body); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}
