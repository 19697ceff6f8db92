package argument

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/workload"
)

// Limits of a structure [ours]: parameters have at most 32,764 bytes.
const (
	maxValueBytes = 32764
	maxValueText  = 64 << 10
	maxNesting    = 8
)

// Scope answers what the texts of a launch's arguments name.
type Scope struct {
	Names   Names
	Pointer func(text string) (buffer int, offset uint64, err error)
	Texture func(name string) (handle uint64, err error)
	// Contents are the bytes that bytes:FILE passes.
	Contents []byte
}

// everything lets a structure be read without a program, to check its syntax.
var everything = Scope{
	Pointer: func(string) (int, uint64, error) { return 0, 0, nil },
	Texture: func(string) (uint64, error) { return 0, nil },
}

func parseValue(head, text, rest string) (Argument, error) {
	a := Argument{Kind: Value, Type: head, Text: rest}
	_, err := a.ByValue(&everything)
	if err != nil {
		err = fmt.Errorf("%s: %w", fault.Quote(text), err)
	}
	return a, err
}

// ByValue returns the bytes of an argument of kind Bytes, Value or TensorMap.
//
// A structure lists its fields in braces: NAME=SPEC, NAME@OFFSET=SPEC or SPEC, with commas between them. A SPEC is a
// number (u32:5), several (u32:{1,2,3}), ptr:NAME+BYTES, tex:NAME, hex:00ff, zeros:BYTES or a structure. A field
// without an offset lies after the one before it, at a multiple of its size, as in C.
func (s *Argument) ByValue(in *Scope) (*workload.ByValue, error) {
	if s.Kind == Bytes {
		return exactly(in.Contents)
	}
	if s.Kind == TensorMap {
		return s.tensorMap(in)
	}
	if s.Type == "hex" {
		data, err := parseHex(s.Text)
		if err != nil {
			return nil, err
		}
		return exactly(data)
	}
	if len(s.Text) > maxValueText {
		return nil, fmt.Errorf("%d bytes of text: use at most %d", len(s.Text), maxValueText)
	}
	b := structure{scope: in}
	_, err := b.nested(s.Text, 0, 0)
	b.out.Data = b.data
	return &b.out, err
}

func exactly(data []byte) (*workload.ByValue, error) {
	if len(data) == 0 || len(data) > maxValueBytes {
		return nil, fmt.Errorf("%d bytes by value: a kernel takes 1 to %d", len(data), maxValueBytes)
	}
	return &workload.ByValue{Data: data, Exact: true}, nil
}

func parseHex(text string) ([]byte, error) {
	digits := strings.Join(strings.Fields(text), "")
	data, err := hex.DecodeString(strings.TrimPrefix(digits, "0x"))
	if err != nil || len(data) == 0 {
		return nil, fmt.Errorf("hex:%s: want pairs of hexadecimal digits, such as hex:00ff", fault.Quote(text))
	}
	return data, nil
}

// structure collects the bytes of a structure.
type structure struct {
	scope *Scope
	data  []byte
	owner []string // the field of each byte of data
	out   workload.ByValue
}

// nested reads the fields in braces; the structure begins at byte base. It returns the alignment.
func (b *structure) nested(text string, base, depth int) (alignment int, err error) {
	list, err := braced(text)
	if err != nil {
		return 1, err
	}
	if depth > maxNesting {
		return 1, fmt.Errorf("structures are nested more than %d deep", maxNesting)
	}
	at, alignment := base, 1
	for i, field := range list {
		f, err := parseField(field, i)
		if err != nil {
			return 1, err
		}
		align, end, err := b.place(&f, base, at, depth)
		if err != nil {
			return 1, fmt.Errorf("field %s: %w", f.name, err)
		}
		at, alignment = max(at, end), max(alignment, align)
	}
	return alignment, b.grow(base + (at-base+alignment-1)/alignment*alignment)
}

type field struct {
	name       string
	at         int // -1 = after the field before it
	head, rest string
}

// parseField reads [NAME][@OFFSET]=SPEC or SPEC.
func parseField(text string, i int) (f field, err error) {
	f = field{name: fmt.Sprint(i + 1), at: -1}
	spec := text
	if eq, colon := strings.IndexByte(text, '='), strings.IndexByte(text, ':'); eq >= 0 && (colon < 0 || eq < colon) {
		name := strings.TrimSpace(text[:eq])
		spec = strings.TrimSpace(text[eq+1:])
		name, offset, placed := strings.Cut(name, "@")
		if placed {
			n, err := strconv.ParseUint(strings.TrimSpace(offset), 0, 31)
			if err != nil || n >= maxValueBytes {
				return f, fmt.Errorf("field %s: the offset %s is not a number of bytes below %d", fault.Quote(text),
					fault.Quote(offset), maxValueBytes)
			}
			f.at = int(n)
		}
		if name = strings.TrimSpace(name); name != "" {
			f.name = fault.Quote(name)
		}
	}
	var ok bool
	if f.head, f.rest, ok = strings.Cut(spec, ":"); !ok {
		return f, fmt.Errorf("field %s has no type: write NAME=u32:5, NAME=ptr:BUFFER, NAME=hex:00ff or "+
			"NAME=struct:{...}", fault.Quote(text))
	}
	f.head, f.rest = strings.TrimSpace(f.head), strings.TrimSpace(f.rest)
	return f, nil
}

