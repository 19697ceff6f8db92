package scenario

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/e2mc"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// Limits on what a scenario carries.
const (
	maxTitleBytes = 200
	maxNotesBytes = 16 << 10
	// MaxImageSide bounds a user's image: 4096 x 4096 single-precision pixels are
	// 64 MiB, and twice that with the output.
	MaxImageSide = 4096
	// maxSeed is the largest integer that JavaScript's numbers hold exactly.
	maxSeed = 1<<53 - 1
)

// Validate reports everything that keeps the scenario from being run, as *Errors.
// Words of a lesson do not; ValidateLesson looks at them.
func (s *Scenario) Validate() error {
	var e Errors
	if s.Version != Version {
		e.add("version", fmt.Sprintf("version %d", s.Version), fmt.Sprintf("this program reads version %d", Version))
	}
	checkProse(&e, "title", s.Title, maxTitleBytes)
	checkProse(&e, "notes", s.Notes, maxNotesBytes)
	s.validateMachine(&e)
	s.Workload.validate(&e)
	s.Memory.validate(&e, "memory")
	if s.Compare != nil {
		s.Compare.Memory.validate(&e, "compare.memory")
	}
	if s.Seed > maxSeed {
		e.add("seed", fmt.Sprintf("%d is too large", s.Seed), fmt.Sprintf("use 0 to %d", uint64(maxSeed)))
	}
	if s.View != nil {
		s.View.validate(&e, "view")
	}
	return e.orNil()
}

func checkProse(e *Errors, path, text string, limit int) {
	if len(text) > limit {
		e.add(path, fmt.Sprintf("%d bytes of text", len(text)), fmt.Sprintf("use at most %d", limit))
	}
	if i := strings.IndexFunc(text, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }); i >= 0 {
		e.add(path, fmt.Sprintf("control character %#02x", text[i]), "remove it")
	}
}

func checkWord(e *Errors, path, got string, legal []string) bool {
	if indexOf(legal, got) >= 0 {
		return true
	}
	if got == "" {
		e.add(path, "nothing is named", mendWord(got, legal))
	} else {
		e.add(path, "unknown "+path[strings.LastIndexByte(path, '.')+1:]+" "+Quote(got), mendWord(got, legal))
	}
	return false
}

func checkRange(e *Errors, path string, got, low, high int, unit string) {
	if got < low || got > high {
		e.add(path, fmt.Sprintf("%d is out of range", got), fmt.Sprintf("use %d to %d%s", low, high, unit))
	}
}

func (w *Workload) validate(e *Errors) {
	if w.PTX != nil {
		if w.Name != "" || w.Size != 0 || w.Data != "" || len(w.Image) != 0 {
			e.add("workload", "both a shipped workload and a program of your own", "keep either name, size, data and image or ptx")
		}
		w.PTX.validate(e)
		return
	}
	if !checkWord(e, "workload.name", w.Name, programs.Names()) {
		return
	}
	info, err := programs.Describe(w.Name)
	if err != nil {
		panic(err) // it is in the list
	}
	if err := programs.Check(w.Name, programs.Params{Size: w.Size}); w.Size < 1 || err != nil {
		e.add("workload.size", fmt.Sprintf("%s has no size of %d %s", w.Name, w.Size, info.SizeLabel), sizeMend(err, info.Sizes))
	}
	checkWord(e, "workload.data", w.Data, info.DataModes)
	if len(w.Image) > 0 {
		if !info.AcceptsImage {
			e.add("workload.image", w.Name+" takes no image", "remove the image or choose a workload that takes one")
		}
		validateImage(e, w.Image)
	}
}

// sizeMend quotes the rule of the workload behind its own "size N: ".
func sizeMend(err error, offered []int) string {
	mend := "use one of " + join(offered)
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
func validateImage(e *Errors, data Blob) {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	switch {
	case err != nil:
		e.add("workload.image", "this is not a PNG image ("+err.Error()+")", "give a .png file")
	case c.Width < 1 || c.Height < 1 || c.Width > MaxImageSide || c.Height > MaxImageSide:
		e.add("workload.image", fmt.Sprintf("the image has %d x %d pixels", c.Width, c.Height), fmt.Sprintf("scale it to at most %d on a side", MaxImageSide))
	}
}

func contains(list []int, n int) bool {
	for _, v := range list {
		if v == n {
			return true
		}
	}
	return false
}

func (m *Memory) validate(e *Errors, path string) {
	codecKnown := checkWord(e, path+".codec", m.Codec, Codecs())
	checkWord(e, path+".probabilities", m.Probabilities, probabilities)
	if e2mc.CheckWays(m.DecodingWays) != nil {
		e.add(path+".decodingWays", fmt.Sprintf("no decoder has %d ways", m.DecodingWays), "use 1, 2, 4 or 8")
	}
	if m.Header != "" {
		checkWord(e, path+".header", m.Header, headers)
	}
	if m.Sample != 0 {
		checkRange(e, path+".sample", m.Sample, 1, SampleUnit, fmt.Sprintf(", in 1/%d of the program, or leave it out", SampleUnit))
	}
	if _, _, err := m.Latencies(); err != nil {
		e.add(path+".latency", err.Error(), "write cycles of the compressor/decompressor, such as 1/1, or leave it out")
	}
	approximationKnown := checkWord(e, path+".approximation", m.Approximation, Approximations())
	if row := codecs.Find(m.Approximation); codecKnown && approximationKnown && row != nil && m.Codec != row.Over {
		e.add(path+".approximation", fmt.Sprintf("%s works on the symbols of codec %s, not of %s", m.Approximation, row.Over, m.Codec),
			fmt.Sprintf("set %s.codec to %s or %s.approximation to none", path, row.Over, path))
	}
	if !contains(mags, m.MAG) {
		e.add(path+".mag", fmt.Sprintf("no memory access granularity of %d bytes", m.MAG), "use one of "+join(mags))
		return // what the threshold may be depends on it
	}
	if m.Threshold < 0 || m.Threshold > m.MAG {
		e.add(path+".threshold", fmt.Sprintf("%d bytes is not between 0 and the MAG", m.Threshold), fmt.Sprintf("use 0 to %d, or a larger %s.mag", m.MAG, path))
	} else if m.Threshold == 0 && m.Approximation != "none" {
		e.add(path+".threshold", "a threshold of 0 bytes approximates nothing", fmt.Sprintf("use 1 to %d, or set %s.approximation to none", m.MAG, path))
	}
}
