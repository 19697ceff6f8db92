package datafile

import (
	"bufio"
	"fmt"
	"io"
)

// maxPNMHeader bounds the text before the samples, comments included.
const maxPNMHeader = 1 << 14

// openPNM reads .pgm and .ppm, binary (P5, P6) or as text (P2, P3).
func openPNM(src io.ReaderAt, size int64) ([]Array, error) {
	start := make([]byte, min(size, maxPNMHeader))
	if err := readAt(src, start, 0, "the start of the picture"); err != nil {
		return nil, err
	}
	if len(start) < 3 || start[0] != 'P' || start[1] != '2' && start[1] != '3' && start[1] != '5' && start[1] != '6' {
		return nil, faultAt(0, "no picture of type P2, P3, P5 or P6: save it as .pgm or .ppm")
	}
	binary := start[1] >= '5'
	channels := int64(1)
	if start[1] == '3' || start[1] == '6' {
		channels = 3
	}
	s := scanText(string(start), 0)
	s.at = 2
	s.comments()
	width := s.number()
	s.comments()
	height := s.number()
	s.comments()
	maxAt := s.offset()
	maxValue := s.number()
	if s.err == nil && (maxValue < 1 || maxValue > 65535) {
		s.failAt(maxAt, "a largest sample of %d: want 1 to 65535", maxValue)
	}
	if s.err == nil && (!s.more() || !isSpace(s.peek())) {
		s.fail("the header does not end with a blank: the file is cut off or damaged")
	}
	if s.err != nil {
		return nil, s.err
	}
	t, at := U8, int64(s.at)+1
	if maxValue > 255 {
		t = U16
	}
	shape := []int64{height, width, channels}
	if channels == 1 {
		shape = shape[:2]
	}
	samples, ok := count(shape, 1<<40)
	if !ok || samples == 0 {
		return nil, faultAt(2, "a picture of %d by %d: want sides of at least 1 and at most 2^40 samples", width, height)
	}
	bytes := samples * int64(t.Bytes())
	if !binary {
		// Each sample takes a digit and a blank.
		if samples > size-at+1 {
			return nil, faultAt(size, "the picture is cut off: %d samples in %d bytes", samples, size-at)
		}
		return []Array{{Type: t, Shape: shape, Bytes: bytes, unpack: func() (io.Reader, error) {
			return &plainSamples{r: bufio.NewReader(io.NewSectionReader(src, at, size-at)), at: at, left: samples, t: t, maxValue: maxValue}, nil
		}}}, nil
	}
	switch have := size - at; {
	case have < bytes:
		return nil, faultAt(size, "the picture is cut off: its header announces %d bytes from byte %d, %d are there", bytes, at, have)
	case have > bytes+1:
		return nil, faultAt(at+bytes, "%d bytes follow the picture that the header announces", have-bytes)
	}
	swap := 0
	if t == U16 {
		swap = 2 // the format is big-endian
	}
	return []Array{section(src, "", t, shape, at, bytes, swap)}, nil
}

// comments passes over blanks and lines that start with #.
func (s *scanner) comments() {
	for s.skip(); s.peek() == '#'; s.skip() {
		for s.more() && s.peek() != '\n' {
			s.at++
		}
	}
}

// plainSamples reads samples written as text.
type plainSamples struct {
	r        *bufio.Reader
	at       int64 // in the file
	left     int64
	t        Type
	maxValue int64
}

func (p *plainSamples) Read(b []byte) (int, error) {
	n := 0
	for n+p.t.Bytes() <= len(b) {
		if p.left == 0 {
			if n == 0 {
				return 0, io.EOF
			}
			return n, nil
		}
		v, err := p.sample()
		if err != nil {
			return n, err
		}
		p.left--
		b[n] = byte(v)
		if p.t == U16 {
			b[n+1] = byte(v >> 8)
		}
		n += p.t.Bytes()
	}
	return n, nil
}

func (p *plainSamples) sample() (int64, error) {
	digits, v := 0, int64(0)
	for {
		c, err := p.r.ReadByte()
		if err == io.EOF && digits > 0 {
			return v, nil
		}
		if err == io.EOF {
			return 0, faultAt(p.at, "the picture is cut off: %d samples are missing", p.left)
		}
		if err != nil {
			return 0, fmt.Errorf("reading samples: %w", err)
		}
		p.at++
		switch {
		case c >= '0' && c <= '9':
			digits++
			if v = v*10 + int64(c-'0'); v > p.maxValue {
				return 0, faultAt(p.at-1, "a sample above the largest, %d", p.maxValue)
			}
		case !isSpace(c):
			return 0, faultAt(p.at-1, "%q is not a sample: want digits", c)
		case digits > 0:
			return v, nil
		}
	}
}