// place puts a field into the structure that begins at base, after byte at unless it has an offset. It
// returns the field's alignment and its end.
func (b *structure) place(f *field, base, at, depth int) (align, end int, err error) {
	size, align := 1, 1
	values := []string{f.rest}
	switch f.head {
	case "struct":
		return b.placeStructure(f, base, at, depth)
	case "hex":
		data, err := parseHex(f.rest)
		if err != nil {
			return 1, 0, err
		}
		return b.placeBytes(f, base, at, data)
	case "zeros":
		n, err := strconv.ParseUint(f.rest, 0, 31)
		if err != nil || n == 0 || n > maxValueBytes {
			return 1, 0, fmt.Errorf("zeros:%s: want a number of bytes from 1 to %d", fault.Quote(f.rest), maxValueBytes)
		}
		return b.placeBytes(f, base, at, make([]byte, n))
	case "ptr", "tex":
		size = 8
	default:
		if size = scalarBytes(f.head); size == 0 {
			return 1, 0, fmt.Errorf("%s is not a type: use u8 to u64, s8 to s64, f32, f64, ptr, tex, hex, zeros "+
				"or struct", fault.Quote(f.head))
		}
	}
	align = size
	if strings.HasPrefix(f.rest, "{") {
		if values, err = braced(f.rest); err != nil {
			return 1, 0, err
		}
	}
	if at, err = b.start(f, base, at, align); err != nil {
		return 1, 0, err
	}
	for _, v := range values {
		if err := b.scalar(f, at, size, strings.TrimSpace(v)); err != nil {
			return 1, 0, err
		}
		at += size
	}
	return align, at, nil
}

// scalarBytes returns the size of a type of numbers, 0 if it is not one.
func scalarBytes(head string) int {
	a, err := parseScalar(head+":0", head, "0")
	if err != nil {
		return 0
	}
	return a.Bytes
}

// start returns where a field begins.
func (b *structure) start(f *field, base, at, align int) (int, error) {
	if f.at < 0 {
		return base + (at-base+align-1)/align*align, nil
	}
	if f.at%align != 0 {
		return 0, fmt.Errorf("the offset %d is not a multiple of %d, the alignment of %s", f.at, align, f.head)
	}
	return base + f.at, nil
}

func (b *structure) placeStructure(f *field, base, at, depth int) (align, end int, err error) {
	// Its alignment is known when its fields are: they are read once in a structure of their own.
	inner := structure{scope: b.scope}
	if align, err = inner.nested(f.rest, 0, depth+1); err != nil {
		return 1, 0, err
	}
	if at, err = b.start(f, base, at, align); err != nil {
		return 1, 0, err
	}
	for _, p := range inner.out.Places {
		p.At += at
		b.out.Places = append(b.out.Places, p)
	}
	b.out.Handles = append(b.out.Handles, inner.out.Handles...)
	return align, at + len(inner.data), b.put(f, at, inner.data)
}

func (b *structure) placeBytes(f *field, base, at int, data []byte) (align, end int, err error) {
	if at, err = b.start(f, base, at, 1); err != nil {
		return 1, 0, err
	}
	return 1, at + len(data), b.put(f, at, data)
}

// scalar puts one number or address.
func (b *structure) scalar(f *field, at, size int, text string) error {
	var word [8]byte
	var bits uint64
	var err error
	switch f.head {
	case "ptr":
		p := workload.Place{At: at}
		p.Buffer, p.Offset, err = b.scope.Pointer(text)
		b.out.Places = append(b.out.Places, p)
	case "tex":
		bits, err = b.scope.Texture(text)
		b.out.Handles = append(b.out.Handles, bits)
	default:
		bits, err = b.scope.Names.bits(f.head, text)
	}
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint64(word[:], bits)
	return b.put(f, at, word[:size])
}

// put writes the bytes of a field. No other field may have them.
func (b *structure) put(f *field, at int, data []byte) error {
	if err := b.grow(at + len(data)); err != nil {
		return err
	}
	for i := range data {
		if b.owner[at+i] != "" {
			return fmt.Errorf("byte %d belongs to field %s already: fields must not overlap", at+i, b.owner[at+i])
		}
		b.owner[at+i] = f.name
	}
	copy(b.data[at:], data)
	return nil
}

func (b *structure) grow(bytes int) error {
	if bytes > maxValueBytes {
		return fmt.Errorf("the structure has %d bytes: a kernel takes at most %d", bytes, maxValueBytes)
	}
	if more := bytes - len(b.data); more > 0 {
		b.data = append(b.data, make([]byte, more)...)
		b.owner = append(b.owner, make([]string, more)...)
	}
	return nil
}

// braced returns the texts between the commas of a list in braces.
func braced(text string) (list []string, err error) {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != '{' || text[len(text)-1] != '}' {
		return nil, fmt.Errorf("%s must stand in braces: {a, b, ...}", fault.Quote(text))
	}
	depth, begin := 0, 1
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '{' || c == '(':
			depth++
		case (c == '}' || c == ')') && i < len(text)-1:
			if depth--; depth < 0 {
				return nil, fmt.Errorf("%s: a bracket closes that was not opened", fault.Quote(text))
			}
		case c == ',' && depth == 0 || i == len(text)-1:
			list = append(list, strings.TrimSpace(text[begin:i]))
			begin = i + 1
		}
	}
	if depth != 0 {
		return nil, fmt.Errorf("%s: a bracket is not closed", fault.Quote(text))
	}
	if last := len(list) - 1; list[last] == "" { // a comma may stand after the last
		list = list[:last]
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s is empty", fault.Quote(text))
	}
	return list, nil
}
