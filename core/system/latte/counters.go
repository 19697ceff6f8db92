package latte

import (
	"fmt"
	"slices"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/stat"
)

// Counters of a compressed L1.
const (
	L1OrdersNone = stat.FirstPlace + 24 + iota
	L1OrdersLow
	L1OrdersHigh
	L1Decompressions
	L1QueuePositions
	L1PhasesNone
	L1PhasesLow
	L1PhasesHigh
	L1PhaseSectors
	L1PhaseRoomSectors
	L1CodeTables
	L1CodeDropped
	L1RatioLines
	L1RatioBitsBDI
	L1RatioBitsFPC
	L1RatioBitsCPACKZ
	L1RatioBitsBPC
	L1RatioLinesSC
	L1RatioBitsSC

	firstCompressions
	firstDecompressions = firstCompressions + maxCodecs
)

// maxCodecs bounds the codecs with counters of their own: nine have them now [ours].
const maxCodecs = 12

// Compressions counts the lines that enter L1 through a codec, Invalid if it has no place.
func Compressions(c *codecs.L1) stat.Counter { return counterOf(firstCompressions, c) }

// Decompressions counts the hits on the codes of a codec, Invalid if it has no place.
func Decompressions(c *codecs.L1) stat.Counter { return counterOf(firstDecompressions, c) }

func counterOf(first stat.Counter, c *codecs.L1) stat.Counter {
	if c == nil || c.Place < 1 || c.Place > maxCodecs {
		return stat.Invalid
	}
	return first + stat.Counter(c.Place-1)
}

// inL1 returns the rows of the codecs of L1 by place, nil where there is none; of those that share counters the first.
func inL1() (list [maxCodecs]*codecs.Row) {
	for i := range codecs.Table {
		row := &codecs.Table[i]
		switch c := row.L1; {
		case c == nil:
		case c.Place < 1 || c.Place > maxCodecs:
			panic(fmt.Sprintf("latte: codec %s has place %d in L1: want 1 to %d", row.Name, c.Place, maxCodecs))
		case list[c.Place-1] == nil:
			list[c.Place-1] = row
		case list[c.Place-1].L1 != c:
			panic(fmt.Sprintf("latte: codecs %s and %s have place %d in L1: give each its own",
				list[c.Place-1].Name, row.Name, c.Place))
		}
	}
	return list
}

// ofCodecs describes the counters of the codecs, one of each: its name and its sentence have one place for a word.
func ofCodecs(counter func(*codecs.L1) stat.Counter, name, doc string) (list []stat.Group) {
	for _, row := range inL1() {
		if row != nil {
			list = append(list, stat.Group{First: counter(row.L1), After: after, Infos: []stat.Info{
				{Name: fmt.Sprintf(name, row.L1.Key), Unit: "lines", Doc: fmt.Sprintf(doc, row.L1.Text)},
			}})
		}
	}
	return list
}

// after is the counter that lists have before those of this room.
const after = stat.InexactHitLanes

var orderCounters = stat.Group{First: L1OrdersNone, After: after, Infos: []stat.Info{
	{Name: "l1OrdersNone", Unit: "lines",
		Doc: "Lines that missed in a compressed L1 while their set took lines without compression. The three " +
			"counters add up to the misses of whole lines."},
	{Name: "l1OrdersLow", Unit: "lines",
		Doc: "Lines that missed in a compressed L1 while their set compressed with the codec of low latency."},
	{Name: "l1OrdersHigh", Unit: "lines",
		Doc: "Lines that missed in a compressed L1 while their set compressed with the codec of high " +
			"capacity."},
}}

var hitCounters = stat.Group{First: L1Decompressions, After: after, Infos: []stat.Info{
	{Name: "l1Decompressions", Unit: "lines",
		Doc: "Hits in L1 on lines that lie there as codes, of every codec."},
}}

var phaseCounters = stat.Group{First: L1QueuePositions, After: after, Infos: []stat.Info{
	{Name: "l1QueuePositions", Unit: "lines",
		Doc: "Sum over the decompressed lines of the lines in front of them in their decompressor's queue, up " +
			"to the last whole phase of each SM."},
	{Name: "l1PhasesNone", Unit: "phases",
		Doc: "Experimental phases in which L1 took lines without compression, apart from dedicated sets."},
	{Name: "l1PhasesLow", Unit: "phases",
		Doc: "Experimental phases in which L1 compressed with the codec of low latency."},
	{Name: "l1PhasesHigh", Unit: "phases",
		Doc: "Experimental phases in which L1 compressed with the codec of high capacity."},
	{Name: "l1PhaseSectors", Unit: "sectors",
		Doc: "Sectors of lines that L1 held at the ends of experimental phases, uncompressed."},
	{Name: "l1PhaseRoomSectors", Unit: "sectors",
		Doc: "Sectors that L1 could hold without compression, counted at the ends of experimental phases."},
	{Name: "l1CodeTables", Unit: "tables",
		Doc: "Code tables that SC made from its value frequency table."},
	{Name: "l1CodeDropped", Unit: "lines",
		Doc: "Compressed lines that left L1 because the codes of SC changed."},
	{Name: "l1RatioLines", Unit: "lines",
		Doc: "Lines that entered L1 and were measured with every codec."},
	{Name: "l1RatioBitsBDI", Unit: "bits",
		Doc: "Code sizes of the measured lines under BDI with ten encodings; raw is 1024."},
	{Name: "l1RatioBitsFPC", Unit: "bits",
		Doc: "Code sizes of the measured lines under FPC; raw is 1024."},
	{Name: "l1RatioBitsCPACKZ", Unit: "bits",
		Doc: "Code sizes of the measured lines under C-PACK+Z; raw is 1024."},
	{Name: "l1RatioBitsBPC", Unit: "bits",
		Doc: "Code sizes of the measured lines under BPC; raw is 1024."},
	{Name: "l1RatioLinesSC", Unit: "lines",
		Doc: "Measured lines that entered after SC had its first codes."},
	{Name: "l1RatioBitsSC", Unit: "bits",
		Doc: "Code sizes of these lines under SC; raw is 1024."},
}}

// counters describes the counters. Those of codecs follow from the table of codecs.
func counters() []stat.Group {
	return slices.Concat(
		[]stat.Group{orderCounters},
		ofCodecs(Compressions, "l1Compressions%s", "Lines that %s compressed, or tried to, on their way into L1."),
		[]stat.Group{hitCounters},
		ofCodecs(Decompressions, "l1Decompressions%s", "Hits in L1 on lines compressed with %s."),
		[]stat.Group{phaseCounters},
	)
}
