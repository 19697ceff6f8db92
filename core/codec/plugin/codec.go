package plugin

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/sim"
)

// Instance is a running module. The host gives it: wazero natively, the browser in the page.
type Instance interface {
	// Call calls an exported function with at most one argument and returns its result, 0
	// without one. An error says that the module has trapped.
	Call(f Function, argument uint32) (uint32, error)
	// CallOn writes bytes to memory, which has room for them, and calls a function: one way to the module where two take twice as long.
	CallOn(f Function, argument, at uint32, from []byte) (uint32, error)
	// Read and Write copy memory at an address, and report whether it lies in the memory.
	Read(at uint32, to []byte) bool
	Write(at uint32, from []byte) bool
	// Save keeps the memory and the globals, and Restore gives them their values of then again.
	Save() error
	Restore() error
}

const maxDescriptionBytes = 4096 // [ours]

// Host starts a module. The package of a program's host sets it before any module is loaded: core
// has no engine of WebAssembly. nil = the program runs no modules.
var Host func(m *Module) (Instance, error)

// Codec is a module as a codec. The first fault of the module ends it: then every block stays
// raw, and Err says what the module did.
//
// The module runs twice. The first instance sees every block, and sizes it. The second checks some of them: before it
// encodes a block, and again before it decodes the code, it gets back the state that it had before its first block. So
// a module that remembers anything of a block gives another size or other bytes there, and is found.
type Codec struct {
	info        codec.Info
	sizer       Instance
	checker     Instance
	block, code uint32 // addresses, in both
	batch       uint32 // of the blocks that Sizes sizes in a call
	has         [NumFunctions]bool
	err         error
	saved       bool     // the checker has the state before its first block
	sized       schedule // which blocks are checked
	exact       schedule // and which of those with an exact code
	trained     bool
	lossy       bool
	tagBits     int // after the counted bits

	// Room for calls, because a place on the stack would be allocated in each of them.
	spare      codec.Block
	line       mem.Line
	out, again mem.Line
	checked    mem.Line
	many       [BatchBlocks * mem.LineBytes]byte
	answer     [BatchBlocks * 4]byte
	one        [4]byte
}

// BatchBlocks are sized in a call of sizes [ours]: enough to make what a call costs small beside them.
const BatchBlocks = 64

var (
	_ codec.Codec      = (*Codec)(nil)
	_ codec.Sizer      = (*Codec)(nil)
	_ codec.RawSizer   = (*Codec)(nil)
	_ codec.BatchSizer = (*Codec)(nil)
)

// Load checks a module, starts it and asks it what it is. The error says what is wrong and where.
func Load(b []byte) (*Codec, error) {
	m, err := Parse(b)
	if err != nil {
		return nil, err
	}
	if Host == nil {
		return nil, errors.New("this program runs no modules")
	}
	c := Codec{has: m.has}
	// The engine's own SHA-256: the standard library's adds 36 kB to the page.
	seed, err := strconv.ParseUint(digest.Hex(b)[:16], 16, 64)
	if err != nil {
		return nil, err
	}
	c.sized.rand, c.exact.rand = sim.NewRand(seed, 0), sim.NewRand(seed, 1)
	var texts [2]string
	for i, instance := range []*Instance{&c.sizer, &c.checker} {
		if *instance, err = Host(m); err != nil {
			if strings.Contains(err.Error(), "unreachable") { // there is no instance whose count of work could be asked
				err = fmt.Errorf("%w: its start function trapped or did not end within %d instructions", err, CallFuel)
			}
			return nil, err
		}
		block, code, batch := c.block, c.code, c.batch
		if texts[i], err = c.start(*instance); err != nil {
			return nil, err
		}
		if i > 0 && (block != c.block || code != c.code || batch != c.batch || texts[0] != texts[1]) {
			return nil, errors.New("describe(), block(), code() and batch() differ at the second start")
		}
	}
	if c.lossy, err = c.describe(texts[0]); err != nil {
		return nil, err
	}
	if c.has[Exact] && !c.lossy {
		return nil, errors.New("it exports exact, and its describe() says lossless: only a lossy codec has a second, exact code")
	}
	return &c, c.ready()
}

// ready ends what comes before the first block: the state of now is that to which the checker returns.
func (c *Codec) ready() error {
	if c.saved || c.has[Train] && !c.trained {
		return nil
	}
	c.saved = true
	if _, err := c.sizer.Call(Save, 0); err != nil {
		return err
	}
	return c.checker.Save()
}

