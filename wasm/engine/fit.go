//go:build js

package main

import (
	"fmt"
	"path"
	"syscall/js"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/system/buddy/fit"
)

// fitted is the profile of the files of the last question whether data fit into a GPU.
type fitted struct {
	data   *fit.Data
	notes  []string // about the files
	stream *fit.Stream
	gpu    string // of the stream
}

const (
	labProfiling  = "profiling"
	labSimulating = "simulating"
	// fitSampleBytes are kept of the files and read by the simulator [ours].
	fitSampleBytes = 8 << 20
)

// fit profiles files, piece by piece, and answers the first question about them.
func (e *engine) fit(msg js.Value) {
	e.survey(msg, func(l *labSurvey) (finish func(), err error) {
		d, notes, err := l.profile(msg.Get("blobs"), msg.Get("names"))
		return func() {
			e.fitted = &fitted{data: d, notes: notes}
			e.fitAnswer(msg)
		}, err
	})
}

func (l *labSurvey) profile(blobs, names js.Value) (d *fit.Data, notes []string, err error) {
	d = fit.NewData(fit.Settings{SampleBytes: fitSampleBytes})
	gone := func() bool { return l.cancelled }
	done, all := int64(0), 0.0
	for i := range blobs.Length() {
		all += blobs.Index(i).Get("size").Float()
	}
	read := map[string]bool{} // shards of an index
	for _, i := range indexesFirst(blobs) {
		r, err := newBlobReader(blobs.Index(i), gone)
		if err != nil {
			return nil, nil, err
		}
		if read[r.name()] {
			continue
		}
		name := names.Index(i).String()
		f, err := datafile.Open(r, r.size, datafile.Options{Name: r.name(), Beside: beside(blobs, gone)})
		if err == nil {
			err = d.Add(f, func(entries int) error {
				if done += int64(entries) * mem.LineBytes; !l.goesOn(labProfiling, float64(done)/all) {
					return errLabCancelled
				}
				return nil
			})
		}
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, shard := range f.Shards {
			read[path.Base(shard)] = true
		}
		for _, note := range f.Notes {
			notes = append(notes, name+": "+note)
		}
	}
	return d, notes, nil
}

// indexesFirst orders files so that the shards of an index are not counted again.
func indexesFirst(blobs js.Value) []int {
	var first, rest []int
	for i := range blobs.Length() {
		if datafile.IsIndexName(text(blobs.Index(i), "name")) {
			first = append(first, i)
		} else {
			rest = append(rest, i)
		}
	}
	return append(first, rest...)
}

// fitAnswer answers for a GPU and a rule from the profile that is there.
func (e *engine) fitAnswer(msg js.Value) {
	fail := func(err error) { (&labSurvey{id: number(msg, "id")}).fail(err) }
	if e.fitted == nil {
		fail(fmt.Errorf("no files have been read"))
		return
	}
	d, g := e.fitted.data, fit.FindGPU(text(msg, "gpu"))
	if g == nil {
		fail(fmt.Errorf("there is no GPU %q", text(msg, "gpu")))
		return
	}
	d.Judge(number(msg, "threshold"), text(msg, "judge") == "mean")
	e.fitted.stream = nil // another rule made its targets
	r, err := d.Report()
	if err != nil {
		fail(err)
		return
	}
	post(object{
		"type": "fitAnswer", "id": msg.Get("id"), "profile": toJS(r), "answer": toJS(d.Answer(g, r, uint64(msg.Get("whole").Float()))),
		"latencySource": fit.LatencySource, "sampleBytes": d.SampleBytes(), "notes": words(e.fitted.notes),
	})
}

// fitMap sends the sizes of the entries of every array, in the order of the profile.
func (e *engine) fitMap(msg js.Value) {
	if e.fitted == nil {
		(&labSurvey{id: number(msg, "id")}).fail(fmt.Errorf("no files have been read"))
		return
	}
	m := e.fitted.data.Map()
	ends, counts := []uint32{}, []uint32{}
	for _, cells := range m.Arrays {
		for i := range cells {
			counts = append(counts, cells[i][:]...)
		}
		ends = append(ends, uint32(len(counts)/len(fit.Cell{})))
	}
	post(object{"type": "fitMap", "id": msg.Get("id"), "perCell": m.PerCell, "ends": uint32Array(ends), "counts": uint32Array(counts)})
}

// fitSimulate reads the sample in the simulator, with one link.
func (e *engine) fitSimulate(msg js.Value) {
	e.survey(msg, func(l *labSurvey) (finish func(), err error) {
		f, link, g := e.fitted, fit.FindLink(text(msg, "link")), fit.FindGPU(text(msg, "gpu"))
		if f == nil || link == nil || g == nil {
			return nil, fmt.Errorf("there are no files, or no link %q, or no GPU %q", text(msg, "link"), text(msg, "gpu"))
		}
		slowdown, err := f.simulate(l, g, link)
		return func() {
			post(object{"type": "fitSimulated", "id": l.id, "link": link.Name, "gpu": g.Name, "slowdown": slowdown})
		}, err
	})
}

func (f *fitted) simulate(l *labSurvey, g *fit.GPU, link *fit.Link) (slowdown float64, err error) {
	r, err := f.data.Report()
	if err != nil {
		return 0, err
	}
	if f.stream == nil || f.gpu != g.Name {
		if f.stream, err = f.data.Stream(g, r); err != nil {
			return 0, err
		}
		f.gpu = g.Name
	}
	for slowdown == 0 && err == nil {
		if !l.goesOn(labSimulating, 0) {
			f.stream = nil // a run is under way in it
			return 0, errLabCancelled
		}
		slowdown, err = f.stream.Step(link, stepCycles)
	}
	return slowdown, err
}
