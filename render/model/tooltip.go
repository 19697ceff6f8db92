package model

// Tooltip writes a text beside a point, broken at " · " where it is too long.
func (s *Scene) Tooltip(text string, x, y float64) {
	const pad, line = 8, 16
	widest := min(s.W-2*margin, 420)
	var lines []string
	for rest := text; rest != ""; {
		cut := len(rest)
		for s.TextWidth(rest[:cut], textSize, false) > widest-2*pad {
			k := lastBreak(rest[:cut])
			if k <= 0 {
				break
			}
			cut = k
		}
		lines = append(lines, rest[:cut])
		rest = rest[cut:]
		if len(rest) >= len(wordBreak) && cut > 0 && rest[:len(wordBreak)] == wordBreak {
			rest = rest[len(wordBreak):]
		}
	}
	w := float64(0)
	for _, l := range lines {
		w = max(w, s.TextWidth(l, textSize, false))
	}
	w, h := w+2*pad, float64(len(lines))*line+pad
	bx := clamp(x+14, 2, max(2, s.W-w-2))
	by := y + 16
	if by+h > s.H-2 {
		by = y - h - 10
	}
	by = max(by, 2)
	s.fill(Ink, bx, by, w, h, 1).Radius = 4
	for i, l := range lines {
		s.text(Paper, l, bx+pad, by+float64(i)*line+16, textSize, Left)
	}
}

const wordBreak = " · "

func lastBreak(text string) int {
	for i := len(text) - len(wordBreak); i > 0; i-- {
		if text[i:i+len(wordBreak)] == wordBreak {
			return i
		}
	}
	return -1
}

// Brush marks the area between two points.
func (s *Scene) Brush(x1, y1, x2, y2 float64) {
	x, y := min(x1, x2), min(y1, y2)
	w, h := max(x1, x2)-x, max(y1, y2)-y
	s.fill(Accent, x, y, w, h, 0.15)
	s.shape(Outline, Accent, x, y, w, h, 1)
}
