package argument

import "testing"

func TestParse(t *testing.T) {
	for text, want := range map[string]Argument{
		"u32:5":             {Bits: 5, Bytes: 4},
		"u32:0xffffffff":    {Bits: 0xffffffff, Bytes: 4},
		"s32:-1":            {Bits: 0xffffffff, Bytes: 4},
		"s8:-128":           {Bits: 0x80, Bytes: 1},
		"u64:5":             {Bits: 5, Bytes: 8},
		"s64:-2":            {Bits: 0xfffffffffffffffe, Bytes: 8},
		"f32:2.5":           {Bits: 0x40200000, Bytes: 4},
		"f32:-inf":          {Bits: 0xff800000, Bytes: 4},
		"f64:1":             {Bits: 0x3ff0000000000000, Bytes: 8},
		"@launch":           {Kind: Launch, Bytes: 4},
		"u64:@launch":       {Kind: Launch, Bytes: 8},
		"in:dir/a.bin":      {Kind: In, In: "dir/a.bin"},
		"in:C:\\a.bin":      {Kind: In, In: "C:\\a.bin"},
		"out:b.bin:1024":    {Kind: Out, Out: "b.bin", BufferBytes: 1024},
		"out:C:\\b:0x400":   {Kind: Out, Out: "C:\\b", BufferBytes: 1024},
		"inout:a.bin:b.bin": {Kind: InOut, In: "a.bin", Out: "b.bin"},
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "5", "u32", "u32:", "u32:x", "u32:-1", "u32:4294967296", "s32:2147483648", "u33:1", "f16:1", "f32:1e99", "f32:@launch",
		"in:", "out:b", "out::4", "out:b:", "out:b:0", "out:b:-1", "out:b:99999999999999", "inout:a", "inout:a:", "inout::b", "x:1", ":1", "launch"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %+v", text, got)
		}
	}
}
