package scenario

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"github.com/burstscope/burstscope/core/fault"
)

// MaxMsgpackBytes is the size of the largest packed scenario: images and user
// programs may be embedded.
const MaxMsgpackBytes = 16 << 20

// ParseMsgpack reads a packed scenario. Faults carry the byte offset of the value.
func ParseMsgpack(b []byte) (*Scenario, error) {
	v, err := ParseMsgpackTree(b)
	if err != nil {
		return nil, err
	}
	return FromTree(v)
}

// ParseMsgpackTree reads msgpack of any schema within the limits of a scenario. Each
// value of the tree knows its place.
func ParseMsgpackTree(b []byte) (*Value, error) {
	if len(b) > MaxMsgpackBytes {
		return nil, fault.Refuse("", fmt.Sprintf("the packed scenario has %d bytes", len(b)), fmt.Sprintf("at most %d are read", MaxMsgpackBytes))
	}
	r := unpacker{in: b}
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if r.at != len(b) {
		return nil, r.refuse(r.at, fmt.Sprintf("%d bytes follow the scenario", len(b)-r.at), "remove them")
	}
	return &v, nil
}

// unpacker reads msgpack (the specification's "formats" table) into values. It compares
// every length with the bytes that are left before it uses it. MaxNodes bounds its memory.
type unpacker struct {
	in    []byte
	at    int
	nodes int
}

func (r *unpacker) refuse(at int, message, mend string) error {
	return fault.Refuse(fmt.Sprintf("byte %d", at), "msgpack: "+message, mend)
}

const mendPack = "pack it again with `burstscope scenario pack`"

// uint reads n big-endian bytes.
func (r *unpacker) uint(n int) (uint64, error) {
	if len(r.in)-r.at < n {
		return 0, r.refuse(r.at, "the input ends inside a value", mendPack)
	}
	var full [8]byte
	copy(full[8-n:], r.in[r.at:r.at+n])
	r.at += n
	return binary.BigEndian.Uint64(full[:]), nil
}

func (r *unpacker) value(depth int) (Value, error) {
	start := r.at
	v := Value{Where: fmt.Sprintf("byte %d", start)}
	if r.nodes++; r.nodes > MaxNodes {
		return v, r.refuse(start, fmt.Sprintf("more than %d values", MaxNodes), "a scenario needs fewer")
	}
	if depth > MaxDepth {
		return v, r.refuse(start, fmt.Sprintf("nested more than %d deep", MaxDepth), "a scenario needs less nesting")
	}
	c, err := r.uint(1)
	if err != nil {
		return v, err
	}
	switch {
	case c <= 0x7f: // positive fixint
		v.Kind, v.Text = IsInteger, strconv.FormatUint(c, 10)
		return v, nil
	case c >= 0xe0: // negative fixint
		v.Kind, v.Text = IsInteger, strconv.Itoa(int(int8(c)))
		return v, nil
	case c <= 0x8f:
		return v, r.mapping(&v, c&15, depth)
	case c <= 0x9f:
		return v, r.list(&v, c&15, depth)
	case c <= 0xbf:
		return v, r.text(&v, c&31)
	}
	return v, r.long(&v, c, start, depth)
}

// long reads the formats whose first byte is 0xc0 to 0xdf.
func (r *unpacker) long(v *Value, c uint64, start, depth int) error {
	// width returns the number of bytes of a length or number: the formats come in runs of
	// 1, 2, 4 and 8 bytes.
	width := func(first uint64) int { return 1 << (c - first) }
	switch {
	case c == 0xc0:
		v.Kind, v.Text = IsOther, "nothing (nil)"
	case c == 0xc2 || c == 0xc3:
		v.Kind, v.Text = IsOther, "a truth value"
	case c >= 0xc4 && c <= 0xc6:
		n, err := r.uint(width(0xc4))
		if err != nil {
			return err
		}
		v.Kind = IsBinary
		v.Binary, err = r.take(n)
		return err
	case c == 0xca || c == 0xcb:
		_, err := r.uint(4 << (c - 0xca))
		v.Kind, v.Text = IsOther, "a number with a fraction"
		return err
	case c >= 0xcc && c <= 0xcf:
		n, err := r.uint(width(0xcc))
		v.Kind, v.Text = IsInteger, strconv.FormatUint(n, 10)
		return err
	case c >= 0xd0 && c <= 0xd3:
		bytes := width(0xd0)
		n, err := r.uint(bytes)
		shift := 64 - 8*bytes
		v.Kind, v.Text = IsInteger, strconv.FormatInt(int64(n<<shift)>>shift, 10)
		return err
	case c >= 0xd9 && c <= 0xdb:
		n, err := r.uint(width(0xd9))
		if err != nil {
			return err
		}
		return r.text(v, n)
	case c == 0xdc || c == 0xdd:
		n, err := r.uint(2 << (c - 0xdc))
		if err != nil {
			return err
		}
		return r.list(v, n, depth)
	case c == 0xde || c == 0xdf:
		n, err := r.uint(2 << (c - 0xde))
		if err != nil {
			return err
		}
		return r.mapping(v, n, depth)
	default:
		return r.refuse(start, fmt.Sprintf("format 0x%02x is an extension type or unused", c), "a scenario has maps, lists, text, whole numbers and binary data only")
	}
	return nil
}

// take returns the next n bytes without copying.
func (r *unpacker) take(n uint64) ([]byte, error) {
	if n > uint64(len(r.in)-r.at) {
		return nil, r.refuse(r.at, fmt.Sprintf("a length of %d with %d bytes left", n, len(r.in)-r.at), mendPack)
	}
	b := r.in[r.at : r.at+int(n) : r.at+int(n)]
	r.at += int(n)
	return b, nil
}

func (r *unpacker) text(v *Value, n uint64) error {
	b, err := r.take(n)
	v.Kind, v.Text = IsText, string(b)
	return err
}

// room refuses more children than the remaining bytes can hold.
func (r *unpacker) room(children uint64) error {
	if children > uint64(len(r.in)-r.at) || children > uint64(MaxNodes-r.nodes) {
		return r.refuse(r.at, fmt.Sprintf("a map or list of %d values with %d bytes left", children, len(r.in)-r.at), mendPack)
	}
	return nil
}

func (r *unpacker) list(v *Value, n uint64, depth int) error {
	v.Kind = IsList
	if err := r.room(n); err != nil {
		return err
	}
	for range n {
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
	}
	return nil
}

func (r *unpacker) mapping(v *Value, n uint64, depth int) error {
	v.Kind = IsMap
	if err := r.room(2 * n); err != nil {
		return err
	}
	for range n {
		at := r.at
		key, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		if key.Kind != IsText {
			return r.refuse(at, "a key that is "+key.Describe(), "keys are text")
		}
		item, err := r.value(depth + 1)
		if err != nil {
			return err
		}
		v.Keys = append(v.Keys, key.Text)
		v.Items = append(v.Items, item)
	}
	return nil
}
