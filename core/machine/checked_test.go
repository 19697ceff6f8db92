package machine

import (
	"math/rand"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
)

// TestCheckedMachinesRun: what Override and Check let through can be built and
// run; a machine never panics because of its values.
func TestCheckedMachinesRun(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	infos := parameter.All()
	if _, err := runTouch(mini()); err != nil {
		t.Fatal(err)
	}
	built := 0
	for try := range 200 {
		s := mini()
		var given []string
		for range 1 + r.Intn(3) {
			f := infos[r.Intn(len(infos))]
			value := strconv.FormatInt([]int64{f.Low, f.High, f.Low + r.Int63n(f.High-f.Low+1), f.Low + r.Int63n(min(f.High-f.Low, 16)+1)}[r.Intn(4)], 10)
			if words := s.Values().Find(f.Path).Choices(); words != nil {
				value = words[r.Intn(len(words))]
			}
			if s.Override(f.Path, value) == nil {
				given = append(given, f.Path+"="+value)
			}
		}
		if len(s.Check(32)) > 0 || s.SMs*s.SM.L1.Bytes()+s.L2Bytes() > 16<<20 {
			continue
		}
		built++
		if fault, _ := runTouch(s); fault != nil {
			t.Fatalf("try %d, %v: %v", try, given, fault)
		}
	}
	if built < 60 {
		t.Errorf("only %d machines were possible", built)
	}
}

// runTouch runs a small kernel with loads, stores and an atomic. It returns the value of
// a panic, which is a fault of the machine. An error says that the kernel does not fit or
// does not end; the machine is right then.
func runTouch(s *parameter.GPU) (fault any, err error) {
	defer func() { fault = recover() }()
	module, e := compile.Load("k.ptx", []byte(touchKernel))
	if e != nil {
		panic(e)
	}
	k, e := compile.Kernel(module, "k", nil)
	if e != nil {
		panic(e)
	}
	image, e := mem.NewImage(mem.DefaultBase, 1<<24)
	if e != nil {
		panic(e)
	}
	if _, e = image.Alloc("buffer", 1<<16); e != nil {
		panic(e)
	}
	m, e := New(s, Job{
		Launches: []*ptx.Launch{{Kernel: k, Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{64, 1, 1}}},
		Image:    image, Scheme: codec.NewRaw(32), CycleLimit: 20_000,
	})
	if e != nil {
		return nil, e
	}
	return nil, m.Run()
}

const touchKernel = `.version 7.0
.target sm_50
.address_size 64
.visible .entry k()
{
	.reg .u32 %r<4>;
	.reg .u64 %a<3>;
	.reg .f32 %f<2>;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, %ctaid.x;
	mad.lo.u32 %r0, %r1, 64, %r0;
	mul.wide.u32 %a0, %r0, 128;
	mov.u64 %a1, 0xc0000000;
	add.u64 %a0, %a0, %a1;
	ld.global.f32 %f0, [%a0];
	sqrt.approx.f32 %f1, %f0;
	st.global.f32 [%a0], %f1;
	atom.global.add.u32 %r2, [%a1], 1;
	bar.sync 0;
	ret;
}
`
