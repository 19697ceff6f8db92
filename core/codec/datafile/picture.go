package datafile

import "io"

// Picture is a PNG that is read as colours of pixels, not as blocks of numbers.
type Picture struct{ png *pngHeader }

// Colour is the colour of a pixel: 16 bits for each channel, without the alpha in red,
// green and blue.
type Colour struct{ R, G, B, A uint16 }

// PictureSize reads the width and the height of a PNG of size bytes from its header. It
// reads nothing after the header.
func PictureSize(src io.ReaderAt, size int64) (width, height int64, err error) {
	p := &pngHeader{src: src}
	err = p.readChunks(size, true)
	return p.width, p.height, err
}

// OpenPicture finds the parts of a PNG of size bytes.
func OpenPicture(src io.ReaderAt, size int64) (*Picture, error) {
	p, err := readPNG(src, size)
	if err != nil {
		return nil, err
	}
	return &Picture{p}, nil
}

// Rows decodes the picture. put gets each row of each pass in the order of the file: the
// pixels of row y from x on, step apart. The next row overwrites the colours.
func (p *Picture) Rows(put func(x, y, step int64, row []Colour)) error {
	buffer := make([]Colour, p.png.width)
	return p.png.eachRow(func(r *pngRows, s pass, y int64) error {
		row := buffer[:r.width]
		r.colours(row)
		put(s.x, y, s.dx, row)
		return nil
	})
}

// colours converts the samples of the row. As in libpng, a number without a colour in
// the palette is opaque black.
func (r *pngRows) colours(out []Colour) {
	p, samples := r.p, r.samples()
	scale := uint16(0xffff / (1<<p.depth - 1))
	key := p.transparentColour()
	for x := range out {
		s := samples[x*p.stored:][:p.stored]
		c := Colour{A: 0xffff}
		switch p.colour {
		case 3:
			v := int(s[0])
			if 3*v+2 < len(p.palette) {
				c.R, c.G, c.B = 0x101*uint16(p.palette[3*v]), 0x101*uint16(p.palette[3*v+1]), 0x101*uint16(p.palette[3*v+2])
			}
			if v < len(p.alphas) {
				c.A = 0x101 * uint16(p.alphas[v])
			}
		case 0, 4:
			c.R = s[0] * scale
			c.G, c.B = c.R, c.R
			if p.colour == 4 {
				c.A = s[1] * scale
			} else if key != nil && s[0] == key[0] {
				c.A = 0
			}
		default:
			c.R, c.G, c.B = s[0]*scale, s[1]*scale, s[2]*scale
			if p.colour == 6 {
				c.A = s[3] * scale
			} else if key != nil && s[0] == key[0] && s[1] == key[1] && s[2] == key[2] {
				c.A = 0
			}
		}
		out[x] = c
	}
}

// transparentColour returns the samples of the transparent colour, or nil. Of samples with
// up to 8 bits the file's 16 bits count in their lower half (PNG specification, section
// 11.3.2.1).
func (p *pngHeader) transparentColour() []uint16 {
	var key []uint16
	for i := 0; i+1 < len(p.key); i += 2 {
		v := uint16(p.key[i+1])
		if p.depth == 16 {
			v |= uint16(p.key[i]) << 8
		}
		key = append(key, v)
	}
	return key
}
