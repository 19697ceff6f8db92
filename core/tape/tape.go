// Package tape saves, restores and compares the state of the simulator's parts. Each part
// lists its state once.
package tape

import (
	"encoding/binary"
	"math/bits"
	"reflect"
	"slices"
	"unsafe"
)

// Tape carries the state of components to a Record, back from one, or into a sum. A
// component lists its state once, in a method State(*Tape), with Value, Values, List
// and Keep; the same list then saves, restores and compares it. It does not list links
// between components, or values that follow from other state.
type Tape struct {
	mode    tapeMode
	buffer  []byte // of the current section
	at      int    // in buffer, while loading
	hint    int    // > 0 within Hint
	section int
	kept    int
	record  *Record
	before  *Record // saved earlier; unchanged pieces are shared with it
	sums    []uint64
	layouts map[reflect.Type]*layout
	room    [pieceBytes]byte // for a code
}

type tapeMode uint8

const (
	saving tapeMode = iota
	loading
	summing
)

// pieceBytes is the unit in which records share equal state. State changes by lines or
// registers of 128 bytes. A piece of eight of them keeps the lists of pieces
// at a hundredth of the state [ours].
const pieceBytes = 1024

type piece = [pieceBytes]byte

// Record is saved state. It keeps codes of its pieces (code.go), and shares equal ones with
// earlier records.
type Record struct {
	sections []section
	kept     []any
}

type section struct {
	bytes int
	codes []code
}

// NewTape returns a tape. It reuses its buffers.
func NewTape() *Tape { return &Tape{layouts: map[reflect.Type]*layout{}} }

// Save records the state that the function lists. The record shares equal pieces with
// before, a record of the same components or nil.
func (t *Tape) Save(state func(*Tape), before *Record) *Record {
	t.begin(saving)
	t.record, t.before = &Record{}, before
	state(t)
	t.Section()
	r := t.record
	t.record, t.before = nil, nil
	return r
}

// Load gives components the state of a record that was saved from them.
func (t *Tape) Load(state func(*Tape), r *Record) {
	t.begin(loading)
	t.record = r
	t.open()
	state(t)
	t.record = nil
}

// Sum returns 64 bits for each section of the listed state without hints. Equal states
// have equal sums; different states have different sums, except by accident.
func (t *Tape) Sum(state func(*Tape)) []uint64 {
	t.begin(summing)
	t.sums = nil
	state(t)
	t.Section()
	return t.sums
}

func (t *Tape) begin(m tapeMode) {
	t.mode, t.buffer, t.at, t.section, t.kept, t.hint = m, t.buffer[:0], 0, 0, 0, 0
}

// Section ends a section of the state and begins the next. Sections are shared and summed
// separately, so that one that grows does not move the others.
func (t *Tape) Section() {
	switch t.mode {
	case saving:
		t.close()
	case summing:
		t.sums = append(t.sums, sum(t.buffer))
		t.buffer = t.buffer[:0]
	case loading:
		if t.at != len(t.buffer) {
			panic("tape: the record belongs to other components")
		}
		t.section++
		t.open()
	}
}

// close cuts the section into pieces.
func (t *Tape) close() {
	s := section{bytes: len(t.buffer)}
	for len(t.buffer)%pieceBytes != 0 {
		t.buffer = append(t.buffer, 0)
	}
	var old []code
	if t.before != nil && len(t.record.sections) < len(t.before.sections) {
		old = t.before.sections[len(t.record.sections)].codes
	}
	s.codes = make([]code, len(t.buffer)/pieceBytes)
	for i := range s.codes {
		b := (*piece)(t.buffer[i*pieceBytes:])
		if *b == (piece{}) {
			continue
		}
		if c := encode(b, t.room[:]); i < len(old) && string(old[i]) == string(c) {
			s.codes[i] = old[i]
		} else {
			s.codes[i] = code(c)
		}
	}
	t.record.sections = append(t.record.sections, s)
	t.buffer = t.buffer[:0]
}

func (t *Tape) open() {
	t.buffer, t.at = t.buffer[:0], 0
	if t.section == len(t.record.sections) {
		return
	}
	s := &t.record.sections[t.section]
	var p piece
	for _, c := range s.codes {
		c.decode(&p)
		t.buffer = append(t.buffer, p[:]...)
	}
	t.buffer = t.buffer[:s.bytes]
}

// Bytes returns the size of the state, and how much of it is not zero.
func (r *Record) Bytes() (all, used int) {
	for i := range r.sections {
		all += r.sections[i].bytes
		for _, c := range r.sections[i].codes {
			if len(c) > 0 {
				used += pieceBytes
			}
		}
	}
	return all, used
}

// Same reports whether two records have the same state. Both must be of components without kept values.
func (r *Record) Same(o *Record) bool {
	return slices.EqualFunc(r.sections, o.sections, func(a, b section) bool {
		return a.bytes == b.bytes && slices.Equal(a.codes, b.codes)
	})
}

// NewBytes returns the memory of r that it does not share with before, which may be nil.
func (r *Record) NewBytes(before *Record) int {
	n := 0
	for i := range r.sections {
		var old []code
		if before != nil {
			old = before.sections[i].codes
		}
		n += len(r.sections[i].codes) * int(unsafe.Sizeof(old[0]))
		for k, c := range r.sections[i].codes {
			if k >= len(old) || !old[k].shares(c) {
				n += len(c)
			}
		}
	}
	return n
}