// start calls what a module must answer before its first block, and returns its description.
func (c *Codec) start(instance Instance) (text string, err error) {
	if c.has[Initialize] {
		if _, err := instance.Call(Initialize, 0); err != nil {
			return "", fmt.Errorf("_initialize: %w", err)
		}
	}
	var at [4]uint32
	for i, name := range []Function{Describe, BlockAddress, CodeAddress, Batch} {
		if !c.has[name] {
			continue
		}
		for again := range 2 {
			before := at[i]
			if at[i], err = instance.Call(name, 0); err != nil {
				return "", fmt.Errorf("%s: %w", name, err)
			}
			if again > 0 && at[i] != before {
				return "", fmt.Errorf("%s() gives %#x, and %#x when it is called again", name, before, at[i])
			}
		}
	}
	c.block, c.code, c.batch = at[1], at[2], at[3]
	if !instance.Read(c.block, c.line[:]) || !instance.Read(c.code, c.spare[:]) {
		return "", fmt.Errorf("block() and code() must be addresses of %d and %d bytes in its memory; they are %#x and %#x", mem.LineBytes, codec.BlockBytes, c.block, c.code)
	}
	if c.block < c.code+codec.BlockBytes && c.code < c.block+mem.LineBytes {
		return "", errors.New("block() and code() overlap")
	}
	if c.has[Batch] && !instance.Read(c.batch, c.many[:]) {
		return "", fmt.Errorf("batch() must be an address of %d bytes in its memory; it is %#x", len(c.many), c.batch)
	}
	return textAt(instance, at[0])
}

// textAt reads a text that ends with a zero byte.
func textAt(instance Instance, at uint32) (string, error) {
	var b []byte
	for one := [1]byte{}; ; at++ {
		if !instance.Read(at, one[:]) || len(b) > maxDescriptionBytes {
			return "", fmt.Errorf("describe() must be the address of a text of at most %d bytes with a zero byte at its end", maxDescriptionBytes)
		}
		if one[0] == 0 {
			break
		}
		b = append(b, one[0])
	}
	if !utf8.Valid(b) {
		return "", errors.New("the text of describe() is not UTF-8")
	}
	return string(b), nil
}

// maxTagBits bounds what a codec may keep beside a block without counting it, as BDI keeps the
// number of its encoding and its mask: 68 bits [ours].
const maxTagBits = 128

// describe reads the description: a line "key: value" for each of its values.
func (c *Codec) describe(text string) (lossy bool, err error) {
	info := &c.info
	number := func(to *int, most int) func(string) error {
		return func(v string) error {
			n, err := strconv.Atoi(v)
			if err != nil || n < 0 || n > most {
				return fmt.Errorf("it must be a whole number from 0 to %d", most)
			}
			*to = n
			return nil
		}
	}
	energy := func(to *float64) func(string) error {
		return func(v string) error {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil || !(f >= 0 && f <= 1e6) {
				return errors.New("it must be a number from 0 to 1000000")
			}
			*to = f
			return nil
		}
	}
	words := func(to *string, most int) func(string) error {
		return func(v string) error {
			if v == "" || len(v) > most || strings.ContainsFunc(v, func(r rune) bool { return !strconv.IsPrint(r) }) {
				return fmt.Errorf("it must have 1 to %d printable characters", most)
			}
			*to = v
			return nil
		}
	}
	kind := ""
	t := &info.Timing
	keys := map[string]func(string) error{
		"name": words(&info.Name, 40), "source": words(&info.Source, 200), "kind": words(&kind, 8), "energySource": words(&info.Cost.EnergySource, 200),
		"mhz": number(&t.MHz, 100_000), "compressCycles": number(&t.CompressCycles, 10_000), "decompressCycles": number(&t.DecompressCycles, 10_000),
		"tagBits":     number(&c.tagBits, maxTagBits),
		"compressors": number(&t.Compressors.Count, 10_000), "decompressors": number(&t.Decompressors.Count, 10_000),
		"compressGBps": energy(&info.Cost.Compressor.GBPerSecond), "decompressGBps": energy(&info.Cost.Decompressor.GBPerSecond),
		"compressPJ": energy(&info.Cost.CompressPJ), "decompressPJ": energy(&info.Cost.DecompressPJ),
	}
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		key, value, ok := strings.Cut(line, ":")
		set := keys[key]
		if !ok || set == nil || seen[key] {
			return false, fmt.Errorf("describe(), line %d: %q: write each key once, as in \"name: mine\"; the keys are name, source, kind, mhz, compressCycles, decompressCycles, tagBits, compressors, decompressors, compressGBps, decompressGBps, compressPJ, decompressPJ and energySource", i+1, line)
		}
		if err := set(strings.TrimSpace(value)); err != nil {
			return false, fmt.Errorf("describe(), line %d: %q: %w", i+1, line, err)
		}
		seen[key] = true
	}
	for _, key := range []string{"name", "source", "kind", "mhz", "compressCycles", "decompressCycles"} {
		if !seen[key] {
			return false, fmt.Errorf("describe() does not give %s", key)
		}
	}
	if kind != "lossless" && kind != "lossy" || t.MHz == 0 {
		return false, errors.New("describe(): kind must be lossless or lossy, and mhz above 0")
	}
	if !busy(&t.Compressors, info.Cost.Compressor.GBPerSecond, t.MHz) || !busy(&t.Decompressors, info.Cost.Decompressor.GBPerSecond, t.MHz) {
		return false, errors.New("describe(): compressors need compressGBps, and decompressors decompressGBps, above 0.001: the throughput of one")
	}
	info.Lossless = kind == "lossless"
	return kind == "lossy", nil
}

