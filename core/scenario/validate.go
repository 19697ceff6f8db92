package scenario

import (
	"bytes"
	"fmt"
	"image/png"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Limits on what a scenario carries.
const (
	MaxTitleBytes = 200
	maxNotesBytes = 16 << 10
	// MaxImageSide bounds a user's image: 4096 x 4096 single-precision pixels are
	// 64 MiB, and twice that with the output.
	MaxImageSide = 4096
	// maxSeed is the largest integer that JavaScript's numbers hold exactly.
	maxSeed = 1<<53 - 1
)

// Validate reports everything that keeps the scenario from being run, as *Errors.
// Words of a lesson do not; steps.Validate of core/lesson looks at them.
func (s *Scenario) Validate() error {
	var e fault.Errors
	if s.Version != Version {
		e.Add("version", fmt.Sprintf("version %d", s.Version), fmt.Sprintf("this program reads version %d", Version))
	}
	e.Prose("title", s.Title, MaxTitleBytes)
	e.Prose("notes", s.Notes, maxNotesBytes)
	s.validateMachine(&e)
	s.Workload.validate(&e)
	s.Memory.validate(&e, "memory")
	if s.Compare != nil {
		s.Compare.Memory.validate(&e, "compare.memory")
	}
	if s.Seed > maxSeed {
		e.Add("seed", fmt.Sprintf("%d is too large", s.Seed), fmt.Sprintf("use 0 to %d", uint64(maxSeed)))
	}
	if s.View != nil {
		s.View.Validate(&e, "view")
	}
	return e.OrNil()
}

func (w *Workload) validate(e *fault.Errors) {
	if w.PTX != nil {
		if w.Name != "" || w.Size != 0 || w.Data != "" || len(w.Image) != 0 {
			e.Add("workload", "both a shipped workload and a program of your own", "keep either name, size, data and image or ptx")
		}
		w.PTX.validate(e)
		return
	}
	if !e.Word("workload.name", w.Name, programs.Names()) {
		return
	}
	info, err := programs.Describe(w.Name)
	if err != nil {
		panic(err) // it is in the list
	}
	if err := programs.Check(w.Name, programs.Params{Size: w.Size}); w.Size < 1 || err != nil {
		e.Add("workload.size", fmt.Sprintf("%s has no size of %d %s", w.Name, w.Size, info.SizeLabel), sizeMend(err, info.Sizes))
	}
	e.Word("workload.data", w.Data, info.DataModes)
	if len(w.Image) > 0 {
		if !info.AcceptsImage {
			e.Add("workload.image", w.Name+" takes no image", "remove the image or choose a workload that takes one")
		}
		validateImage(e, w.Image)
	}
}

// sizeMend quotes the rule of the workload behind its own "size N: ".
func sizeMend(err error, offered []int) string {
	mend := "use one of " + fault.Join(offered)
	if err == nil {
		return mend
	}
	if _, rule, ok := strings.Cut(err.Error(), "size "); ok {
		_, rule, _ = strings.Cut(rule, ": ")
		return mend + ": " + rule
	}
	return mend
}

// validateImage reads the header only: the workload decodes the pixels.
func validateImage(e *fault.Errors, data Blob) {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		e.Add("workload.image", "this is not a PNG image ("+err.Error()+")", "give a .png file")
	case c.Width < 1 || c.Height < 1 || c.Width > MaxImageSide || c.Height > MaxImageSide:
		e.Add("workload.image", fmt.Sprintf("the image has %d x %d pixels", c.Width, c.Height), fmt.Sprintf("scale it to at most %d on a side", MaxImageSide))
	}
}

func (m *Memory) validate(e *fault.Errors, path string) {
	codecKnown := e.Word(path+".codec", m.Codec, Codecs())
	e.Word(path+".probabilities", m.Probabilities, probabilities)
	if e2mc.CheckWays(m.DecodingWays) != nil {
		e.Add(path+".decodingWays", fmt.Sprintf("no decoder has %d ways", m.DecodingWays), "use 1, 2, 4 or 8")
	}
	if m.Header != "" {
		e.Word(path+".header", m.Header, headers)
	}
	if m.Sample != 0 {
		e.Range(path+".sample", m.Sample, 1, SampleUnit, fmt.Sprintf(", in 1/%d of the program, or leave it out", SampleUnit))
	}
	if _, _, err := m.Latencies(); err != nil {
		e.Add(path+".latency", err.Error(), "write cycles of the compressor/decompressor, such as 1/1, or leave it out")
	}
	approximationKnown := e.Word(path+".approximation", m.Approximation, Approximations())
	if row := codecs.Find(m.Approximation); codecKnown && approximationKnown && row != nil && m.Codec != row.Over {
		e.Add(path+".approximation", fmt.Sprintf("%s works on the symbols of codec %s, not of %s", m.Approximation, row.Over, m.Codec),
			fmt.Sprintf("set %s.codec to %s or %s.approximation to none", path, row.Over, path))
	}
	if !slices.Contains(mags, m.MAG) {
		e.Add(path+".mag", fmt.Sprintf("no memory access granularity of %d bytes", m.MAG), "use one of "+fault.Join(mags))
		return // what the threshold may be depends on it
	}
	if m.Threshold < 0 || m.Threshold > m.MAG {
		e.Add(path+".threshold", fmt.Sprintf("%d bytes is not between 0 and the MAG", m.Threshold), fmt.Sprintf("use 0 to %d, or a larger %s.mag", m.MAG, path))
	} else if m.Threshold == 0 && m.Approximation != "none" {
		e.Add(path+".threshold", "a threshold of 0 bytes approximates nothing", fmt.Sprintf("use 1 to %d, or set %s.approximation to none", m.MAG, path))
	}
}