// Loading reports whether the tape restores state. Components that must make room first
// ask.
func (t *Tape) Loading() bool { return t.mode == loading }

// Summing reports whether the tape only computes sums.
func (t *Tape) Summing() bool { return t.mode == summing }

// Hint lists state that sums leave out: how far work was done ahead, which does not
// change results.
func (t *Tape) Hint(list func()) {
	t.hint++
	list()
	t.hint--
}

// Value carries one value without pointers.
func Value[T any](t *Tape, p *T) { t.carry(unsafe.Pointer(p), 1, reflect.TypeFor[T]()) }

// Values carries the elements of a slice whose length does not change.
func Values[T any](t *Tape, s []T) {
	t.carry(unsafe.Pointer(unsafe.SliceData(s)), len(s), reflect.TypeFor[T]())
}

// List carries a slice with its length.
func List[T any](t *Tape, s *[]T) {
	if n := t.length(len(*s)); n != len(*s) {
		if n > cap(*s) {
			*s = make([]T, n)
		}
		*s = (*s)[:n]
	}
	Values(t, *s)
}

// length carries the length of a list.
func (t *Tape) length(n int) int {
	Value(t, &n)
	return n
}

// Keep carries a value that points to something all records share, such as a codec. Sums
// leave it out.
func Keep[T any](t *Tape, p *T) {
	switch t.mode {
	case saving:
		t.record.kept = append(t.record.kept, *p)
	case loading:
		*p = t.record.kept[t.kept].(T)
		t.kept++
	}
}

// carry carries n elements of a type that lie at p. It knows the type only by its
// description: a copy of this function for each type would be 2 % of the engine's code.
func (t *Tape) carry(p unsafe.Pointer, n int, of reflect.Type) {
	if n == 0 || t.mode == summing && t.hint > 0 {
		return
	}
	size := int(of.Size())
	raw := unsafe.Slice((*byte)(p), size*n)
	if t.mode == loading {
		if t.at+len(raw) > len(t.buffer) {
			panic("tape: the record belongs to other components")
		}
		t.at += copy(raw, t.buffer[t.at:])
		return
	}
	from := len(t.buffer)
	t.buffer = append(t.buffer, raw...)
	l := t.layoutOf(of)
	t.clear(from, size, l.padding)
	if t.mode == summing {
		t.clear(from, size, l.names)
	}
}

// clear clears gaps in each of the values that the buffer holds from a place on.
func (t *Tape) clear(from, size int, gaps []gap) {
	for _, gap := range gaps {
		for at := from; at < len(t.buffer); at += size {
			clear(t.buffer[at+gap.from : at+gap.to])
		}
	}
}

// Name is a number by which state names a value in a pool. Which number is free depends on the
// order in which components work ahead, so sums leave names out.
type Name uint32

// layout says which bytes of a type are padding, whose contents are undefined, and which are
// names.
type layout struct{ padding, names []gap }

type gap struct{ from, to int }

func (t *Tape) layoutOf(of reflect.Type) *layout {
	l := t.layouts[of]
	if l == nil {
		l = &layout{}
		l.add(of, 0)
		t.layouts[of] = l
	}
	return l
}

func (l *layout) add(of reflect.Type, at int) {
	if of == reflect.TypeFor[Name]() {
		l.names = append(l.names, gap{at, at + int(of.Size())})
		return
	}
	switch of.Kind() {
	case reflect.Struct:
		end := at
		for i := range of.NumField() {
			f := of.Field(i)
			from := at + int(f.Offset)
			l.skip(end, from)
			l.add(f.Type, from)
			end = from + int(f.Type.Size())
		}
		l.skip(end, at+int(of.Size()))
	case reflect.Array:
		n := len(l.padding) + len(l.names)
		for i := range of.Len() {
			l.add(of.Elem(), at+i*int(of.Elem().Size()))
			if i == 0 && len(l.padding)+len(l.names) == n {
				break // the other elements have none either
			}
		}
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
	default:
		panic("tape: state of type " + of.String() + " has pointers")
	}
}

func (l *layout) skip(from, to int) {
	if from < to {
		l.padding = append(l.padding, gap{from, to})
	}
}

// sum mixes bytes into 64 bits, eight at a time, as wyhash does: it multiplies two words
// and folds the halves of the product.
func sum(b []byte) uint64 {
	const first, second = 0xa0761d6478bd642f, 0xe7037ed1a0b428db // primes of wyhash
	h := uint64(len(b)) ^ first
	for ; len(b) >= 8; b = b[8:] {
		high, low := bits.Mul64(binary.LittleEndian.Uint64(b)^second, h^first)
		h = high ^ low ^ bits.RotateLeft64(h, 23)
	}
	var rest [8]byte
	copy(rest[:], b)
	high, low := bits.Mul64(binary.LittleEndian.Uint64(rest[:])^second, h^first)
	return high ^ low
}

// Sum returns the sum of bytes, for state outside of a tape.
func Sum(b []byte) uint64 { return sum(b) }
