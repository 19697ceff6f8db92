package sm

import (
	"slices"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
	"github.com/burstscope/burstscope/core/sim"
)

// Clusters holds the clusters of several CTAs that run on a machine. Their CTAs lie on different SMs, which reach
// each other here at once; a launch with such clusters has its SMs in one engine, and none works ahead.
type Clusters struct {
	open []*cluster
}

type cluster struct {
	launch  int32
	number  uint32
	shared  *execute.Cluster
	members []clusterMember
}

// clusterMember is a CTA that runs.
type clusterMember struct {
	sm   *SM
	slot int // of the CTA
}

// ClusterWake lets another SM of a cluster wake this one.
func (m *SM) ClusterWake(wake func(at sim.Cycle)) { m.wake = wake }

// Clustered reports whether some launch has clusters of several CTAs.
func Clustered(launches []*ptx.Launch) bool {
	return slices.ContainsFunc(launches, func(l *ptx.Launch) bool { return l.CTAsPerCluster() > 1 })
}

// join makes the CTA in a slot a part of its cluster. loaded says that it has run before.
func (x *Clusters) join(m *SM, slot int, loaded bool) {
	l := m.env.Launches[m.launch]
	if l.CTAsPerCluster() == 1 {
		return
	}
	cta := m.ctas[slot].cta
	number, rank := l.ClusterOf(cta.ID)
	i := slices.IndexFunc(x.open, func(c *cluster) bool { return c.launch == m.launch && c.number == number })
	if i < 0 {
		i = len(x.open)
		x.open = append(x.open, &cluster{launch: m.launch, number: number, shared: execute.NewCluster(l)})
	}
	c := x.open[i]
	if loaded {
		c.shared.Rejoin(cta, rank)
	} else {
		c.shared.Join(cta, rank)
	}
	c.members = append(c.members, clusterMember{m, slot})
}

// forget takes all CTAs of an SM out.
func (x *Clusters) forget(m *SM) {
	if x == nil { // an SM of a test
		return
	}
	for _, c := range x.open {
		c.members = slices.DeleteFunc(c.members, func(b clusterMember) bool { return b.sm == m })
	}
	x.open = slices.DeleteFunc(x.open, func(c *cluster) bool { return len(c.members) == 0 })
}

// of returns the cluster of a CTA with others, or nil.
func (x *Clusters) of(m *SM, slot int) *cluster {
	if c := m.ctas[slot].cta; c == nil || !c.Clustered() {
		return nil
	}
	for _, c := range x.open {
		if slices.Contains(c.members, clusterMember{m, slot}) {
			return c
		}
	}
	return nil
}

// leave takes a CTA out that has ended. Its shared memory is not used again.
func (x *Clusters) leave(m *SM, slot int) {
	c := x.of(m, slot)
	if c == nil {
		return
	}
	m.ctas[slot].cta.Leave()
	m.ctas[slot].cta = nil
	c.members = slices.DeleteFunc(c.members, func(b clusterMember) bool { return b == clusterMember{m, slot} })
	if len(c.members) == 0 {
		x.open = slices.DeleteFunc(x.open, func(b *cluster) bool { return b == c })
	}
}

// releaseOthers lets the warps of the other CTAs run again when a barrier of the cluster is complete.
func (x *Clusters) releaseOthers(now sim.Cycle, m *SM, slot int) {
	c := x.of(m, slot)
	if c == nil {
		return
	}
	for _, b := range c.members {
		if b.sm != m || b.slot != slot {
			b.sm.release(now, &b.sm.ctas[b.slot])
			if b.sm != m {
				b.sm.account.blames = false
				b.sm.wake(now + 1)
			}
		}
	}
}

// GPCs of an H100: 66 TPCs of two SMs in eight of them, so that two have nine and six have eight (NVIDIA H100 white
// paper; which GPC lacks which TPC has not been published, and here they follow each other).
const (
	tpcSMs     = 2
	gpcTPCsMax = 9
)

// gpcOf returns the GPC of an SM, of which there are sms.
func gpcOf(i, sms int) int {
	tpcs := (sms + tpcSMs - 1) / tpcSMs
	gpcs := (tpcs + gpcTPCsMax - 1) / gpcTPCsMax
	return i / tpcSMs * gpcs / tpcs
}

// tickCluster hands out the CTAs of the next clusters, each in one cycle to as many SMs of one GPC as it has CTAs. It
// reports whether some have been handed out, and the last SM.
func (d *Dispatcher) tickCluster(now sim.Cycle, per uint32) (granted bool, last int) {
	n := len(d.grants)
	l := d.launches[d.launch]
	begin, end := uint64(now)*millicycles, uint64(now+1)*millicycles
	for d.next < d.total && d.free < end {
		if !d.chooseSMs(int(per)) {
			return granted, last
		}
		for _, i := range d.chosen {
			d.grants[i].Send(now, Grant{Launch: int32(d.launch), CTA: uint32(l.ClusterCTA(uint64(d.next)))})
			d.owns(now, i)
			d.took(i)
			granted, last = true, i
		}
		d.first = (last + 1) % n
		d.free = max(d.free, begin) + uint64(per)*d.interval
	}
	return granted, last
}

// chooseSMs finds SMs for a cluster in the first GPC that has room, from the present SM on. It reports whether one has.
func (d *Dispatcher) chooseSMs(per int) bool {
	n := len(d.grants)
	for k, tried := 0, -1; k < n; k++ {
		if gpc := gpcOf((d.first+k)%n, n); gpc != tried {
			if tried = gpc; d.chooseOf(gpc, per) {
				return true
			}
		}
	}
	return false
}

// chooseOf finds them in one GPC: several CTAs go to an SM only if there are too few.
func (d *Dispatcher) chooseOf(gpc, per int) bool {
	n := len(d.grants)
	d.chosen = d.chosen[:0]
	clear(d.extra)
	for round := 0; len(d.chosen) < per; round++ {
		before := len(d.chosen)
		for k := 0; k < n && len(d.chosen) < per; k++ {
			i := (d.first + k) % n
			if gpcOf(i, n) == gpc && d.takes(i, d.extra[i]) && d.extra[i] == round &&
				d.grants[i].Room(uint32(d.extra[i]+1)) {
				d.chosen = append(d.chosen, i)
				d.extra[i]++
			}
		}
		if len(d.chosen) == before {
			return false
		}
	}
	return true
}
