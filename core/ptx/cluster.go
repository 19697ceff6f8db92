package ptx

// Addresses of the shared memory of a cluster (PTX ISA, mapa and the state space .shared). An address of the own CTA
// is below WindowBytes; that of CTA r of the cluster has r+1 above it. On the device the rank lies in the same bits
// (CUTLASS's Sm100MmaPeerBitMask, 0xFEFFFFFF) [ours].
const (
	ClusterRankBit = 24
	// ClusterWindow is where generic addresses of other CTAs' shared memory begin, above all of device memory.
	ClusterWindow = 1 << 56
	// Clusters of up to portableClusterCTAs run on every GPU that has clusters; sm_90 runs up to MaxClusterCTAs (CUDA
	// C++ Programming Guide, Thread Block Clusters).
	portableClusterCTAs = 8
	MaxClusterCTAs      = 16
)

// ClusterExtent returns the CTAs of a cluster in each dimension.
func (l *Launch) ClusterExtent() [3]uint32 {
	switch {
	case l.Cluster[0] != 0:
		return l.Cluster
	case l.Kernel != nil && l.Kernel.ReqCluster[0] != 0:
		return l.Kernel.ReqCluster
	}
	return [3]uint32{1, 1, 1}
}

// CTAsPerCluster returns how many CTAs a cluster has.
func (l *Launch) CTAsPerCluster() uint64 {
	c := l.ClusterExtent()
	return uint64(c[0]) * uint64(c[1]) * uint64(c[2])
}

// ExplicitCluster is %is_explicit_cluster: the kernel or the launch asks for clusters.
func (l *Launch) ExplicitCluster() bool {
	return l.Kernel.ReqCluster[0] != 0 || l.Kernel.ExplicitCluster || l.CTAsPerCluster() > 1
}

// clusterFault returns what is wrong with the clusters of a launch, with its arguments; "" for nothing.
func (l *Launch) clusterFault() (format string, args []any) {
	c, k := l.ClusterExtent(), l.Kernel
	if l.Cluster[0] != 0 && k.ReqCluster[0] != 0 && l.Cluster != k.ReqCluster {
		return "the kernel requires clusters of (%d,%d,%d), not (%d,%d,%d)", []any{k.ReqCluster[0], k.ReqCluster[1],
			k.ReqCluster[2], c[0], c[1], c[2]}
	}
	most := uint64(MaxClusterCTAs)
	if k.MaxClusterRank > 0 {
		most = min(most, uint64(k.MaxClusterRank))
	}
	for i := range 3 {
		if c[i] == 0 || uint64(c[i]) > most {
			return "a cluster of (%d,%d,%d) CTAs: want 1 to %d in all", []any{c[0], c[1], c[2], most}
		}
	}
	if n := l.CTAsPerCluster(); n > portableClusterCTAs && n <= most && !l.NonPortable {
		return "a cluster of (%d,%d,%d) has %d CTAs: more than %d need the launch attribute nonPortable " +
			"(cudaFuncAttributeNonPortableClusterSizeAllowed)", []any{c[0], c[1], c[2], n, portableClusterCTAs}
	}
	if l.CTAsPerCluster() > most {
		return "a cluster of (%d,%d,%d) has %d CTAs: at most %d are possible", []any{c[0], c[1], c[2],
			l.CTAsPerCluster(), most}
	}
	for i := range 3 {
		if l.Grid[i]%c[i] != 0 {
			return "clusters of (%d,%d,%d) do not divide the grid (%d,%d,%d)", []any{c[0], c[1], c[2], l.Grid[0],
				l.Grid[1],
				l.Grid[2]}
		}
	}
	return "", nil
}

// ClusterCTA returns the number of the CTA that is number n if the CTAs of a cluster follow each other: x runs
// fastest among clusters, and in each of them.
func (l *Launch) ClusterCTA(n uint64) uint64 {
	c := l.ClusterExtent()
	per := uint64(c[0]) * uint64(c[1]) * uint64(c[2])
	if per == 1 {
		return n
	}
	cluster, rank := n/per, n%per
	wide, high := uint64(l.Grid[0]/c[0]), uint64(l.Grid[1]/c[1])
	x := cluster%wide*uint64(c[0]) + rank%uint64(c[0])
	y := cluster/wide%high*uint64(c[1]) + rank/uint64(c[0])%uint64(c[1])
	z := cluster/(wide*high)*uint64(c[2]) + rank/(uint64(c[0])*uint64(c[1]))
	return x + uint64(l.Grid[0])*(y+uint64(l.Grid[1])*z)
}

// ClusterOf returns the number of a CTA's cluster, and the CTA's rank in it.
func (l *Launch) ClusterOf(id [3]uint32) (cluster, rank uint32) {
	c := l.ClusterExtent()
	cluster = id[0]/c[0] + l.Grid[0]/c[0]*(id[1]/c[1]+l.Grid[1]/c[1]*(id[2]/c[2]))
	return cluster, id[0]%c[0] + c[0]*(id[1]%c[1]+c[1]*(id[2]%c[2]))
}
