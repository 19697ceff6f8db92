package experiment

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/execute"
)

// Copied says in words which copy of the copy unit (TMA) a request belongs to, "" for one of another instruction. The
// replay stands in a cycle in which the request is under way: that of a burst which reads for it, or the one after its
// issue. The registers of the copy say all there is to know.
func (p *Past) Copied(request uint32) string {
	c := p.again.machine.Copying(request)
	if c == nil {
		return ""
	}
	what, verb, global, shared := "", "moves", "from", "to"
	if c.Stores {
		global, shared = shared, global
	}
	if c.Reduces {
		verb, global = "reduces", "into"
	}
	switch b := c.Box; {
	case c.FetchesMap:
		what = "The request is for a part of its tensor map, " + p.mapName(c)
	case b == nil:
		what = fmt.Sprintf("It %s %d bytes %s %s", verb, c.Bytes, global, p.placeOf(c.Global))
	default:
		box := "box of " + listed(b.Box[:b.Rank], "x")
		if b.Im2col {
			box = fmt.Sprintf("column of %d pixels with %d channels", b.Pixels, b.Channels)
		}
		what = fmt.Sprintf("It %s a %s at (%s), %d bytes of %s, by tensor map %s of %s, swizzle %s, interleave %s,", verb,
			box, listed(b.At[:b.Rank], ", "), c.Bytes, ptx.TensorTypes[b.Type], p.mapName(c), p.placeOf(b.Address),
			ptx.TensorSwizzles[b.Swizzle], ptx.TensorInterleaves[b.Interleave])
	}
	if !c.FetchesMap {
		what += fmt.Sprintf(" %s byte %#x of shared memory", shared, c.Shared)
		if !c.Stores {
			what += fmt.Sprintf(". It completes in phase %d (parity %d) of the mbarrier at byte %#x", c.Phase, c.Phase&1,
				c.Barrier)
		}
	}
	if c.Multicast != 0 {
		what += fmt.Sprintf(", both in each CTA of the cluster that the mask %#x names", c.Multicast)
	}
	if c.Rank >= 0 {
		what += fmt.Sprintf(", both in CTA %d of the cluster", c.Rank)
	}
	by := c.Issued
	module := p.run.plan.Program.ModuleOf(c.Kernel.Module)
	return fmt.Sprintf("Copy: thread (%s) of CTA (%s), warp %d, issued it in line %d of %s. %s.", listed(by.Thread, ","),
		listed(by.CTA, ","), by.Warp, by.Line, module.Title(), what)
}

// mapName is the parameter that is the tensor map of a copy, or where else it lies.
func (p *Past) mapName(c *execute.Copying) string {
	for i := range c.Kernel.Params {
		if k := &c.Kernel.Params[i]; c.MapSpace == ptx.SpaceParam && uint64(k.Offset) == c.MapAt {
			return k.Name
		}
	}
	return "at " + p.placeOf(c.MapAt)
}

// placeOf names the buffer in which an address lies, and the byte.
func (p *Past) placeOf(at uint64) string {
	place := cmp.Or(p.again.machine.Image().Place(at), fmt.Sprintf("%#x", at))
	return strings.TrimPrefix(place, "byte 0 of ")
}

// listed puts something between numbers.
func listed(numbers any, between string) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(numbers), "[]"), " ", between)
}
