// Package fit answers whether data fit into the memory of a GPU with Buddy Compression, and
// what the slower memory behind a link then costs: by arithmetic, and by a simulated read of a
// sample of the data.
package fit

import (
	"math"

	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// Answer says whether data fit into a GPU, and how long one read of all of them takes.
type Answer struct {
	GPU *GPU `json:"gpu"`
	// WholeBytes are the data in question, of which the profile may have seen a part. The
	// fields below are in their proportion.
	WholeBytes uint64 `json:"wholeBytes"`
	// NeedBytes of device memory hold them under Buddy Compression, with the metadata.
	NeedBytes uint64 `json:"needBytes"`
	// LinkedBytes of the carve-out hold what does not fit the targets.
	LinkedBytes uint64 `json:"linkedBytes"`
	FitsPlain   bool   `json:"fitsPlain"`
	Fits        bool   `json:"fits"`
	// Formula is the arithmetic behind the rows.
	Formula string `json:"formula"`
	Rows    []Row  `json:"rows"`
}

// Row is the answer for one link. Slowdowns are over a GPU that holds all data uncompressed.
type Row struct {
	Link *Link `json:"link"`
	// Slowdown is that of a read array by array, in which DRAM and the link overlap; Apart that of one
	// whose link begins when DRAM has ended.
	Slowdown float64 `json:"slowdown"`
	Apart    float64 `json:"apart"`
	// Plain is the slowdown without compression, if what does not fit is read over the link.
	Plain float64 `json:"plain"`
	// Simulated is the slowdown of a read of the sample in the simulator; 0 = not run.
	Simulated float64 `json:"simulated,omitempty"`
}

// Formula is how the rows are computed.
const Formula = "slowdown = the sum over all arrays of max(D / B, L / b, S / X), over S / B. S are the bytes of an " +
	"array or of all, B is the peak bandwidth of DRAM, " +
	"and X that from L2 to the SMs, where data are no longer compressed. " +
	"D are an array's sectors in device memory and 32 bytes of metadata for each 64 entries. L are its sectors in buddy " +
	"memory, with a header for each entry that has some. " +
	"b is the bandwidth of the link in one direction. Apart: D / B + L / b in place of the larger of the two."

// entriesPerMetadataSector share a sector of metadata (section III: 4 bits each, 32 bytes).
const entriesPerMetadataSector = layout.SectorBytes * 8 / layout.MetadataBits

// traffic is what one read of every entry of an array moves, as a mean over the snapshots.
type traffic struct {
	plain, device, linked, packets float64
}

func trafficOf(a *profile.Allocation, target layout.Target) (t traffic) {
	snapshots := float64(max(1, len(a.Snapshots)))
	for k := range a.Snapshots {
		for class, entries := range a.Snapshots[k] {
			n := float64(entries) / snapshots
			device, linked := target.Split((profile.Sizes[class] + layout.SectorBytes - 1) / layout.SectorBytes)
			t.plain += n * layout.EntryBytes
			t.device += n * (sectorBytes(device) + layout.SectorBytes/float64(entriesPerMetadataSector))
			t.linked += n * sectorBytes(linked)
			if linked != 0 {
				t.packets += n
			}
		}
	}
	return t
}

// AnswerFor answers for a profile and the targets that a rule chose. wholeBytes is the size of the data in
// question; 0 = what the profile has seen.
func AnswerFor(g *GPU, allocs []profile.Allocation, r *profile.Report, wholeBytes uint64) *Answer {
	if wholeBytes == 0 {
		wholeBytes = r.SizeBytes
	}
	scale := float64(wholeBytes) / float64(max(1, r.SizeBytes))
	bytes := func(n float64) uint64 { return uint64(math.Ceil(scale * n)) }
	a := &Answer{
		GPU: g, WholeBytes: wholeBytes, Formula: Formula,
		NeedBytes: bytes(float64(r.DeviceBytes) +
			float64(r.SizeBytes)/entriesPerMetadataSector*layout.SectorBytes/layout.EntryBytes),
		LinkedBytes: bytes(float64(r.CarveOutBytes)),
	}
	a.FitsPlain, a.Fits = wholeBytes <= g.MemoryBytes, a.NeedBytes <= g.MemoryBytes
	outside := float64(wholeBytes-min(wholeBytes, g.MemoryBytes)) / float64(max(1, wholeBytes))
	for i := range links {
		l := &links[i]
		var ideal, overlapped, apart, plain float64
		for k := range allocs {
			target, err := layout.ParseTarget(r.Allocations[k].Target)
			if err != nil {
				panic(err) // a report names targets
			}
			t := trafficOf(&allocs[k], target)
			local, far := t.device/g.BytesPerSecond, l.seconds(t.linked, t.packets)
			whole := t.plain / g.L2BytesPerSecond
			ideal += t.plain / g.BytesPerSecond
			overlapped += max(local, far, whole)
			apart += max(local+far, whole)
			plain += t.plain
		}
		out := l.seconds(outside*plain, outside*plain/layout.EntryBytes)
		if ideal > 0 {
			a.Rows = append(a.Rows, Row{Link: l, Slowdown: overlapped / ideal, Apart: apart / ideal,
				Plain: max(1-outside, out/ideal)})
		}
	}
	return a
}

// seconds is the time of packets with data in one direction.
func (l *Link) seconds(data, packets float64) float64 {
	return (data + packets*float64(l.HeaderBytes)) / (1e6 * float64(l.MBPerSecond))
}

func sectorBytes(mask uint8) float64 {
	n := 0
	for ; mask != 0; mask &= mask - 1 {
		n++
	}
	return float64(n * layout.SectorBytes)
}

// Only keeps the row of one link; an empty name keeps all.
func (a *Answer) Only(link string) {
	if l := FindLink(link); l != nil {
		for i := range a.Rows {
			if a.Rows[i].Link.Name == link {
				a.Rows = a.Rows[i : i+1]
				return
			}
		}
	}
}
