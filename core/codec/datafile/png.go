package datafile

import (
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

const (
	pngMagic = "\x89PNG\r\n\x1a\n"
	// maxRowBytes bounds the memory for rows, and maxInterlaced that for pictures
	// whose rows come in seven passes.
	maxRowBytes   = 16 << 20
	maxInterlaced = 256 << 20
)

// Pictures are read here, row by row, and not by image/png, because image/png decodes the
// whole picture before it returns: a colour picture of 20,000 by 20,000 pixels takes 1.6 GB
// there, at 4 bytes a pixel, and two rows of 80 kB here. TestPNGAgainstStandardLibrary
// compares the samples of both for all colour types, depths and filters, interlaced or not.

// criticalChunks are the critical chunks of the specification.
var criticalChunks = []string{"IHDR", "PLTE", "IDAT", "IEND"}

// pngHeader is a picture with the place of its parts.
type pngHeader struct {
	src           io.ReaderAt
	width, height int64
	depth         int // bits of a stored sample
	colour        byte
	interlaced    bool
	stored        int // stored samples of a pixel
	channels      int // samples of a pixel as unpacked
	palette       []byte
	alphas        []byte  // of the palette
	key           []byte  // the transparent colour of a picture without palette and alpha
	data          []chunk // IDAT, in order
}

// chunk is where a part of the compressed data lies.
type chunk struct{ at, bytes int64 }

// storedSamples is the number of samples by colour type, 0 for an unknown type.
var storedSamples = [...]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}

// openPNG takes samples as a program would hold them: palettes looked up, samples
// of fewer than 8 bits spread to 0 to 255, 16-bit samples little-endian.
func openPNG(src io.ReaderAt, size int64) ([]Array, error) {
	p, err := readPNG(src, size)
	if err != nil {
		return nil, err
	}
	t := U8
	if p.depth == 16 {
		t = U16
	}
	p.channels = p.stored
	if p.colour == 3 {
		if p.channels = 3; p.alphas != nil {
			p.channels = 4
		}
	}
	shape := []int64{p.height, p.width, int64(p.channels)}
	samples, ok := count(shape, 1<<40)
	if !ok {
		return nil, p.tooLarge()
	}
	bytes := samples * int64(t.Bytes())
	if p.interlaced && bytes > maxInterlaced {
		return nil, faultAt(28, "an interlaced picture of %d bytes: at most %d are read; save it without interlacing", bytes, maxInterlaced)
	}
	if p.channels == 1 {
		shape = shape[:2]
	}
	return []Array{{Type: t, Shape: shape, Bytes: bytes, unpack: p.open}}, nil
}

// readPNG finds the parts of a picture and checks that the file can hold its pixels.
func readPNG(src io.ReaderAt, size int64) (*pngHeader, error) {
	p := &pngHeader{src: src}
	if err := p.readChunks(size, false); err != nil {
		return nil, err
	}
	if p.rowBytes(p.width) > maxRowBytes {
		return nil, p.tooLarge()
	}
	compressed := int64(0)
	for _, c := range p.data {
		compressed += c.bytes
	}
	if p.rowBytes(p.width) > (compressed*inflateRatio+inflateSlack)/p.height {
		return nil, faultAt(16, "%d bytes of data cannot hold the %d by %d pixels that the header announces", compressed, p.width, p.height)
	}
	return p, nil
}

func (p *pngHeader) tooLarge() error {
	return faultAt(16, "a picture of %d by %d is too large to read", p.width, p.height)
}

// rowBytes is the size of a row of width pixels as stored, without its filter.
func (p *pngHeader) rowBytes(width int64) int64 {
	return (width*int64(p.stored*p.depth) + 7) / 8
}

