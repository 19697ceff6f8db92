package plugin

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/mem"
)

// Instance is a running module. The host gives it: wazero natively, the browser in the page.
type Instance interface {
	// Call calls an exported function with at most one argument and returns its result, 0
	// without one. Before each call the work left is set to CallFuel. An error says that the module
	// has trapped.
	Call(f Function, argument uint32) (uint32, error)
	// Read and Write copy memory at an address, and report whether it lies in the memory.
	Read(at uint32, to []byte) bool
	Write(at uint32, from []byte) bool
}

const maxDescriptionBytes = 4096 // [ours]

// Host starts a module. The package of a program's host sets it before any module is loaded: core
// has no engine of WebAssembly. nil = the program runs no modules.
var Host func(m *Module) (Instance, error)

// Codec is a module as a codec. The first fault of the module ends it: then every block stays
// raw, and Err says what the module did.
//
// The module runs twice. The first instance sees every block, and sizes it. The second sees only
// the blocks that are checked, and encodes and decodes them. So a module that remembers earlier blocks
// gives different sizes there, and is found: a run must not depend on what ran before it.
type Codec struct {
	info        codec.Info
	sizer       Instance
	checker     Instance
	block, code uint32 // addresses, in both
	trains      bool
	err         error
	calls       uint64
	lossy       bool
	tagBits     int // behind the counted bits

	spare codec.Block
	line  mem.Line
}

var (
	_ codec.Codec    = (*Codec)(nil)
	_ codec.Sizer    = (*Codec)(nil)
	_ codec.RawSizer = (*Codec)(nil)
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
	var c Codec
	var texts [2]string
	for i, instance := range []*Instance{&c.sizer, &c.checker} {
		if *instance, err = Host(m); err != nil {
			return nil, err
		}
		block, code := c.block, c.code
		if texts[i], err = c.start(m, *instance); err != nil {
			return nil, err
		}
		if i > 0 && (block != c.block || code != c.code || texts[0] != texts[1]) {
			return nil, errors.New("describe(), block() and code() differ at the second start")
		}
	}
	c.trains = m.Trains
	c.lossy, err = c.describe(texts[0])
	return &c, err
}

