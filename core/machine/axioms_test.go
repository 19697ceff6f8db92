package machine

import (
	"fmt"
	"slices"
	"strings"
)

// The axioms of PTX's memory model (PTX ISA, Memory Consistency Model; Lustig et al., A Formal Analysis of the NVIDIA PTX
// Memory Consistency Model, ASPLOS 2019), for programs of a few instructions. Slow and obvious: every source of every read
// and every order of the writes is tried.

// litmusOp is one instruction of a litmus program.
type litmusOp struct {
	kind  string // "ld", "st", "fence", "bar", "atom" (an exchange)
	order string // weak, relaxed, acquire, release, acq_rel or sc
	scope string // cta, gpu or sys; empty for weak
	place int    // the word that it touches
	value int    // that it stores
	form  string // how a weak read is written: "", "generic", "async", "cg", "nc"; how a fence is: "membar"
}

func (o *litmusOp) reads() bool  { return o.kind == "ld" || o.kind == "atom" }
func (o *litmusOp) writes() bool { return o.kind == "st" || o.kind == "atom" }

func (o *litmusOp) touches() bool { return o.reads() || o.writes() }

func (o *litmusOp) strong() bool { return o.order != "weak" && o.kind != "bar" }

// litmus is a program: the instructions of each thread, and the CTA of each.
type litmus struct {
	name    string
	threads [][]litmusOp
	cta     []int
	shared  bool // the words lie in shared memory
}

// event is an instruction in an execution; the first ones are the initial writes.
type event struct {
	litmusOp
	thread, at int
}

// execution is one candidate.
type execution struct {
	program *litmus
	events  []event
	from    []int   // of each read: the write
	co      [][]int // the writes of each place, in order
	sc      []int   // fences with .sc, in order
}

type relation [][]bool

func newRelation(n int) relation {
	r := make(relation, n)
	for i := range r {
		r[i] = make([]bool, n)
	}
	return r
}

func (r relation) close() {
	for k := range r {
		for i := range r {
			if r[i][k] {
				for j := range r {
					r[i][j] = r[i][j] || r[k][j]
				}
			}
		}
	}
}

func (r relation) add(o relation) {
	for i := range r {
		for j := range r {
			r[i][j] = r[i][j] || o[i][j]
		}
	}
}

func (r relation) then(o relation) relation {
	out := newRelation(len(r))
	for i := range r {
		for k := range r {
			if r[i][k] {
				for j := range r {
					out[i][j] = out[i][j] || o[k][j]
				}
			}
		}
	}
	return out
}

func (r relation) reflexive() bool {
	for i := range r {
		if r[i][i] {
			return true
		}
	}
	return false
}

// allowed returns the outcomes that the axioms allow: the values of all reads, in the order of the threads.
func (l *litmus) allowed() map[string]bool {
	x := &execution{program: l}
	places := 0
	for _, ops := range l.threads {
		for _, o := range ops {
			if o.kind != "fence" && o.kind != "bar" {
				places = max(places, o.place+1)
			}
		}
	}
	for p := range places {
		x.events = append(x.events, event{litmusOp{kind: "st", order: "weak", place: p}, -1, 0})
	}
	for t, ops := range l.threads {
		for i, o := range ops {
			x.events = append(x.events, event{o, t, i})
		}
	}
	x.from, x.co = make([]int, len(x.events)), make([][]int, places)
	outcomes := map[string]bool{}
	x.source(0, outcomes)
	return outcomes
}

// source tries every write for the reads from event i on.
func (x *execution) source(i int, outcomes map[string]bool) {
	for ; i < len(x.events) && !x.events[i].reads(); i++ {
	}
	if i == len(x.events) {
		x.orderPlace(0, outcomes)
		return
	}
	for w := range x.events {
		if x.events[w].writes() && x.events[w].place == x.events[i].place && w != i {
			x.from[i] = w
			x.source(i+1, outcomes)
		}
	}
}

// orderPlace tries every order of the writes of the places from p on; the initial write is the first.
func (x *execution) orderPlace(p int, outcomes map[string]bool) {
	if p == len(x.co) {
		var fences []int
		for i, e := range x.events {
			if e.kind == "fence" && e.order == "sc" {
				fences = append(fences, i)
			}
		}
		permute(fences, 0, func(order []int) {
			if x.sc = order; x.legal() {
				outcomes[x.outcome()] = true
			}
		})
		return
	}
	var writes []int
	for i, e := range x.events {
		if e.writes() && e.place == p {
			writes = append(writes, i)
		}
	}
	permute(writes, 1, func(order []int) {
		x.co[p] = slices.Clone(order)
		x.orderPlace(p+1, outcomes)
	})
}

// permute gives every order of list from its k-th element on.
func permute(list []int, k int, give func([]int)) {
	if k >= len(list) {
		give(list)
		return
	}
	for i := k; i < len(list); i++ {
		list[k], list[i] = list[i], list[k]
		permute(list, k+1, give)
		list[k], list[i] = list[i], list[k]
	}
}

func (x *execution) outcome() string {
	var values []string
	for i, e := range x.events {
		if e.reads() {
			values = append(values, fmt.Sprint(x.events[x.from[i]].value))
		}
	}
	return strings.Join(values, " ")
}

// inclusive reports whether each of two events is in the scope of the other.
func (x *execution) inclusive(a, b *event) bool {
	same := a.thread >= 0 && b.thread >= 0 && x.program.cta[a.thread] == x.program.cta[b.thread]
	return (same || a.scope != "cta") && (same || b.scope != "cta")
}

