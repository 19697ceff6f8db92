package ptx

import (
	"strings"
	"testing"
)

// TestClusterOrder compares the numbers of CTAs with a walk over clusters: each cluster's CTAs follow each other.
func TestClusterOrder(t *testing.T) {
	for _, c := range [][2][3]uint32{{{6, 4, 2}, {2, 2, 1}}, {{8, 1, 1}, {4, 1, 1}}, {{2, 6, 4}, {1, 3, 4}}, {{5,
		3, 2}, {1, 1, 1}}} {
		l := &Launch{Kernel: &Kernel{}, Grid: c[0], Cluster: c[1]}
		n := uint64(0)
		for z := uint32(0); z < c[0][2]; z += c[1][2] {
			for y := uint32(0); y < c[0][1]; y += c[1][1] {
				for x := uint32(0); x < c[0][0]; x += c[1][0] {
					cluster := uint32(n / l.CTAsPerCluster())
					rank := uint32(0)
					for k := range c[1][2] {
						for j := range c[1][1] {
							for i := range c[1][0] {
								id := [3]uint32{x + i, y + j, z + k}
								if l.CTAID(l.ClusterCTA(n)) != id {
									t.Fatalf("%v: CTA %d is %v, want %v", c, n, l.CTAID(l.ClusterCTA(n)), id)
								}
								if gotCluster, gotRank := l.ClusterOf(id); gotCluster != cluster || gotRank != rank {
									t.Fatalf("%v: %v is CTA %d of cluster %d, want %d of %d", c, id, gotRank,
										gotCluster, rank, cluster)
								}
								n, rank = n+1, rank+1
							}
						}
					}
				}
			}
		}
	}
}

func TestClusterLaunches(t *testing.T) {
	for _, c := range []struct {
		grid, launch, kernel [3]uint32
		most                 int
		want                 string
	}{
		{[3]uint32{4, 2, 1}, [3]uint32{2, 2, 1}, [3]uint32{}, 0, ""},
		{[3]uint32{4, 2, 1}, [3]uint32{}, [3]uint32{4, 1, 1}, 0, ""},
		{[3]uint32{4, 2, 1}, [3]uint32{4, 1, 1}, [3]uint32{4, 1, 1}, 4, ""},
		{[3]uint32{8, 1, 1}, [3]uint32{8, 1, 1}, [3]uint32{}, 0, ""},
		{[3]uint32{16, 1, 1}, [3]uint32{16, 1, 1}, [3]uint32{}, 0, "need the launch attribute nonPortable"},
		{[3]uint32{16, 1, 1}, [3]uint32{}, [3]uint32{3, 3, 1}, 0, "has 9 CTAs: more than 8"},
		{[3]uint32{4, 2, 1}, [3]uint32{3, 1, 1}, [3]uint32{}, 0, "clusters of (3,1,1) do not divide the grid (4,2,1)"},
		{[3]uint32{4, 2, 1}, [3]uint32{}, [3]uint32{1, 1, 2}, 0, "clusters of (1,1,2) do not divide the grid (4,2,1)"},
		{[3]uint32{4, 2, 1}, [3]uint32{2, 1, 1}, [3]uint32{4, 1, 1}, 0, "requires clusters of (4,1,1), not (2,1,1)"},
		{[3]uint32{32, 1, 1}, [3]uint32{32, 1, 1}, [3]uint32{}, 0, "want 1 to 16"},
		{[3]uint32{8, 8, 1}, [3]uint32{8, 4, 1}, [3]uint32{}, 0, "has 32 CTAs: at most 16"},
		{[3]uint32{8, 1, 1}, [3]uint32{8, 1, 1}, [3]uint32{}, 4, "want 1 to 4"},
		{[3]uint32{8, 1, 1}, [3]uint32{1 << 31, 1 << 31, 1 << 31}, [3]uint32{}, 0, "want 1 to 16"},
	} {
		l := &Launch{Kernel: &Kernel{ReqCluster: c.kernel, MaxClusterRank: c.most}, Grid: c.grid,
			Block: [3]uint32{32, 1, 1}, Cluster: c.launch}
		switch err := l.Validate(); {
		case c.want == "" && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: %v, want %q", c, err, c.want)
		}
	}
}

// TestNonPortableClusters: with the attribute of the launch a cluster has up to 16 CTAs.
func TestNonPortableClusters(t *testing.T) {
	l := &Launch{Kernel: &Kernel{}, Grid: [3]uint32{32, 1, 1}, Block: [3]uint32{32, 1, 1},
		Cluster: [3]uint32{16, 1, 1}, NonPortable: true}
	if err := l.Validate(); err != nil {
		t.Error(err)
	}
	l.Cluster = [3]uint32{32, 1, 1}
	if err := l.Validate(); err == nil || !strings.Contains(err.Error(), "want 1 to 16") {
		t.Error(err)
	}
}

// TestRegistersOfALaunchThatMovesThem: 384 threads that together need more than an SM has still start, with what they
// have before setmaxnreg.
func TestRegistersOfALaunchThatMovesThem(t *testing.T) {
	k := &Kernel{RegistersPerThread: 182, MinCTAs: 1, Code: []Instr{{Family: FamilyControl, Op: ControlRegisters}}}
	l := &Launch{Kernel: k, Block: [3]uint32{384, 1, 1}}
	if got := l.RegistersPerThread(); got != 168 {
		t.Errorf("%d registers a thread, want 168", got)
	}
	k.Code = nil
	if got := l.RegistersPerThread(); got != 182 {
		t.Errorf("%d registers a thread without setmaxnreg, want 182", got)
	}
}
