package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// iconUnits is the side of icon.svg's view box.
const iconUnits = 32

// maskableScale leaves the margin that systems may cut off: a maskable icon is safe
// within a circle of 80 % of its side (W3C, Web Application Manifest), and the
// corners of the outermost bars lie at 90 % of the half side.
const maskableScale = 0.85

// shape is a filled rectangle of the icon, or a line with a width.
type shape struct {
	x, y, width, height float64 // of a line: where it begins, and its extent along both axes
	line                float64 // width of a line, 0 for a rectangle
	colour              color.NRGBA
}

// covers reports whether a point is inside a shape.
func (s *shape) covers(u, v float64) bool {
	u, v = u-s.x, v-s.y
	if s.line == 0 {
		return u >= 0 && u < s.width && v >= 0 && v < s.height
	}
	length := math.Hypot(s.width, s.height)
	along, across := (u*s.width+v*s.height)/length, (u*s.height-v*s.width)/length
	return along >= 0 && along < length && math.Abs(across) <= s.line/2
}

// writeIcon draws icon.svg as a square PNG. Its first shape is the ground, whose
// corners are round unless the icon is maskable.
func writeIcon(root, stage, name string, side int, maskable bool) error {
	data, err := os.ReadFile(filepath.Join(root, "site", "icon.svg"))
	if err != nil {
		return err
	}
	shapes, err := shapesOf(data)
	if err != nil {
		return fmt.Errorf("icon.svg: %w", err)
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, drawIcon(shapes, side, maskable)); err != nil {
		return err
	}
	return writeFile(filepath.Join(stage, name), out.Bytes())
}

const (
	iconSamples = 4 // a side of a pixel: 16 samples make smooth edges
	iconCorner  = 5 // radius of the ground's corners, as in icon.svg
)

func drawIcon(shapes []shape, side int, maskable bool) image.Image {
	picture := image.NewNRGBA(image.Rect(0, 0, side, side))
	scale, offset := float64(iconUnits)/float64(side), 0.0
	if maskable {
		scale /= maskableScale
		offset = iconUnits * (1 - 1/maskableScale) / 2
	}
	for y := range side {
		row := within(shapes, (float64(y)+0.5)*scale+offset, scale)
		for x := range side {
			var r, g, b, n int
			for s := range iconSamples * iconSamples {
				u := (float64(x)+(float64(s%iconSamples)+0.5)/iconSamples)*scale + offset
				v := (float64(y)+(float64(s/iconSamples)+0.5)/iconSamples)*scale + offset
				if c, ok := inkAt(row, u, v, maskable); ok {
					r, g, b, n = r+int(c.R), g+int(c.G), b+int(c.B), n+1
				}
			}
			if n > 0 {
				picture.SetNRGBA(x, y, color.NRGBA{uint8(r / n), uint8(g / n), uint8(b / n), uint8(255 * n / (iconSamples * iconSamples))})
			}
		}
	}
	return picture
}

// within are the ground and the shapes near a row of pixels: most rows have few.
func within(shapes []shape, v, near float64) []shape {
	row := shapes[:1:1]
	for _, s := range shapes[1:] {
		if v >= min(s.y, s.y+s.height)-s.line-near && v <= max(s.y, s.y+s.height)+s.line+near {
			row = append(row, s)
		}
	}
	return row
}

// inkAt is the colour of a point, if it has one. In a maskable icon the ground fills the
// square.
func inkAt(shapes []shape, u, v float64, maskable bool) (color.NRGBA, bool) {
	for i := len(shapes) - 1; i > 0; i-- {
		if shapes[i].covers(u, v) {
			return shapes[i].colour, true
		}
	}
	dx := max(iconCorner-u, u-(iconUnits-iconCorner), 0)
	dy := max(iconCorner-v, v-(iconUnits-iconCorner), 0)
	return shapes[0].colour, maskable || dx*dx+dy*dy <= iconCorner*iconCorner
}

