package mem

// Priority is the place that an access gives its line in the order of eviction. The least recently used line of the
// first class that a set has leaves first (PTX ISA, Cache Eviction Priority Hints).
type Priority uint8

const (
	// EvictDefault is that of an access without a hint, of L1::evict_normal and of L2::evict_unchanged: a line
	// keeps its class, a new one is normal. NVIDIA's descriptor of a policy has one code for the default and for
	// evict_unchanged (libcu++, cuda/__annotated_ptr/createpolicy.h, __l2_evict_t).
	EvictDefault Priority = iota
	// EvictUnchanged leaves the order as it is; a new line is normal (L1::evict_unchanged).
	EvictUnchanged
	EvictFirst
	EvictLast
	// EvictNormal makes the line normal again: what libcu++ calls evict_normal_demote (__l2_evict_t), which is
	// L2::evict_normal of createpolicy, prefetch and applypriority.
	EvictNormal
	// NoAllocate takes no line (L1::no_allocate); one that is there serves the access and keeps its place.
	NoAllocate
)
