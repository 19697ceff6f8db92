package model

import (
	"regexp"
	"strings"
)

// plainBox is a rectangle without rounded corners in the markup of SVG.
var plainBox = regexp.MustCompile(`<rect x="([^"]*)" y="([^"]*)" width="([^"]*)" height="([^"]*)" ((?:fill|stroke|opacity)[^>]*)/>`)

// CompactSVG is SVG in fewer bytes: of rectangles that follow one another, those with one
// look become one path. Such rectangles must not overlap.
func (s *Scene) CompactSVG(id string, ink func(c Colour, level float64) string) string {
	text := s.SVG(id, ink)
	var out strings.Builder
	var looks []string
	paths := map[string]string{}
	flush := func() {
		for _, look := range looks {
			out.WriteString(`<path d="` + paths[look] + `" ` + look + "/>")
			delete(paths, look)
		}
		looks = looks[:0]
	}
	done := 0
	for _, at := range plainBox.FindAllStringSubmatchIndex(text, -1) {
		if at[0] > done {
			flush()
			out.WriteString(text[done:at[0]])
		}
		done = at[1]
		part := func(i int) string { return text[at[2*i]:at[2*i+1]] }
		look := part(5)
		if paths[look] == "" {
			looks = append(looks, look)
		}
		paths[look] += "M" + part(1) + " " + part(2) + "h" + part(3) + "v" + part(4) + "h-" + part(3) + "z"
	}
	flush()
	return out.String() + text[done:]
}
