package plugin

import (
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
)

// sizes sizes blocks with a module until it fails, and returns how many there were.
func sizes(t *testing.T, module []byte, blocks int, all bool) (int, error) {
	t.Helper()
	c, err := plugin.Load(module)
	if err != nil {
		return 0, err
	}
	if all {
		c.CheckAll()
	}
	lines := codectest.Corpus(20)
	for i := range blocks {
		if c.SizeBits(&lines[i%len(lines)]); c.Err() != nil {
			return i, c.Err()
		}
	}
	return blocks, nil
}

// TestModuleThatCountsItsCalls: a module cannot know which blocks are checked after the first ones, and a check of all blocks finds the
// first of those of which it says something else.
func TestModuleThatCountsItsCalls(t *testing.T) {
	const want = "bits of a block after others, and 1024 in an instance that has seen no block"
	for _, from := range []int{5, 1024, 2000} {
		module := plugintest.Counting(from)
		if n, err := sizes(t, module, from+5000, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("after block %d: %d blocks, %v", from, n, err)
		}
		if n, err := sizes(t, module, from+10, true); n != from || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("after block %d, all checked: %d blocks, %v", from, n, err)
		}
	}
}

// TestMemoryIsFixed: the size of its memory is no place where a module remembers blocks: it has what it got before the first.
func TestMemoryIsFixed(t *testing.T) {
	c, err := plugin.Load(plugintest.Growing())
	if err != nil {
		t.Fatal(err)
	}
	line := codectest.Corpus(1)[0]
	for range 20 {
		if bits := c.SizeBits(&line); bits != codec.RawBits || c.Err() != nil {
			t.Fatalf("%d bits, %v", bits, c.Err())
		}
	}
}

// TestWorkOfAllCalls: calls that each keep to their work are stopped when their sum is far above that of any codec.
func TestWorkOfAllCalls(t *testing.T) {
	n, err := sizes(t, plugintest.Busy(), 1000, false)
	if err == nil || !strings.Contains(err.Error(), "size: all its calls together took more than 1000000000 instructions, and 100000 for each block") {
		t.Errorf("%d blocks, %v", n, err)
	}
	if n < 130 || n > 150 { // 1e9 / 7.2e6, and 1% more
		t.Errorf("stopped at block %d", n)
	}
}

// TestRecursionOfModules: how deep a module may call itself follows from its locals. The page has the same verdicts
// (TestRecursionOfPluginsInThePage).
func TestRecursionOfModules(t *testing.T) {
	for _, s := range plugintest.Shapes() {
		_, err := sizes(t, plugintest.Recursion(s.Depth, s.Locals), 2, false)
		if s.Legal != (err == nil) || err != nil && !strings.Contains(err.Error(), "need more than 262144 bytes of stack") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestChecksAllocateNothing: a run sizes millions of blocks.
func TestChecksAllocateNothing(t *testing.T) {
	lines := codectest.Corpus(10)
	for _, name := range []string{"bdi.wasm", "huffman.wasm"} {
		c := started(t, name, lines)
		c.CheckAll()
		var bits [64]int
		i := 0
		if n := testing.AllocsPerRun(300, func() {
			c.SizeBits(&lines[i%len(lines)])
			c.SizesBits(lines[i%len(lines):][:1], bits[:])
			i++
		}); n > 0 || c.Err() != nil {
			t.Errorf("%s: %v allocations a block, %v", name, n, c.Err())
		}
	}
}
