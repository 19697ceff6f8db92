package execute

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// packed lays arguments out as CUDA's compilers do: each aligned to its size.
func packed(args []any) (b []byte) {
	align := func(n int) {
		for len(b)%n != 0 {
			b = append(b, 0xee)
		}
	}
	for _, a := range args {
		switch v := a.(type) {
		case int:
			align(4)
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case uint32:
			align(4)
			b = binary.LittleEndian.AppendUint32(b, v)
		case int64:
			align(8)
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		case uint64:
			align(8)
			b = binary.LittleEndian.AppendUint64(b, v)
		case float64:
			align(8)
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		default:
			panic("no such argument")
		}
	}
	return b
}

// printed returns what a printf of one lane writes, whose arguments lie in global memory, and what is missing.
func printed(t testing.TB, format string, args []byte, strings ...string) (text string, missing bool) {
	t.Helper()
	image, err := mem.NewImage(mem.DefaultBase, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	place := func(b []byte) uint64 {
		a, err := image.Alloc("data", uint64(max(len(b), 1)))
		if err != nil {
			t.Fatal(err)
		}
		image.Write(a.Base, b)
		return a.Base
	}
	for i, s := range strings {
		binary.LittleEndian.PutUint64(args[8*i:], place(append([]byte(s), 0)))
	}
	r := &runner{image: image}
	c := conversion{r: r, w: &Warp{kernel: &ptx.Kernel{}}, at: place(args), wide: true, most: PrintedBytes}
	c.print([]byte(format))
	return string(c.out), c.missing
}

// TestPrintf compares with what glibc 2.36's printf writes.
func TestPrintf(t *testing.T) {
	for _, c := range []struct {
		format string
		args   []any
		want   string
	}{
		{"%d|%i|%5d|%-5d|%05d|%+d|% d", []any{-7, 8, 42, 42, 42, 42, 42}, "-7|8|   42|42   |00042|+42| 42"},
		{"%u %x %X %#x %o %#o", []any{uint32(4000000000), 48879, 48879, 48879, 8, 8},
			"4000000000 beef BEEF 0xbeef 10 010"},
		{"%.3d|%8.3d|%-8.3d|%08.3d|%.0d|%+.0d", []any{5, 5, 5, 5, 0, 0}, "005|     005|005     |     005||+"},
		{"%d %d", []any{-2147483648, 2147483647}, "-2147483648 2147483647"},
		{"%ld %lld %lu %lx", []any{int64(-1), int64(math.MinInt64), uint64(math.MaxUint64), uint64(math.MaxUint64)},
			"-1 -9223372036854775808 18446744073709551615 ffffffffffffffff"},
		{"%d %ld %d", []any{1, int64(2), 3}, "1 2 3"},
		{"%hd %hhd %hu %hhu", []any{70000, 300, 70000, 300}, "4464 44 4464 44"},
		{"%zu %jd %td", []any{int64(5), int64(-5), int64(-6)}, "5 -5 -6"},
		{"%f %.2f %10.3f|%-10.3f|%010.3f|%+.1f|% .1f", []any{1.5, 2.345, 3.14159, 3.14159, -3.14159, 2.0, 2.0},
			"1.500000 2.35      3.142|3.142     |-00003.142|+2.0| 2.0"},
		{"%e %.0e %E %.3e %#.0e", []any{12345.678, 12345.678, 0.000012345, 0.0, 1.0},
			"1.234568e+04 1e+04 1.234500E-05 0.000e+00 1.e+00"},
		{"%g %g %g %g %g %g %g", []any{100000.0, 1000000.0, 0.0001, 0.00001, 1.5, 0.0, 123456789.0},
			"100000 1e+06 0.0001 1e-05 1.5 0 1.23457e+08"},
		{"%.3g %#g %G %.10g %.0g", []any{1234.5, 1.5, 1e-10, 1.0 / 3, 15.0},
			"1.23e+03 1.50000 1E-10 0.3333333333 2e+01"},
		{"%a %A %.2a %a", []any{1.0, 0.1, 3.14159, 0.0}, "0x1p+0 0X1.999999999999AP-4 0x1.92p+1 0x0p+0"},
		{"%f %F %5.1f|%-6f|%06f", []any{math.Inf(1), math.Inf(-1), math.NaN(), math.Inf(1), math.Inf(1)},
			"inf -INF   nan|inf   |   inf"},
		{"%*d|%-*d|%.*f|%*.*f", []any{6, 42, 6, 42, 2, 3.14159, 8, 3, 2.71828}, "    42|42    |3.14|   2.718"},
		{"%*d|%.*d", []any{-6, 42, -1, 42}, "42    |42"},
		{"%c%c|%3c|%-3c|", []any{65, 66, 67, 68}, "AB|  C|D  |"},
		{"100%% %5%|%d", []any{9}, "100% %|9"},
		{"%p %p", []any{int64(0x1234), int64(0)}, "0x1234 (nil)"},
		{"%.0f %.0f %.0f %.15f", []any{0.5, 1.5, 2.5, 0.1}, "0 2 2 0.100000000000000"},
	} {
		if got, missing := printed(t, c.format, packed(c.args)); got != c.want || missing {
			t.Errorf("%s of %v: %q, want %q", c.format, c.args, got, c.want)
		}
	}
}

func TestPrintfStrings(t *testing.T) {
	args := packed([]any{int64(0), int64(0), int64(0), int64(0)})
	got, _ := printed(t, "%s|%6s|%-6s|%.2s", args, "one", "two", "three", "four")
	if want := "one|   two|three |fo"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, _ := printed(t, "<%s>", packed([]any{int64(0)})); got != "<(null)>" {
		t.Errorf("a null pointer: %q", got)
	}
	if _, missing := printed(t, "<%s>", packed([]any{int64(64)})); !missing {
		t.Error("a string outside of memory is no fault")
	}
	if _, missing := printed(t, "%d %d", packed([]any{1})); !missing {
		t.Error("a missing argument is no fault")
	}
}

// TestPrintfBounds: no width, precision or number of conversions makes more text than there is room for.
func TestPrintfBounds(t *testing.T) {
	for _, format := range []string{"%2147483647d", "%.2147483647d", "%99999999999999999999d", "%.2147483647f",
		strings.Repeat("%1000000d", 50), "%*d"} {
		got, _ := printed(t, format, packed([]any{math.MaxInt32, 0, 0, 0}))
		if len(got) > 2*PrintedBytes+2 {
			t.Errorf("%.20s writes %d bytes", format, len(got))
		}
	}
}

func FuzzPrintf(f *testing.F) {
	f.Add("%d %5.3f %-*s|%%|%", []byte("0123456789abcdef"))
	f.Add("%hhx%llo%+ #0-9.*e%q", make([]byte, 64))
	f.Fuzz(func(t *testing.T, format string, args []byte) {
		if got, _ := printed(t, format, args); len(got) > 2*PrintedBytes+len(format) {
			t.Errorf("%d bytes", len(got))
		}
	})
}