// start calls what a module must answer before its first block, and returns its description.
func (c *Codec) start(m *Module, instance Instance) (text string, err error) {
	if m.Starts {
		if _, err := instance.Call(Initialize, 0); err != nil {
			return "", fmt.Errorf("_initialize: %w", err)
		}
	}
	var at [3]uint32
	for i, name := range []Function{Describe, BlockAddress, CodeAddress} {
		if at[i], err = instance.Call(name, 0); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
	}
	c.block, c.code = at[1], at[2]
	if !instance.Read(c.block, c.line[:]) || !instance.Read(c.code, c.spare[:]) {
		return "", fmt.Errorf("block() and code() must be addresses of %d and %d bytes in its memory; they are %#x and %#x", mem.LineBytes, codec.BlockBytes, c.block, c.code)
	}
	if c.block < c.code+codec.BlockBytes && c.code < c.block+mem.LineBytes {
		return "", errors.New("block() and code() overlap")
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
		"tagBits":    number(&c.tagBits, maxTagBits),
		"compressPJ": energy(&info.Cost.CompressPJ), "decompressPJ": energy(&info.Cost.DecompressPJ),
	}
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		key, value, ok := strings.Cut(line, ":")
		set := keys[key]
		if !ok || set == nil || seen[key] {
			return false, fmt.Errorf("describe(), line %d: %q: write each key once, as in \"name: mine\"; the keys are name, source, kind, mhz, compressCycles, decompressCycles, tagBits, compressPJ, decompressPJ and energySource", i+1, line)
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
	info.Lossless = kind == "lossless"
	return kind == "lossy", nil
}

// Info describes the codec.
func (c *Codec) Info() codec.Info { return c.info }

// Trains reports whether the module makes a code table of what it has seen.
func (c *Codec) Trains() bool { return c.trains }

// Err returns the first fault of the module, nil so far.
func (c *Codec) Err() error { return c.err }

// checkFirst blocks are checked completely, and then one of checkEvery [ours]. A check takes
// about four times as long as a size.
const (
	checkFirst = 1024
	checkEvery = 64
)

// SizeBits returns the size of a block. It checks blocks as checkFirst says.
func (c *Codec) SizeBits(src *mem.Line) int {
	c.calls++
	if c.calls > checkFirst && c.calls%checkEvery != 0 {
		return c.size(src)
	}
	return c.Encode(&c.spare, src)
}

// RawBits returns the same as SizeBits: a module does not say how much longer than a block its code
// would be.
func (c *Codec) RawBits(src *mem.Line) int { return c.SizeBits(src) }

func (c *Codec) size(src *mem.Line) int {
	if c.err != nil {
		return codec.RawBits
	}
	c.sizer.Write(c.block, src[:])
	return c.bits(c.sizer, Size)
}

// bits calls a function that returns a size.
func (c *Codec) bits(instance Instance, name Function) int {
	n, err := instance.Call(name, 0)
	if err != nil {
		return c.fail(fmt.Errorf("%s: %w", name, err))
	}
	if n > codec.RawBits {
		return c.fail(fmt.Errorf("%s returned %d; a block has 0 to %d bits", name, int32(n), codec.RawBits))
	}
	return int(n)
}

func (c *Codec) fail(err error) int {
	if c.err == nil {
		c.err = err
	}
	return codec.RawBits
}

// Encode writes the code of a block and checks it: size gives its size, the block is
// unchanged, decode twice gives one result, and of a lossless codec the block itself.
func (c *Codec) Encode(dst *codec.Block, src *mem.Line) int {
	size := c.size(src)
	if c.err != nil {
		return codec.RawBits
	}
	c.checker.Write(c.block, src[:])
	bits := c.bits(c.checker, Encode)
	switch {
	case c.err != nil:
		return codec.RawBits
	case bits != size:
		return c.fail(fmt.Errorf("size says %d bits of a block, encode %d; both must depend on the block alone", size, bits))
	}
	for _, instance := range [...]Instance{c.sizer, c.checker} {
		instance.Read(c.block, c.line[:])
		if c.line != *src {
			return c.fail(errors.New("size or encode changed the block; only decode may write it"))
		}
	}
	if bits == codec.RawBits {
		return bits
	}
	c.checker.Read(c.code, dst[:])
	end := bits + c.tagBits
	if end%8 != 0 {
		dst[end/8] &= 0xff << (8 - end%8)
	}
	clear(dst[(end+7)/8:]) // nothing else may reach decode
	var lines [2]mem.Line
	for i := range lines {
		if err := c.decode(&lines[i], dst, bits); err != nil {
			return c.fail(err)
		}
	}
	if lines[0] != lines[1] {
		return c.fail(errors.New("decode gave two results for one code"))
	}
	if !c.lossy && lines[0] != *src {
		return c.fail(errors.New("decode does not give the block that was encoded, and describe() says lossless"))
	}
	return bits
}

// Decode restores a block.
func (c *Codec) Decode(dst *mem.Line, src *codec.Block, bits int) error {
	if c.err != nil {
		return c.err
	}
	return c.decode(dst, src, bits)
}

func (c *Codec) decode(dst *mem.Line, src *codec.Block, bits int) error {
	clear(c.line[:])
	c.checker.Write(c.block, c.line[:]) // nothing of an earlier block may help
	c.checker.Write(c.code, src[:])
	status, err := c.checker.Call(Decode, uint32(bits))
	if err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	if status != 0 {
		return fmt.Errorf("decode refused a code of %d bits with the status %d", bits, status)
	}
	c.checker.Read(c.block, dst[:])
	return nil
}