// shapesOf reads the shapes of icon.svg in painting order: rectangles, filled or with a
// dashed outline, and paths of straight lines. Shapes inherit the fill of their group.
func shapesOf(svg []byte) ([]shape, error) {
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	fills := []string{""}
	var shapes []shape
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			at := attributes{"fill": fills[len(fills)-1], "x": "0", "y": "0"}
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			fills = append(fills, at["fill"])
			added, err := at.shapes(e.Name.Local)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name.Local, err)
			}
			shapes = append(shapes, added...)
		case xml.EndElement:
			fills = fills[:len(fills)-1]
		}
	}
	if len(shapes) < 2 || shapes[0].width != iconUnits || shapes[0].height != iconUnits {
		return nil, fmt.Errorf("wants a ground of %d by %d and shapes on it", iconUnits, iconUnits)
	}
	return shapes, nil
}

// attributes are those of one element.
type attributes map[string]string

func (a attributes) shapes(element string) ([]shape, error) {
	var s shape
	var faults []error
	number := func(name string) float64 {
		v, err := strconv.ParseFloat(a[name], 64)
		faults = append(faults, err)
		return v
	}
	colour := func(name string) color.NRGBA {
		rgb, err := strconv.ParseUint(strings.TrimPrefix(a[name], "#"), 16, 24)
		faults = append(faults, err)
		return color.NRGBA{uint8(rgb >> 16), uint8(rgb >> 8), uint8(rgb), 255}
	}
	switch element {
	case "rect":
		s.x, s.y, s.width, s.height = number("x"), number("y"), number("width"), number("height")
		if a["fill"] != "none" {
			s.colour = colour("fill")
			return []shape{s}, errors.Join(faults...)
		}
		s.colour, s.line = colour("stroke"), number("stroke-width")
		dash, err := numbers(a["stroke-dasharray"], 2)
		if err := errors.Join(append(faults, err)...); err != nil {
			return nil, err
		}
		return outline(s, dash[0], dash[1]), nil
	case "path":
		s.colour, s.line = colour("stroke"), number("stroke-width")
		if err := errors.Join(faults...); err != nil {
			return nil, err
		}
		return lines(s, a["d"])
	}
	return nil, nil
}

// outline is the outline of a rectangle in dashes, each side with its own.
func outline(s shape, on, off float64) []shape {
	var dashes []shape
	for _, side := range [][4]float64{{s.x, s.y, s.width, 0}, {s.x + s.width, s.y, 0, s.height}, {s.x, s.y + s.height, s.width, 0}, {s.x, s.y, 0, s.height}} {
		length := side[2] + side[3]
		for from := 0.0; from < length; from += on + off {
			to := min(from+on, length)
			dashes = append(dashes, shape{
				side[0] + side[2]*from/length, side[1] + side[3]*from/length,
				side[2] * (to - from) / length, side[3] * (to - from) / length, s.line, s.colour,
			})
		}
	}
	return dashes
}

// lines reads a path of strokes, each "Mx yldx dy".
func lines(s shape, path string) ([]shape, error) {
	var strokes []shape
	for stroke := range strings.SplitSeq(strings.TrimPrefix(path, "M"), "M") {
		from, along, ok := strings.Cut(stroke, "l")
		at, err := numbers(from, 2)
		by, err2 := numbers(along, 2)
		if err := errors.Join(err, err2); err != nil || !ok {
			return nil, fmt.Errorf("wants strokes of the form Mx yldx dy, not %q (%w)", stroke, err)
		}
		strokes = append(strokes, shape{at[0], at[1], by[0], by[1], s.line, s.colour})
	}
	return strokes, nil
}

// numbers are count numbers, set apart by spaces or by their signs.
func numbers(text string, count int) ([]float64, error) {
	fields := strings.Fields(strings.ReplaceAll(text, "-", " -"))
	if len(fields) != count {
		return nil, fmt.Errorf("%q is not %d numbers", text, count)
	}
	values := make([]float64, count)
	for i, field := range fields {
		var err error
		if values[i], err = strconv.ParseFloat(field, 64); err != nil {
			return nil, err
		}
	}
	return values, nil
}
