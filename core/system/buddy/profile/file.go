package profile

import (
	"fmt"
	"io"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
)

// Collector makes a profile from files: each is a snapshot, and its arrays are the
// allocations. It reads a file block by block, so its memory does not grow with the file.
type Collector struct {
	// Bits returns the size of an entry's code.
	Bits func(line *mem.Line) int
	// Each sees the entries of the first snapshot; nil = nobody.
	Each func(allocation int, lines []mem.Line)
	// Sized sees the size of each entry of every snapshot, one of Sizes; nil = nobody.
	Sized func(allocation, bytes int)
	// Parts takes a file that shares no name with those before as more arrays of a single
	// snapshot: large models come in several files.
	Parts  bool
	Allocs []Allocation

	lines [256]mem.Line
}

// Add adds a snapshot, or a part of it. done is called after each part with its number of entries, and ends the
// reading if it returns an error. A snapshot that cannot be read is left out as a whole.
func (c *Collector) Add(f *datafile.File, done func(entries int) error) error {
	first, allocs := 0, c.Allocs
	if c.isPart(f) {
		first = len(allocs)
		for i := range f.Arrays {
			a := &f.Arrays[i]
			allocs = append(allocs, Allocation{Name: nameOf(a, i), Bytes: uint64(a.BlockCount()) * mem.LineBytes})
		}
	} else if err := c.same(f); err != nil {
		return err
	}
	counts := make([]Counts, len(f.Arrays))
	for i := range f.Arrays {
		each := c.Each
		if len(allocs) == len(c.Allocs) {
			each = nil
		}
		if err := c.count(f.Arrays[i].Blocks(), &counts[i], first+i, each, done); err != nil {
			return err
		}
	}
	c.Allocs = allocs
	for i := range counts {
		c.Allocs[first+i].Snapshots = append(c.Allocs[first+i].Snapshots, counts[i])
	}
	return nil
}

// isPart reports whether the arrays of a file are new ones beside those of a first snapshot.
func (c *Collector) isPart(f *datafile.File) bool {
	if !c.Parts {
		return len(c.Allocs) == 0
	}
	known := map[string]bool{}
	for i := range c.Allocs {
		if len(c.Allocs[i].Snapshots) > 1 {
			return false
		}
		known[c.Allocs[i].Name] = true
	}
	for i := range f.Arrays {
		if known[nameOf(&f.Arrays[i], i)] {
			return false
		}
	}
	return true
}

// same reports whether a file has the arrays of the first one.
func (c *Collector) same(f *datafile.File) error {
	if len(f.Arrays) != len(c.Allocs) {
		return fmt.Errorf("%d arrays, and the first snapshot has %d: use snapshots of the same arrays", len(f.Arrays),
			len(c.Allocs))
	}
	for i := range f.Arrays {
		a, first := &f.Arrays[i], &c.Allocs[i]
		if name := nameOf(a, i); name != first.Name {
			return fmt.Errorf("array %s, and the first snapshot has %s in its place: use snapshots of the same arrays", name,
				first.Name)
		}
		if bytes := uint64(a.BlockCount()) * mem.LineBytes; bytes != first.Bytes {
			return fmt.Errorf("array %s has %d entries, and %d in the first snapshot: use snapshots of the same arrays",
				first.Name, bytes/mem.LineBytes, first.Bytes/mem.LineBytes)
		}
	}
	return nil
}

func (c *Collector) count(b *datafile.Blocks, counts *Counts, allocation int, each func(int, []mem.Line),
	done func(entries int) error) error {
	for {
		n, _, err := b.Next(c.lines[:])
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range c.lines[:n] {
			bytes := counts.Add(&c.lines[i], c.Bits(&c.lines[i]))
			if c.Sized != nil {
				c.Sized(allocation, bytes)
			}
		}
		if each != nil {
			each(allocation, c.lines[:n])
		}
		if err := done(n); err != nil {
			return err
		}
	}
}

// nameOf returns the name of an array, which some formats do not have.
func nameOf(a *datafile.Array, i int) string {
	if a.Name == "" {
		return fmt.Sprintf("array%d", i)
	}
	return a.Name
}