// busy sets how long a block keeps a unit busy, from the throughput of one. Without units no block waits.
func busy(u *codec.Units, gbps float64, mhz int) bool {
	if u.Count == 0 {
		return true
	}
	if !(gbps > 0.001) {
		return false
	}
	u.PerBlock, u.BusyCycles = 1, int(math.Ceil(float64(mem.LineBytes*mhz)/float64(1000*gbps)))
	return true
}

// Info describes the codec.
func (c *Codec) Info() codec.Info { return c.info }

// Trains reports whether the module makes a code table of what it has seen.
func (c *Codec) Trains() bool { return c.has[Train] }

// Lossy reports whether decode may give another block than was encoded.
func (c *Codec) Lossy() bool { return c.lossy }

// Err returns the first fault of the module, nil so far.
func (c *Codec) Err() error { return c.err }

// Train lets a module that has a code table count some blocks and make the table, before its first block.
func (c *Codec) Train(blocks []mem.Line) error {
	for _, instance := range [...]Instance{c.sizer, c.checker} {
		for i := range blocks {
			if _, err := instance.CallOn(Train, 0, c.block, blocks[i][:]); err != nil {
				return fmt.Errorf("train: %w", err)
			}
		}
		status, err := instance.Call(Trained, 0)
		if err != nil {
			return fmt.Errorf("trained: %w", err)
		}
		if status != 0 {
			return fmt.Errorf("trained refused the counts of %d blocks with the status %d", len(blocks), status)
		}
	}
	c.trained = true
	return c.ready()
}

// SizeBits returns the size of a block. It checks blocks as the schedule says.
func (c *Codec) SizeBits(src *mem.Line) int {
	if c.sized.checks() {
		return c.Encode(&c.spare, src)
	}
	return c.size(Size, src)
}

// SizesBits puts the sizes of blocks to bits, in one call of the module for many of them if it can.
func (c *Codec) SizesBits(src []mem.Line, bits []int) {
	if !c.has[Sizes] {
		for i := range src {
			bits[i] = c.SizeBits(&src[i])
		}
		return
	}
	for len(src) > 0 {
		n := min(len(src), BatchBlocks)
		c.sizes(src[:n], bits)
		src, bits = src[n:], bits[n:]
	}
}

func (c *Codec) sizes(src []mem.Line, bits []int) {
	for i := range src {
		copy(c.many[i*mem.LineBytes:], src[i][:])
	}
	if c.err == nil {
		at, err := c.sizer.CallOn(Sizes, uint32(len(src)), c.batch, c.many[:len(src)*mem.LineBytes])
		switch {
		case err != nil:
			c.fail("sizes: %w", err)
		case !c.sizer.Read(at, c.answer[:4*len(src)]):
			c.fail("sizes returned %#x, which is no address of %d numbers", at, len(src))
		}
	}
	for i := range src {
		n := binary.LittleEndian.Uint32(c.answer[4*i:])
		if n > codec.RawBits && c.err == nil {
			c.fail("sizes gives %d bits; a block has 0 to %d", int32(n), codec.RawBits)
		}
		if c.sized.checks() && c.err == nil {
			c.verify(Sizes, Encode, &c.spare, &src[i], &c.out, int(n))
			if single := c.afresh(Size, &src[i]); c.err == nil && single != int(n) {
				c.fail("sizes says %d bits of a block, size %d", n, single)
			}
		}
		if bits[i] = int(n); c.err != nil {
			bits[i] = codec.RawBits
		}
	}
}

