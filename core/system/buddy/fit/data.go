package fit

import (
	"github.com/burstscope/burstscope/core/codec/bpc"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/layout"
	"github.com/burstscope/burstscope/core/system/buddy/profile"
)

// Settings say how data are judged.
type Settings struct {
	ThresholdPercent int   // Buddy Threshold
	Mean             bool  // all snapshots together decide, not the worst
	SampleBytes      int64 // kept for the simulator
}

// Data are the files of a question. They are read block by block: only sizes of entries and the sample are kept.
type Data struct {
	settings  Settings
	collector profile.Collector
	samples   []*Sample // of each file of a first snapshot
	entries   *EntryMap
}

// NewData returns data without a file.
func NewData(s Settings) *Data {
	return &Data{settings: s, entries: newEntryMap(mapCells), collector: profile.Collector{Parts: true,
		Bits: func(l *mem.Line) int { return bpc.Codec{}.SizeBits(l) }}}
}

// Add reads a file. done is called after each part with its number of entries, and ends the reading if it
// returns an error; then the data are as before.
func (d *Data) Add(f *datafile.File, done func(entries int) error) error {
	s := NewSample(f.BlockCount(), d.settings.SampleBytes/mem.LineBytes)
	entries := newEntryMap(mapCells)
	d.collector.Each, d.collector.Sized = s.Add, entries.add
	if err := d.collector.Add(f, done); err != nil {
		return err
	}
	if len(s.Lines) > 0 {
		d.samples = append(d.samples, s)
	}
	d.entries.merge(entries)
	return nil
}

// Map says how large the entries of each array are.
func (d *Data) Map() *EntryMap { return d.entries }

// Judge changes how the data are judged.
func (d *Data) Judge(thresholdPercent int, mean bool) {
	d.settings.ThresholdPercent, d.settings.Mean = thresholdPercent, mean
}

// Report chooses the targets. Pages have 64 KB, or 2 MB if the data have too many of the smaller ones.
func (d *Data) Report() (*profile.Report, error) {
	bytes := uint64(0)
	for i := range d.collector.Allocs {
		bytes += d.collector.Allocs[i].Bytes + layout.Page64KB.Bytes()
	}
	rule := profile.Rule{ThresholdPercent: d.settings.ThresholdPercent, Mean: d.settings.Mean}
	if bytes/layout.Page64KB.Bytes() > layout.MaxPages {
		rule.Size = layout.Page2MB
	}
	return rule.Report(d.collector.Allocs)
}

// Answer answers for a GPU and a report of the data.
func (d *Data) Answer(g *GPU, r *profile.Report, wholeBytes uint64) *Answer {
	return AnswerFor(g, d.collector.Allocs, r, wholeBytes)
}

// SampleBytes is the size of the sample.
func (d *Data) SampleBytes() int { return len(d.sample().Lines) * mem.LineBytes }

// Stream returns a simulated read of the sample.
func (d *Data) Stream(g *GPU, r *profile.Report) (*Stream, error) {
	return NewStream(g.Name, d.sample(), r)
}

// sample takes every file's lines; of several files only so many that the sample keeps its size.
func (d *Data) sample() *Sample {
	all := &Sample{}
	for _, s := range d.samples {
		for chunk := 0; chunk*chunkEntries < len(s.Lines); chunk += len(d.samples) {
			from := chunk * chunkEntries
			to := min(len(s.Lines), from+chunkEntries)
			all.Lines, all.Of = append(all.Lines, s.Lines[from:to]...), append(all.Of, s.Of[from:to]...)
		}
	}
	return all
}
