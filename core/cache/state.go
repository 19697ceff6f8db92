package cache

import "github.com/burstscope/burstscope/core/tape"

// State lists the changing state of a tag array.
func (g *Tags) State(t *tape.Tape) {
	tape.Values(t, g.Addr)
	tape.Values(t, g.Used)
	tape.Value(t, &g.stamp)
}

// State lists the changing state of an L1.
func (l *L1) State(t *tape.Tape) {
	l.store.State(t)
	tape.Values(t, l.waits)
	l.kept.state(t)
	tape.Values(t, l.mshr)
	tape.List(t, &l.free)
	tape.Value(t, &l.active)
}

// State lists the changing state of a read-only cache.
func (r *ReadOnly) State(t *tape.Tape) {
	r.tags.State(t)
	tape.Values(t, r.mshr)
	tape.Value(t, &r.recent)
}

// State lists the changing state of a slice.
func (l *L2) State(t *tape.Tape) {
	l.tags.State(t)
	l.lines.state(t)
	tape.Values(t, l.ways)
	tape.Values(t, l.uses)
	tape.Values(t, l.mshr)
	tape.List(t, &l.free)
	tape.Value(t, &l.ready)
	l.sends.state(t)
	l.nodeState(t)
	tape.Value(t, &l.Stats)
	tape.Value(t, &l.sleeps)
	if l.config.FarCycles > 0 {
		l.away.state(t)
	}
	if t.Loading() {
		l.stuck = false // until the request is looked up again
	}
}

// nodeState lists the nodes in use, and the order of the free ones.
func (l *L2) nodeState(t *tape.Tape) {
	n := int32(len(l.nodes))
	tape.Value(t, &n)
	if t.Loading() {
		l.nodes = append(l.nodes[:0], make([]waiting, n)...)
	}
	tape.Value(t, &l.spare)
	for i := range l.nodes {
		tape.Value(t, &l.nodes[i].next)
	}
	spare := make([]bool, len(l.nodes))
	for i := l.spare; i >= 0; i = l.nodes[i].next {
		spare[i] = true
	}
	for i := range l.nodes {
		if !spare[i] {
			tape.Value(t, &l.nodes[i])
		}
	}
}
