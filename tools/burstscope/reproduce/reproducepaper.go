package reproduce

import (
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

// paperReproduction lists the figures and claims of one paper in a reading.
func paperReproduction(s *sweep.Store, reading claim.Reading, paper string) (*reproduction, error) {
	if !slices.Contains(claim.Papers, paper) {
		return nil, cli.Usagef("unknown paper: %q: burstscope reproduce: name one of %s", paper, strings.Join(claim.Papers, ", "))
	}
	mode := reproducedMode{data: claim.Data(reading.Word("data")), papers: []string{paper}}
	var err error
	if mode.figures, err = figuresOf(mode.papers); err != nil {
		return nil, err
	}
	return &reproduction{store: s, reading: reading, modes: []reproducedMode{mode}}, nil
}

// figuresOf returns the figures of papers, in their order.
func figuresOf(papers []string) ([]reproducedFigure, error) {
	var list []reproducedFigure
	for _, name := range claim.FigureNames() {
		f, err := sweep.LoadFigure(name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(papers, f.Paper()) {
			source, _ := claim.FigureSource(name)
			list = append(list, reproducedFigure{f, source})
		}
	}
	return list, nil
}