// readChunks reads the list of chunks, or only the header, and checks the parts that it
// keeps.
func (p *pngHeader) readChunks(size int64, headerOnly bool) error {
	var magic [len(pngMagic)]byte
	if err := readAt(p.src, magic[:], 0, "the signature"); err != nil {
		return err
	}
	if string(magic[:]) != pngMagic {
		return faultAt(0, "no PNG signature")
	}
	for at := int64(len(magic)); ; {
		var head [8]byte
		if err := readAt(p.src, head[:], at, "a chunk of the picture"); err != nil {
			return err
		}
		n, kind := int64(binary.BigEndian.Uint32(head[:])), string(head[4:])
		if n > size-at-12 {
			return faultAt(at, "chunk %q announces %d bytes, %d are left: the file is cut off or damaged", kind, n, max(0, size-at-12))
		}
		if at == int64(len(magic)) && kind != "IHDR" {
			return faultAt(at, "the first chunk is %q: want IHDR", kind)
		}
		// Bit 5 of the first letter of a chunk's name, the case, tells whether a reader may
		// skip it (PNG specification, section 5.4).
		if head[4]&0x20 == 0 && !slices.Contains(criticalChunks, kind) {
			return faultAt(at, "chunk %q is needed to decode the picture, and this program does not know it: save the picture as a plain PNG", kind)
		}
		var limit int64
		switch kind {
		case "IHDR":
			limit = 13
		case "PLTE":
			limit = 3 * 256
		case "tRNS":
			limit = 256
		case "IDAT":
			p.data = append(p.data, chunk{at, n})
		case "IEND":
			if len(p.data) == 0 {
				return faultAt(at, "the picture has no data")
			}
			return nil
		}
		if limit > 0 {
			if n > limit {
				return faultAt(at, "chunk %q of %d bytes: want at most %d", kind, n, limit)
			}
			body := make([]byte, n+4)
			if err := readAt(p.src, body, at+8, "a chunk of the picture"); err != nil {
				return err
			}
			sum := crc32.Update(crc32.ChecksumIEEE(head[4:]), crc32.IEEETable, body[:n])
			if sum != binary.BigEndian.Uint32(body[n:]) {
				return faultAt(at+8+n, "the checksum of chunk %q is wrong: the file is damaged", kind)
			}
			if err := p.keep(kind, body[:n], at); err != nil || headerOnly {
				return err
			}
		}
		at += 12 + n
	}
}

func (p *pngHeader) keep(kind string, body []byte, at int64) error {
	switch kind {
	case "PLTE":
		if len(body)%3 != 0 {
			return faultAt(at, "a palette of %d bytes: want three for each colour", len(body))
		}
		p.palette = body
		return nil
	case "tRNS":
		if p.colour == 3 {
			p.alphas = body
			return nil
		}
		if len(body) != 2*p.stored || p.colour&4 != 0 {
			return faultAt(at, "chunk \"tRNS\" of %d bytes in a picture of colour type %d: no PNG has this", len(body), p.colour)
		}
		p.key = body
		return nil
	}
	if len(body) != 13 || p.width != 0 {
		return faultAt(at, "the header has %d bytes, or comes twice: want 13, once", len(body))
	}
	p.width, p.height = int64(binary.BigEndian.Uint32(body)), int64(binary.BigEndian.Uint32(body[4:]))
	p.depth, p.colour, p.interlaced = int(body[8]), body[9], body[12] == 1
	if p.width < 1 || p.height < 1 || p.width > 1<<31-1 || p.height > 1<<31-1 {
		return faultAt(at+8, "a picture of %d by %d pixels: want 1 to 2^31-1 each", p.width, p.height)
	}
	if int(p.colour) < len(storedSamples) {
		p.stored = storedSamples[p.colour]
	}
	legal := p.depth == 8 || p.depth == 16 && p.colour != 3 || (p.colour == 0 || p.colour == 3) && (p.depth == 1 || p.depth == 2 || p.depth == 4)
	if p.stored == 0 || !legal || body[10] != 0 || body[11] != 0 || body[12] > 1 {
		return faultAt(at+16, "colour type %d with %d bits, methods %d, %d, %d: no PNG has these", p.colour, p.depth, body[10], body[11], body[12])
	}
	return nil
}

func (p *pngHeader) open() (io.Reader, error) {
	if p.interlaced {
		return p.interlacedPicture()
	}
	z, err := p.unzip()
	return &pngRows{p: p, z: z, width: p.width, rows: p.height}, err
}

// unzip opens the compressed data.
func (p *pngHeader) unzip() (io.Reader, error) {
	if p.colour == 3 && len(p.palette) == 0 {
		return nil, fmt.Errorf("the picture has no palette")
	}
	z, err := zlib.NewReader(&dataReader{src: p.src, chunks: p.data})
	if err != nil {
		return nil, inData(err)
	}
	return z, nil
}