// morally reports whether two events are morally strong: related in program order, or both strong and inclusive.
func (x *execution) morally(i, j int) bool {
	a, b := &x.events[i], &x.events[j]
	if a.thread == b.thread && a.thread >= 0 {
		return true
	}
	return a.thread >= 0 && b.thread >= 0 && a.strong() && b.strong() && x.inclusive(a, b)
}

// legal checks the axioms.
func (x *execution) legal() bool {
	n := len(x.events)
	po, place, rf, fr, co := newRelation(n), newRelation(n), newRelation(n), newRelation(n), newRelation(n)
	for i := range x.events {
		for j := range x.events {
			a, b := &x.events[i], &x.events[j]
			po[i][j] = a.thread >= 0 && a.thread == b.thread && a.at < b.at
			place[i][j] = po[i][j] && a.touches() && b.touches() && a.place == b.place
		}
	}
	for _, order := range x.co {
		for i, a := range order {
			for _, b := range order[i+1:] {
				co[a][b] = true
			}
		}
	}
	for i, e := range x.events {
		if !e.reads() {
			continue
		}
		w := x.from[i]
		rf[w][i] = true
		for j := range x.events {
			fr[i][j] = co[w][j] && j != i
		}
		if e.kind == "atom" && !x.atomic(w, i) {
			return false
		}
	}
	cause := x.causality(po, rf)
	for i := range x.events {
		for j := range x.events {
			if x.events[i].thread < 0 && x.events[j].thread >= 0 { // initial writes come first
				cause[i][j] = true
			}
			if cause[i][j] && co[j][i] { // Coherence
				return false
			}
		}
	}
	for i, a := range x.sc { // Fence-SC
		for _, b := range x.sc[i+1:] {
			if x.morally(a, b) && cause[b][a] {
				return false
			}
		}
	}
	seen := newRelation(n)
	seen.add(rf)
	seen.add(fr)
	if seen.then(cause).reflexive() { // Causality
		return false
	}
	return !x.cyclic(place, rf, fr, co)
}

// atomic reports whether no write comes between the one that an exchange reads and its own.
func (x *execution) atomic(from, exchange int) bool {
	order := x.co[x.events[exchange].place]
	return slices.Index(order, exchange) == slices.Index(order, from)+1
}

// cyclic reports whether one place has no order of its morally strong accesses (SC per location).
func (x *execution) cyclic(place, rf, fr, co relation) bool {
	r := newRelation(len(x.events))
	for _, o := range []relation{rf, fr, co} {
		for i := range o {
			for j := range o {
				r[i][j] = r[i][j] || o[i][j] && (x.morally(i, j) || x.events[i].thread < 0)
			}
		}
	}
	r.add(place)
	r.close()
	return r.reflexive()
}

// causality is the causality order: program order and synchronization, and what is observed before it.
func (x *execution) causality(po, rf relation) relation {
	n := len(x.events)
	observed := newRelation(n)
	for i := range x.events {
		for j := range x.events {
			observed[i][j] = rf[i][j] && x.morally(i, j)
		}
	}
	// A read of what an exchange wrote has also observed what the exchange read.
	chain := newRelation(n)
	chain.add(observed)
	chain.close()
	sync := newRelation(n)
	for w := range x.events {
		for r := range x.events {
			if chain[w][r] {
				x.synchronize(sync, po, w, r)
			}
		}
	}
	x.synchronizeMore(sync)
	base := newRelation(n)
	base.add(sync)
	base.add(po)
	base.close()
	cause := chain.then(base)
	cause.add(base)
	return cause
}

// synchronize adds the pairs of release and acquire patterns around a write and the read that has observed it.
func (x *execution) synchronize(sync, po relation, w, r int) {
	both := func(e *event) bool { return e.order == "acq_rel" || e.order == "sc" }
	releases := func(e *event) bool { return e.order == "release" || both(e) }
	acquires := func(e *event) bool { return e.order == "acquire" || both(e) }
	for _, a := range x.pattern(po, w, releases, true) {
		for _, b := range x.pattern(po, r, acquires, false) {
			if x.morally(a, b) {
				sync[a][b] = true
			}
		}
	}
}

// pattern returns the events that begin a release at write i (before), or end an acquire at read i.
func (x *execution) pattern(po relation, i int, orders func(*event) bool, before bool) (list []int) {
	e := &x.events[i]
	if !e.strong() || e.thread < 0 {
		return nil
	}
	if orders(e) {
		list = append(list, i)
	}
	for f := range x.events {
		if g := &x.events[f]; g.kind == "fence" && orders(g) && (before && po[f][i] || !before && po[i][f]) {
			list = append(list, f)
		}
	}
	return list
}

// synchronizeMore adds barriers of a CTA, each of which all its threads reach as their k-th, and fences with .sc.
func (x *execution) synchronizeMore(sync relation) {
	for i := range x.events {
		for j := range x.events {
			a, b := &x.events[i], &x.events[j]
			bars := i != j && a.kind == "bar" && b.kind == "bar" && a.value == b.value
			if bars && x.program.cta[a.thread] == x.program.cta[b.thread] {
				sync[i][j] = true
			}
		}
	}
	for i, a := range x.sc {
		for _, b := range x.sc[i+1:] {
			if x.morally(a, b) {
				sync[a][b] = true
			}
		}
	}
}
