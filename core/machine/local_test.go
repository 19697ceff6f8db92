package machine

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/ptx"
)

// spilling uses 4 kB of local memory a thread.
const spilling = ".local .align 4 .b8 own[4096];\nmov.u64 %a, own;\nst.local.u32 [%a+2048], %t;\nld.local.u32 %r, [%a+2048];\n"

func spilled(t *testing.T) []*ptx.Launch {
	return []*ptx.Launch{{Kernel: kernelOf(t, spilling), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}, Params: make([]byte, 8)}}
}

// TestLocalMemoryComesWhenWritten: the local memory of all threads that an A100 holds is
// 0.9 GB. A program of two warps writes a line of it for each warp.
func TestLocalMemoryComesWhenWritten(t *testing.T) {
	a100 := built("a100")
	m := build(t, a100, "")
	image, err := mem.NewImage(mem.DefaultBase, a100.MemoryBytes)
	if err != nil {
		t.Fatal(err)
	}
	launches := spilled(t)
	if _, err := image.Alloc("buffer", 256); err != nil {
		t.Fatal(err)
	}
	if n := localBytes(a100, launches); n>>20 != 864 {
		t.Errorf("local memory of %d MB", n>>20)
	}
	job := m.job
	job.Image, job.Launches = image, launches
	if m, err = New(a100, job); err != nil {
		t.Fatal(err)
	}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	if n := image.ResidentBytes(); n > 1<<20 {
		t.Errorf("%d kB of pages for two lines of local memory", n>>10)
	}
}

// TestLocalMemoryThatDoesNotFit names the kernel and what it needs.
func TestLocalMemoryThatDoesNotFit(t *testing.T) {
	launches := spilled(t)
	image, err := mem.NewImage(mem.DefaultBase, 1<<24)
	if err != nil {
		t.Fatal(err)
	}
	_, err = New(gtx480(), Job{Launches: launches, Image: image, Scheme: codec.NewRaw(32)})
	for _, part := range []string{"kernel k has 4096 bytes of local memory a thread", "23040 threads", "local memory needs 94371840 bytes", "fewer SMs"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want it to say %q", err, part)
		}
	}
}

// TestResidentLimit: a run that writes more memory than the host has room for ends with
// the figure.
func TestResidentLimit(t *testing.T) {
	body := "mul.wide.u32 %a, %t, 65536;\nadd.u64 %a, %a, %p;\nst.global.u32 [%a], %t;\n"
	m := buildFor(t, mini(), strings.Repeat(body, 200), 64<<20)
	image, err := mem.NewImage(mem.DefaultBase, 1<<28)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := image.AllocSparse("buffer", 64<<20); err != nil {
		t.Fatal(err)
	}
	l := *m.job.Launches[0]
	l.Block = [3]uint32{1024, 1, 1}
	m, err = New(mini(), Job{Launches: []*ptx.Launch{&l}, Image: image, Scheme: codec.NewRaw(32), ResidentLimitBytes: 2 << 20})
	if err != nil {
		t.Fatal(err)
	}
	err = m.Run()
	if err == nil || !strings.Contains(err.Error(), "there is room for 2 MB here") {
		t.Errorf("%v", err)
	}
}
