package mem

import "math/bits"

// Pool is an Arena for values of another type: messages carry a handle and cause no
// garbage collection. Handle 0 names no value.
//
// Threads that work side by side take values from shares of one pool (Share). A handle names the same value in all of
// them, and none moves a value of another. Values made in one may be freed in another.
type Pool[T any] struct {
	rooms *[MostShares]room[T] // of all shares
	first []T                  // the first piece of share 0, where most values are
	shift uint8                // values of the first piece of a room, as a power of two
	share uint8
	free  []Handle
	live  int
}

// MostShares is how many shares a pool may have, itself among them [ours]. The number of a share is the upper bits of
// the handles that it makes.
const MostShares = 64

const placeBits = 26

// room holds the values that a share has made, in pieces that stay where they are: the first, and after it each as
// large as all before it.
type room[T any] struct {
	used   uint32
	pieces [placeBits][]T
}

// NewPool returns a pool with room for n values before it has to grow.
func NewPool[T any](n int) *Pool[T] {
	p := &Pool[T]{rooms: new([MostShares]room[T]), shift: uint8(bits.Len(uint(max(n, 1))) - 1), free: make([]Handle, 0, n)}
	p.rooms[0].reach(p.shift, 1) // handle 0
	p.first = p.rooms[0].pieces[0]
	return p
}

// reach gives a room n values.
func (r *room[T]) reach(shift uint8, n uint32) {
	r.used = n
	for k, size := 0, 1<<shift; n > 0 && k <= bits.Len32((n-1)>>shift); k++ {
		if r.pieces[k] == nil {
			r.pieces[k] = make([]T, size)
		}
		if k > 0 {
			size *= 2
		}
	}
}

// New returns a handle to a value with unspecified contents.
func (p *Pool[T]) New() Handle {
	p.live++
	if n := len(p.free); n > 0 {
		h := p.free[n-1]
		p.free = p.free[:n-1]
		return h
	}
	r := &p.rooms[p.share]
	i := r.used
	r.reach(p.shift, i+1)
	return Handle(uint32(p.share)<<placeBits | i)
}

// At returns the value of h, which stays where it is.
func (p *Pool[T]) At(h Handle) *T {
	if int(h) < len(p.first) {
		return &p.first[h]
	}
	return p.place(h)
}

func (p *Pool[T]) place(h Handle) *T {
	i := uint32(h) & (1<<placeBits - 1)
	k := bits.Len32(i >> p.shift)
	return &p.rooms[h>>placeBits].pieces[k][i-(1<<k>>1)<<p.shift]
}

// Free returns h to the pool.
func (p *Pool[T]) Free(h Handle) {
	if h == 0 {
		panic("mem: free of no value")
	}
	p.live--
	p.free = append(p.free, h)
}

// Live returns the number of handles not yet freed.
func (p *Pool[T]) Live() int { return p.live }

// Share returns share number i of a pool, which has no free values before Lend.
func (p *Pool[T]) Share(i int) *Pool[T] {
	return &Pool[T]{rooms: p.rooms, first: p.first, shift: p.shift, share: uint8(i)}
}

// Lend divides the free values among a pool and its shares, which may then be used side by side until TakeBack.
func (p *Pool[T]) Lend(shares []*Pool[T]) {
	n := len(p.free) / (len(shares) + 1)
	for _, s := range shares {
		rest := len(p.free) - n
		s.free = append(s.free[:0], p.free[rest:]...)
		p.free = p.free[:rest]
	}
}

// TakeBack ends Lend. The shares have nothing of their own then.
func (p *Pool[T]) TakeBack(shares []*Pool[T]) {
	for _, s := range shares {
		p.free = append(p.free, s.free...)
		p.live += s.live
		s.free, s.live = s.free[:0], 0
	}
}