// RawBits returns the same as SizeBits: a module does not say how much longer than a block its code
// would be.
func (c *Codec) RawBits(src *mem.Line) int { return c.SizeBits(src) }

func (c *Codec) size(f Function, src *mem.Line) int { return c.bits(c.sizer, f, src) }

// bits calls a function that returns the size of a block.
func (c *Codec) bits(instance Instance, f Function, src *mem.Line) int {
	if c.err != nil {
		return codec.RawBits
	}
	n, err := instance.CallOn(f, 0, c.block, src[:])
	if err != nil {
		return c.fail("%s: %w", f, err)
	}
	if n > codec.RawBits {
		return c.fail("%s returned %d; a block has 0 to %d bits", f, int32(n), codec.RawBits)
	}
	return int(n)
}

// fail notes a fault, which ends the module if it is the first.
//
//go:noinline
func (c *Codec) fail(format string, args ...any) int {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
	return codec.RawBits
}

// Encode writes the code of a block and checks it: size gives its size, the block is
// unchanged, decode twice gives one result, and of a lossless codec the block itself.
func (c *Codec) Encode(dst *codec.Block, src *mem.Line) int {
	return c.encode(Size, Encode, dst, src, &c.out)
}

// EncodeExact does the same with the exact code of a lossy codec. Without one every block stays raw.
func (c *Codec) EncodeExact(dst *codec.Block, src *mem.Line) int {
	if !c.has[Exact] {
		return codec.RawBits
	}
	return c.encode(Exact, Exact, dst, src, &c.out)
}

// encode writes the code that f, Encode or Exact, makes of a block, checks it, and decodes it to out. first gives the size.
func (c *Codec) encode(first, f Function, dst *codec.Block, src, out *mem.Line) int {
	size := c.size(first, src)
	c.unchanged(c.sizer, first, src)
	return c.verify(first, f, dst, src, out, size)
}

// Approximate returns the size of a block's code, and puts to out what decode makes of it.
func (c *Codec) Approximate(src, out *mem.Line) int {
	*out = *src
	bits := c.bits(c.sizer, Encode, src)
	if bits != codec.RawBits {
		status, err := c.sizer.Call(Decode, uint32(bits))
		switch {
		case err != nil:
			return c.fail("decode: %w", err)
		case status != 0:
			return c.fail("%w", refusal(bits, status))
		}
		c.sizer.Read(c.block, out[:])
	}
	if c.sized.checks() && c.err == nil {
		c.verify(Encode, Encode, &c.spare, src, &c.checked, bits)
		if c.err == nil && c.checked != *out {
			return c.fail("%w", errRemembers)
		}
		if size := c.afresh(Size, src); c.err == nil && size != bits {
			return c.fail("size says %d bits of a block, encode %d", size, bits)
		}
	}
	return bits
}

func refusal(bits int, status uint32) error {
	return fmt.Errorf("decode refused a code of %d bits with the status %d", bits, status)
}

// ExactBits returns the size of the exact code of a block, which has RawBits if the codec has none.
func (c *Codec) ExactBits(src *mem.Line) int {
	if !c.has[Exact] {
		return codec.RawBits
	}
	if c.exact.checks() {
		return c.EncodeExact(&c.spare, src)
	}
	return c.size(Exact, src)
}

// Decode restores a block.
func (c *Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	if c.restore(); c.err != nil {
		return c.err
	}
	return c.decode(dst, src, bits)
}

func (c *Codec) decode(dst *mem.Line, src *codec.Block, bits int) error {
	clear(c.line[:])
	c.checker.Write(c.block, c.line[:]) // nothing of an earlier block may help
	status, err := c.checker.CallOn(Decode, uint32(bits), c.code, src[:])
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	if status != 0 {
		return refusal(bits, status)
	}
	c.checker.Read(c.block, dst[:])
	return nil
}