func inData(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the compressed data of the picture end too early")
	}
	return fmt.Errorf("the compressed data of the picture: %w", err)
}

// dataReader joins the data of the IDAT chunks and checks their sums.
type dataReader struct {
	src    io.ReaderAt
	chunks []chunk
	done   int64 // bytes of the first chunk
	sum    uint32
}

func (d *dataReader) Read(b []byte) (int, error) {
	for len(d.chunks) > 0 {
		c := d.chunks[0]
		if d.done == 0 {
			d.sum = crc32.ChecksumIEEE([]byte("IDAT"))
		}
		n := min(int64(len(b)), c.bytes-d.done)
		if n > 0 {
			if err := readAt(d.src, b[:n], c.at+8+d.done, "the picture's data"); err != nil {
				return 0, err
			}
			d.sum = crc32.Update(d.sum, crc32.IEEETable, b[:n])
			d.done += n
		}
		if d.done == c.bytes {
			var want [4]byte
			if err := readAt(d.src, want[:], c.at+8+c.bytes, "a checksum"); err != nil {
				return 0, err
			}
			if d.sum != binary.BigEndian.Uint32(want[:]) {
				return 0, faultAt(c.at+8+c.bytes, "the checksum of the picture's data is wrong: the file is damaged")
			}
			d.chunks, d.done = d.chunks[1:], 0
		}
		if n > 0 {
			return int(n), nil
		}
	}
	return 0, io.EOF
}

// pngRows undoes the filters of rows of one width.
type pngRows struct {
	p          *pngHeader
	z          io.Reader
	width      int64
	rows       int64 // left
	row, above []byte
	stored     []uint16 // the samples of the row, for unpack and colours
	out        []byte   // the row unpacked
	rest       []byte   // of out, not yet returned
}

