package machine

import (
	"math/rand"
	"strconv"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

func TestOverride(t *testing.T) {
	s := mini()
	for path, value := range map[string]string{
		"sm.l1.ways": "8", "sm.l1Loads": "off", "addressHash": "both", "dram.rcd": "20", "controller.rowHitCapBlocks": "4", "controller.rowPolicy": "timeout",
		"sm.timing.intAdd.latencyCycles": "6", "sm.timing.intAdd.unit": "double",
	} {
		if f := s.Override(path, value); f != nil {
			t.Errorf("%+v", f)
		}
	}
	if faults := s.Check(32); len(faults) != 0 {
		t.Error(faults)
	}
	if s.SM.L1.Ways != 8 || s.SM.L1Loads || s.DRAM.RCD != 20 || s.Controller.RowHitCapBlocks != 4 || s.SM.Timing[ptx.ClassIntAdd].LatencyCycles != 6 {
		t.Errorf("%+v", s)
	}
	for path, value := range map[string]string{
		"sm.l1.way": "8", "l2": "4", "sm.l1.ways": "0", "sm.warps": "1000000", "coreMHz": "fast", "sm.l1Loads": "true",
		"addressHash": "all", "sm.banks": "-1", "dram.rp": "99999999999999999999", "name": "x", "l2.wholeBlocks": "on",
	} {
		if f := mini().Override(path, value); f == nil || f.Path != path || f.Message == "" || f.Mend == "" {
			t.Errorf("%s=%s: %+v", path, value, f)
		}
	}
}

// Combinations that cannot be are found before a machine is built from them.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		path, value string
		mag         int
		where       string
	}{
		{"l2.sets", "48", 32, "l2.sets"},
		{"sm.l1.sets", "3", 32, "sm.l1.sets"},
		{"sm.schedulers", "3", 32, ""},
		{"sm.warps", "47", 32, "sm.warps"},
		{"dram.banks", "8", 32, "addressMap"},
		{"dram.banks", "12", 32, "dram"},
		{"addressMap", "dramid@8; BBBB", 32, "addressMap"},
		{"controller.writeLowBlocks", "60", 32, "controller"},
		{"controller.metadataBytes", "1000", 32, "controller"},
		{"dram.bytesPerCommandClock", "64", 32, "dram"},
		{"dramMHz", "1002", 24, "memory.mag"},
		{"controllers", "64", 32, ""},
		{"l2.ways", "256", 32, ""},
	} {
		s := mini()
		if f := s.Override(c.path, c.value); f != nil {
			t.Fatalf("%+v", f)
		}
		got := ""
		if faults := s.Check(c.mag); len(faults) > 0 {
			got = faults[0].Path
			if faults[0].Message == "" || faults[0].Mend == "" {
				t.Errorf("%+v", faults[0])
			}
		}
		if got != c.where {
			t.Errorf("%s=%s with bursts of %d: fault at %q, want %q", c.path, c.value, c.mag, got, c.where)
		}
	}
}

// TestCheckedMachinesRun: what Override and Check let through can be built and
// run; a machine never panics because of its values.
func TestCheckedMachinesRun(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	infos := allFields()
	if _, err := runTouch(mini()); err != nil {
		t.Fatal(err)
	}
	built := 0
	for try := range 200 {
		s := mini()
		var given []string
		for range 1 + r.Intn(3) {
			f := infos[r.Intn(len(infos))]
			value := strconv.FormatInt([]int64{f.low, f.high, f.low + r.Int63n(f.high-f.low+1), f.low + r.Int63n(min(f.high-f.low, 16)+1)}[r.Intn(4)], 10)
			if words := choices(newTable(s).find(f.path).leaf.value.Type()); words != nil {
				value = words[r.Intn(len(words))]
			}
			if s.Override(f.path, value) == nil {
				given = append(given, f.path+"="+value)
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

// runTouch runs a small kernel with loads, stores and an atomic. It returns what
// a panic says, and an error where the kernel does not fit or does not end, which
// is no fault of the machine.
func runTouch(s *Spec) (fault any, err error) {
	defer func() { fault = recover() }()
	module, e := ptx.Parse("k.ptx", []byte(touchKernel))
	if e != nil {
		panic(e)
	}
	k, e := ptx.Compile(module, "k", nil)
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
