package mem

import "github.com/burstscope/burstscope/core/tape"

// Packed is the contents of an image at some time, in pieces that it shares with
// earlier ones. It is never written.
type Packed struct {
	pages []*packedPage
	// seen are the pages that were packed. The image copies a page before it writes
	// it again, so a page that it still has is unchanged. Only the latest Packed of an
	// image needs them.
	seen []*page
}

const (
	// pieceBytes is the unit of sharing: eight lines [ours].
	pieceBytes    = 1024
	piecesPerPage = pageBytes / pieceBytes
)

// packedPage holds the pieces of a page. Nil stands for a piece of zeros; a nil page
// stands for a page of zeros.
type packedPage [piecesPerPage]*[pieceBytes]byte

// Pack returns the contents of m. It shares equal pieces with before, the latest Packed
// of m, or nil.
func (m *Image) Pack(before *Packed) *Packed {
	p := &Packed{pages: make([]*packedPage, len(m.page)), seen: append([]*page(nil), m.page...)}
	m.owner = new(owner) // the next write copies its page
	m.generation++
	for i, now := range m.page {
		if now == &untouched {
			continue // nil stands for a page of zeros
		}
		var old *packedPage
		if before != nil {
			old = before.pages[i]
			if before.seen != nil && before.seen[i] == now {
				p.pages[i] = old
				continue
			}
		}
		p.pages[i] = pack(&now.data, old)
	}
	if before != nil {
		before.seen = nil
	}
	return p
}

func pack(data *[pageBytes]byte, old *packedPage) *packedPage {
	q, same := new(packedPage), old != nil
	for k := range q {
		b := (*[pieceBytes]byte)(data[k*pieceBytes:])
		switch {
		case *b == [pieceBytes]byte{}:
			same = same && old[k] == nil
		case old != nil && old[k] != nil && *old[k] == *b:
			q[k] = old[k]
		default:
			c := *b
			q[k], same = &c, false
		}
	}
	if same {
		return old
	}
	return q
}

// NewBytes returns the memory of p that it does not share with before, which may be nil.
func (p *Packed) NewBytes(before *Packed) int {
	n := 8 * len(p.pages)
	for i, q := range p.pages {
		var old *packedPage
		if before != nil {
			old = before.pages[i]
		}
		if q == old || q == nil {
			continue
		}
		n += 8 * piecesPerPage
		for k, b := range q {
			if b != nil && (old == nil || old[k] != b) {
				n += pieceBytes
			}
		}
	}
	return n
}

// Unpack gives m the contents p. It keeps the pages that hold these contents already;
// have is the result of m's last Unpack, or nil.
func (m *Image) Unpack(p *Packed, have *Unpacked) *Unpacked {
	for i, q := range p.pages {
		if have != nil && have.packed.pages[i] == q && have.page[i] == m.page[i] {
			continue
		}
		if q == nil {
			if m.page[i] != &untouched {
				m.page[i] = &untouched
				m.resident--
			}
			continue
		}
		if m.page[i] == &untouched {
			m.resident++
		}
		to := &page{}
		if m.page[i].owner == m.owner {
			to = m.page[i]
		}
		for k, b := range q {
			if piece := to.data[k*pieceBytes : (k+1)*pieceBytes]; b != nil {
				copy(piece, b[:])
			} else {
				clear(piece)
			}
		}
		m.page[i] = to
	}
	// From here on the first write to a page copies it, so the next call can tell which
	// pages were written.
	m.owner = new(owner)
	m.generation++
	return &Unpacked{packed: p, page: append([]*page(nil), m.page...)}
}

// Unpacked remembers the contents that an image was given, for the next Unpack.
type Unpacked struct {
	packed *Packed
	page   []*page
}

// Sum returns 64 bits for the contents. Equal images have equal sums; different images
// have different sums, except by accident.
func (m *Image) Sum() uint64 {
	h := uint64(0)
	zeros := tape.Sum(untouched.data[:])
	for _, p := range m.page {
		sum := zeros
		if p != &untouched {
			sum = tape.Sum(p.data[:])
		}
		h = h*0x9e3779b97f4a7c15 + sum // an odd factor keeps every bit of h
	}
	return h
}
