package compile

import "github.com/burstscope/burstscope/core/ptx"

// Orders of memory (PTX ISA, Memory Consistency Model). A release is a fence in front of its access, an acquire one after
// it; compilers for GPUs do the same: MEMBAR before the store, CCTL.IVALL after the load.

func selectMembar(s *selector) {
	if s.has("proxy") {
		s.proxyFence()
		return
	}
	s.scopedFence("sc", s.oneOf("cta", "gl", "sys", "gpu", "cluster"))
}

func selectFence(s *selector) {
	for _, m := range s.mods {
		if m.Text == "proxy" {
			s.proxyFence()
			return
		}
	}
	ready := s.has("mbarrier_init")
	order := s.oneOf("sc", "acq_rel", "acquire", "release")
	if ready && (order != "release" || !s.modifier("cluster")) {
		s.fail(s.st.At, "%s: .mbarrier_init goes with .release.cluster", s.text())
	}
	if s.restrict() { // less is ordered than the fence orders
		s.scopedFence(order, s.oneOf("cluster"))
		return
	}
	s.scopedFence(order, s.scopeWord())
}

// restrict takes the restriction of a fence to what synchronizes by shared memory.
func (s *selector) restrict() bool {
	acquire := s.modifier("acquire") && s.has("sync_restrict::shared::cluster")
	return acquire || s.modifier("release") && s.has("sync_restrict::shared::cta")
}

// proxyFence is a fence between proxies. There is one path to memory here, so it orders nothing between threads; but
// the sanitizer wants it.
func (s *selector) proxyFence() {
	s.has("proxy")
	orders := uint64(0)
	switch word := s.oneOf("alias", "async", "tensormap::generic", "async::generic"); word {
	case "async":
		switch s.oneOf("global", "shared::cta", "shared::cluster") {
		case "":
			orders = ptx.FenceAsyncShared | ptx.FenceAsyncGlobal
		case "global":
			orders = ptx.FenceAsyncGlobal
		default:
			orders = ptx.FenceAsyncShared
		}
	case "async::generic":
		orders = ptx.FenceAsyncShared
		if s.oneOf("acquire", "release") == "" || !s.restrict() || !s.has("cluster") {
			s.unsupported()
		}
	case "tensormap::generic":
		order := s.oneOf("acquire", "release")
		if order == "" || s.oneOf("cta", "cluster", "gpu", "sys") == "" {
			s.unsupported()
		}
		if order == "acquire" {
			orders = ptx.FenceTensorMap
			s.wholeMap(1)
		}
	case "":
		s.unsupported()
	}
	s.fence(ptx.FenceStores | orders)
}

// scopedFence is a fence that has to say whom it is for.
func (s *selector) scopedFence(order, scope string) {
	if scope == "" {
		s.fail(s.st.At, "%s: want a scope: .cta, .gpu or .sys", s.text())
		return
	}
	s.ordered(memoryMode{scope: scope, release: order != "acquire", acquire: order != "release"})
}

// released is the fence in front of an access with .release.
func (s *selector) released(m memoryMode) {
	if m.release {
		s.ordered(memoryMode{scope: m.scope, release: true})
	}
}

// acquired is the fence after an access with .acquire.
func (s *selector) acquired(m memoryMode) {
	if m.acquire {
		s.ordered(memoryMode{scope: m.scope, acquire: true, space: m.space})
	}
}

// ordered emits the fence for an order. In scope .cta nobody waits for stores, and L1 forgets nothing: the accesses of an SM
// take one path to each slice of L2, in order. A load must have its value even so, since a later one may be faster.
// Nobody outside of the CTA reaches its shared memory.
func (s *selector) ordered(m memoryMode) {
	waits := uint64(ptx.FenceLoads)
	if m.scope != "cta" && m.space != ptx.SpaceShared {
		if m.release {
			waits |= ptx.FenceStores
		}
		if m.acquire {
			waits |= ptx.FenceForget
		}
	}
	s.fence(waits)
}

func (s *selector) fence(waits uint64) *node {
	n := instruction(ptx.FamilyControl, ptx.ControlFence, ptx.ClassBarrier)
	n.Imm = waits
	return s.emit(n)
}
