package mem

// Pool is an Arena for values of another type: messages carry a handle and cause no
// garbage collection. Handle 0 names no value.
type Pool[T any] struct {
	items []T
	free  []Handle
	live  int
}

// NewPool returns a pool with room for n values before it has to grow.
func NewPool[T any](n int) *Pool[T] {
	return &Pool[T]{items: make([]T, 1, n+1), free: make([]Handle, 0, n)}
}

// New returns a handle to a value with unspecified contents.
func (p *Pool[T]) New() Handle {
	p.live++
	if n := len(p.free); n > 0 {
		h := p.free[n-1]
		p.free = p.free[:n-1]
		return h
	}
	var zero T
	p.items = append(p.items, zero)
	return Handle(len(p.items) - 1)
}

// At returns the value of h. The pointer is valid until the next New.
func (p *Pool[T]) At(h Handle) *T { return &p.items[h] }

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