func (r *pngRows) Read(b []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.rows == 0 {
			return 0, r.end()
		}
		if err := r.next(); err != nil {
			return 0, err
		}
		if err := r.unpack(); err != nil {
			return 0, err
		}
		r.rest = r.out
	}
	n := copy(b, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// end checks that the stream ends here, sum included.
func (r *pngRows) end() error {
	var more [1]byte
	switch n, err := io.ReadFull(r.z, more[:]); {
	case n > 0:
		return fmt.Errorf("the picture has compressed data after its last row")
	case err != io.EOF:
		return inData(err)
	}
	return io.EOF
}

// next reads a row and undoes its filter.
func (r *pngRows) next() error {
	n := int(r.p.rowBytes(r.width))
	if len(r.row) != n {
		r.row, r.above = make([]byte, n), make([]byte, n)
	} else {
		r.row, r.above = r.above, r.row
	}
	var filter [1]byte
	if _, err := io.ReadFull(r.z, filter[:]); err != nil {
		return inData(err)
	}
	if _, err := io.ReadFull(r.z, r.row); err != nil {
		return inData(err)
	}
	r.rows--
	return unfilter(filter[0], r.row, r.above, max(1, r.p.stored*r.p.depth/8))
}

// unfilter undoes a filter (PNG specification, section 9); left is the distance of
// the byte it refers to.
func unfilter(filter byte, row, above []byte, left int) error {
	switch filter {
	case 0:
	case 1:
		for i := left; i < len(row); i++ {
			row[i] += row[i-left]
		}
	case 2:
		for i := range row {
			row[i] += above[i]
		}
	case 3:
		for i := range row {
			a := 0
			if i >= left {
				a = int(row[i-left])
			}
			row[i] += byte((a + int(above[i])) / 2)
		}
	case 4:
		for i := range row {
			a, c := 0, 0
			if i >= left {
				a, c = int(row[i-left]), int(above[i-left])
			}
			row[i] += byte(paeth(a, int(above[i]), c))
		}
	default:
		return fmt.Errorf("filter %d in the picture's data: want 0 to 4", filter)
	}
	return nil
}

func paeth(a, b, c int) int {
	// The distances of a + b - c from a, b and c, without calls: this runs for every byte.
	pa, pb, pc := b-c, a-c, a+b-2*c
	if pa < 0 {
		pa = -pa
	}
	if pb < 0 {
		pb = -pb
	}
	if pc < 0 {
		pc = -pc
	}
	switch {
	case pa <= pb && pa <= pc:
		return a
	case pb <= pc:
		return b
	}
	return c
}

// samples returns the samples of the row as the file stores them.
func (r *pngRows) samples() []uint16 {
	n, depth := int(r.width)*r.p.stored, r.p.depth
	if cap(r.stored) < n {
		r.stored = make([]uint16, n)
	}
	out := r.stored[:n]
	switch depth {
	case 16:
		for i := range out {
			out[i] = uint16(r.row[2*i])<<8 | uint16(r.row[2*i+1])
		}
	case 8:
		for i := range out {
			out[i] = uint16(r.row[i])
		}
	default:
		for i := range out {
			at := i * depth
			out[i] = uint16(r.row[at/8]) >> (8 - depth - at%8) & (1<<depth - 1)
		}
	}
	return out
}

// unpack turns row into samples in out.
func (r *pngRows) unpack() error {
	p := r.p
	switch {
	case p.depth == 16:
		r.out = append(r.out[:0], r.row...)
		for i := 0; i+1 < len(r.out); i += 2 {
			r.out[i], r.out[i+1] = r.out[i+1], r.out[i]
		}
		return nil
	case p.depth == 8 && p.colour != 3:
		r.out = append(r.out[:0], r.row...)
		return nil
	}
	r.out = r.out[:0]
	top := 1<<p.depth - 1
	for _, s := range r.samples() {
		v := int(s)
		if p.colour == 0 {
			r.out = append(r.out, byte(v*255/top))
			continue
		}
		if 3*v+2 >= len(p.palette) {
			return fmt.Errorf("colour %d in the picture's data: its palette has %d", v, len(p.palette)/3)
		}
		r.out = append(r.out, p.palette[3*v:3*v+3]...)
		if p.alphas != nil {
			alpha := byte(255)
			if v < len(p.alphas) {
				alpha = p.alphas[v]
			}
			r.out = append(r.out, alpha)
		}
	}
	return nil
}

// pass is the first pixel of a pass and the distances of its pixels.
type pass struct{ x, y, dx, dy int64 }

// passes are the passes of an interlaced picture.
var passes = [7]pass{{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}}

// eachRow gives put the rows of all passes in the order of the file, row y of the picture
// with its pass.
func (p *pngHeader) eachRow(put func(r *pngRows, s pass, y int64) error) error {
	z, err := p.unzip()
	if err != nil {
		return err
	}
	list := passes[:]
	if !p.interlaced {
		list = []pass{{0, 0, 1, 1}}
	}
	var r *pngRows
	for _, s := range list {
		if s.x >= p.width || s.y >= p.height {
			continue
		}
		r = &pngRows{p: p, z: z, width: (p.width - s.x + s.dx - 1) / s.dx, rows: (p.height - s.y + s.dy - 1) / s.dy}
		for y := s.y; y < p.height; y += s.dy {
			if err := r.next(); err != nil {
				return err
			}
			if err := put(r, s, y); err != nil {
				return err
			}
		}
	}
	if err := r.end(); err != io.EOF {
		return err
	}
	return nil
}

// interlacedPicture puts the passes together.
func (p *pngHeader) interlacedPicture() (io.Reader, error) {
	pixel := int64(p.channels)
	if p.depth == 16 {
		pixel *= 2
	}
	picture := make([]byte, p.width*p.height*pixel)
	err := p.eachRow(func(r *pngRows, s pass, y int64) error {
		if err := r.unpack(); err != nil {
			return err
		}
		for k := range r.width {
			copy(picture[(y*p.width+s.x+k*s.dx)*pixel:][:pixel], r.out[k*pixel:])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return io.NewSectionReader(sliceAt(picture), 0, int64(len(picture))), nil
}

// sliceAt reads from memory.
type sliceAt []byte

func (s sliceAt) ReadAt(b []byte, at int64) (int, error) {
	if at >= int64(len(s)) {
		return 0, io.EOF
	}
	n := copy(b, s[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}
