package approximate

import "testing"

// TestAccessesOf: what is stored to and loaded from goes by the text of the kernel alone. The parameters are a, b, out
// and n, an index where addresses are computed from it.
func TestAccessesOf(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"an index", "mul.wide.u32 %rd1, %r19, 4;\nadd.u64 %rd2, %out, %rd1;\nadd.u64 %rd3, %a, %rd1;\n" +
			"ld.global.f32 %f1, [%rd3];\nst.global.f32 [%rd2], %f1;", "r-wm"},
		{"a gather", "ld.global.u32 %r1, [%a];\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd2, %b, %rd1;\n" +
			"ld.f32 %f1, [%rd2];\nst.f32 [%out], %f1;", "rrw-"},
		{"atomics", "atom.global.add.u32 %r1, [%b], 1;\nred.global.add.u32 [%out], %r1;", "-mm-"},
		{"an address out of memory", "ld.global.u64 %rd1, [%a];\nst.global.f32 [%rd1], %f1;", "mwww"},
		{"an address kept in shared memory", "mov.u32 %r1, buffer;\nst.shared.u64 [%r1], %out;\n" +
			"ld.shared.u64 %rd1, [%r1];\nst.global.f32 [%rd1], %f1;", "--w-"},
		{"values that are stored are no addresses", "st.global.u64 [%out], %b;\nld.global.f32 %f1, [%a];", "r-w-"},
		{"shared memory only", "mov.u32 %r1, buffer;\nst.shared.f32 [%r1], %f1;", "----"},
	} {
		got := ""
		for _, a := range AccessesOf(kernelOf(t, c.body)) {
			switch {
			case a.Loads && a.Stores:
				got += "m"
			case a.Stores:
				got += "w"
			case a.Loads:
				got += "r"
			default:
				got += "-"
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestAccessesThroughACall: a function stores to what it is given, in parameters and registers.
func TestAccessesThroughACall(t *testing.T) {
	k := compiled(t, `.version 7.0
.target sm_35
.address_size 64
.func put(.param .u64 to, .param .f32 value)
{
.reg .u64 %x;
.reg .f32 %v;
ld.param.u64 %x, [to];
ld.param.f32 %v, [value];
st.global.f32 [%x], %v;
ret;
}
.visible .entry k(.param .u64 in, .param .u64 y)
{
.reg .u64 %i, %y;
.reg .f32 %f;
ld.param.u64 %i, [in];
ld.param.u64 %y, [y];
ld.global.f32 %f, [%i];
{
.param .u64 p0;
.param .f32 p1;
st.param.u64 [p0], %y;
st.param.f32 [p1], %f;
call.uni put, (p0, p1);
}
ret;
}
`)
	a := AccessesOf(k)
	if len(a) != 2 || !a[0].Loads || a[0].Stores || a[1].Loads || !a[1].Stores {
		t.Errorf("in is only loaded from, y only stored to: %+v", a)
	}
}
