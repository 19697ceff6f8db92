package scenario

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
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

// Validate reports every fault that prevents a run of the scenario, as *Errors. It does
// not check the texts of a lesson; steps.Validate of core/lesson does.
func (s *Scenario) Validate() error {
	var e fault.Errors
	if s.Version < 1 || s.Version > Version {
		e.Add("version", fmt.Sprintf("version %d", s.Version), fmt.Sprintf("this program reads versions 1 to %d", Version))
	}
	e.Prose("title", s.Title, MaxTitleBytes)
	e.Prose("notes", s.Notes, maxNotesBytes)
	s.validateMachine(&e)
	s.Workload.validate(&e)
	s.Scheme.Validate(&e, "")
	if s.Compare != nil {
		s.Compare.Scheme.Validate(&e, "compare.")
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
			e.Add("workload", "a shipped workload and a program of your own", "keep name, size, data and image, or keep ptx")
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

// sizeMend quotes the workload's rule, which follows "size N: " in its error.
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

// validateImage reads the header only. The workload decodes the pixels.
func validateImage(e *fault.Errors, data Blob) {
	width, height, err := datafile.PictureSize(bytes.NewReader(data), int64(len(data)))
	switch {
	case err != nil:
		e.Add("workload.image", "this is not a PNG image ("+err.Error()+")", "give a .png file")
	case width > MaxImageSide || height > MaxImageSide:
		e.Add("workload.image", fmt.Sprintf("the image has %d x %d pixels", width, height), fmt.Sprintf("scale it to at most %d on a side", MaxImageSide))
	}
}
