package convert

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/mem"
)

// cacheOption is a cache in GPGPU-Sim's notation (gpu-cache.h, cache_config::init):
// KIND:SETS:LINE:WAYS,REPLACE:WRITE:ALLOCATE:WRITEALLOCATE:INDEX,MSHRKIND:MSHRS:MERGES,MISSQUEUE[:...][,DATAPORT]
type cacheOption struct {
	sectored                  bool
	sets, line, ways          int
	write, writeMiss, index   string
	mshrs, merges, missBlocks int
}

// cache reads the cache of an option; ok is false without it, and of one that is none.
func (r *gpgpusim) cache(name string) (c cacheOption, ok bool) {
	o, ok := r.options[name]
	if !ok {
		return c, false
	}
	r.used[name] = true
	text := o.value()
	if strings.EqualFold(text, "none") {
		r.leave(o.String(), "the cache cannot be left out")
		return c, false
	}
	parts := strings.Split(text, ",")
	if len(parts) < 4 {
		r.bad(o, fmt.Sprintf("%d groups between commas, and a cache has four", len(parts)))
		return c, false
	}
	kind, sizes, found := strings.Cut(parts[0], ":")
	if !found {
		sizes, kind = parts[0], "N"
	}
	if _, err := strconv.Atoi(kind); err == nil { // GPGPU-Sim 3 has no kind
		sizes, kind = parts[0], "N"
	}
	size := r.numbers(o, sizes, 3)
	how := strings.Split(parts[1], ":")
	mshrKind, mshrs, _ := strings.Cut(parts[2], ":")
	entries := r.numbers(o, mshrs, 2)
	missQueue := r.numbers(o, parts[3], 1)
	if size == nil || entries == nil || missQueue == nil {
		return c, false
	}
	if len(how) < 4 {
		r.bad(o, "the group of its policies has fewer than four letters")
		return c, false
	}
	c = cacheOption{
		sectored: kind == "S", sets: size[0], line: size[1], ways: size[2], write: how[1], writeMiss: how[3],
		mshrs: entries[0], merges: entries[1], missBlocks: missQueue[0],
	}
	if len(how) > 4 {
		c.index = how[4]
	}
	if len(mshrKind) != 1 || !strings.Contains("ATFS", mshrKind) {
		r.bad(o, "its table of misses is none of A, T, F and S")
		return c, false
	}
	return c, true
}

// caches are L1, texture, instruction and constant cache of an SM.
func (r *gpgpusim) caches() {
	if c, ok := r.cache("gpgpu_cache:dl1"); ok {
		r.l1(c, r.from("gpgpu_cache:dl1"))
	}
	if c, ok := r.cache("gpgpu_tex_cache:l1"); ok {
		from := r.from("gpgpu_tex_cache:l1")
		r.number("sm.texture.sets", c.sets*c.line/mem.LineBytes, from, "")
		r.number("sm.texture.ways", c.ways, from, "")
		r.number("sm.texture.mshrs", c.mshrs, from, "")
	}
	perfect := r.oneOr("gpgpu_perfect_inst_const_cache", 0) == 1
	for _, k := range []struct{ option, path string }{
		{"gpgpu_cache:il1", "sm.fetch.cache"}, {"gpgpu_const_cache:l1", "sm.constant.cache"},
	} {
		c, ok := r.cache(k.option)
		if !ok {
			continue
		}
		from := r.from(k.option)
		if perfect {
			r.number(k.path+".sets", 0, r.from("gpgpu_perfect_inst_const_cache"), "every access hits")
			continue
		}
		r.number(k.path+".sets", c.sets, from, "")
		r.number(k.path+".ways", c.ways, from, "")
		r.number(k.path+".lineBytes", c.line, from, "")
		r.number(k.path+".mshrs", min(c.mshrs, 8), from, "")
	}
}

// indexOf are the letters of a set's function (gpu-cache.h): L linear, H Fermi's hash, P a polynomial, X a fold.
func indexOf(letter string) (index, note string) {
	switch letter {
	case "H":
		return "fermi", ""
	case "X":
		return "fold", ""
	case "P":
		return "fold", "a hash by a polynomial there, a fold here"
	}
	return "linear", ""
}

func (r *gpgpusim) l1(c cacheOption, from string) {
	sets, ways, note := c.sets, c.ways, ""
	if c.line != mem.LineBytes {
		r.leave(from, fmt.Sprintf("lines have %d bytes", mem.LineBytes))
		return
	}
	for ways > 256 && ways%2 == 0 { // the most that a set has here
		sets, ways, note = sets*2, ways/2, "the same size in more sets: a set has at most 256 ways"
	}
	r.number("sm.l1.sets", sets, from, note)
	r.number("sm.l1.ways", ways, from, note)
	index, indexNote := indexOf(c.index)
	r.set("sm.l1.index", index, from, indexNote)
	r.number("sm.l1.mshrs", c.mshrs, from, "")
	merges, note := c.merges, ""
	if merges > 16 {
		merges, note = 16, "the most that wait for a line"
	}
	r.number("sm.l1.merges", merges, from, note)
	r.set("sm.l1.sectored", map[bool]string{true: "on", false: "off"}[c.sectored], from, "")
	switch {
	case c.write == "L" && !c.sectored: // local memory back, global memory through
		r.set("sm.l1.local", "back", from, "")
	case c.write == "B":
		r.leave(from+" (writes back)", "L1 writes global memory through")
	default:
		note := ""
		if c.write == "L" {
			note = "an L1 with sectors writes local memory through"
		}
		r.set("sm.l1.local", "through", from, note)
	}
}
