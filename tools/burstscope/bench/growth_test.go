package bench

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// TestGrowth measures three short lines: the points are those that were asked for, on as many SMs, and
// the chart is XML with a mark for each of them.
func TestGrowth(t *testing.T) {
	t.Parallel()
	lines := []growthLine{
		{growthInstructions, "matmul", "mini", []int{32, 64}, []int{0}},
		{growthInstructions, "transpose", "mini", []int{64}, []int{0}},
		{growthOfSMs, "dct", "a100", []int{256}, []int{4, 8}},
	}
	points, err := grown(lines, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(points) != 5 {
		t.Fatalf("%d points, want 5", len(points))
	}
	for i, p := range points {
		if p.WarpInstructions == 0 || p.Cycles == 0 || p.Nanoseconds <= 0 {
			t.Errorf("point %d: %+v", i, p)
		}
	}
	small, large := points[0], points[1]
	if large.WarpInstructions < 6*small.WarpInstructions { // the cube of the size
		t.Errorf("matmul executes %d and then %d warp instructions", small.WarpInstructions, large.WarpInstructions)
	}
	few, many := points[3], points[4]
	if few.SMs != 4 || many.SMs != 8 || few.WarpInstructions != many.WarpInstructions || few.Cycles <= many.Cycles {
		t.Errorf("4 SMs: %+v\n8 SMs: %+v", few, many)
	}
	picture := drawGrowth(points)
	marks := 0
	for d := xml.NewDecoder(strings.NewReader(picture)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "circle" {
			marks++
		}
	}
	if marks != 5 || !strings.Contains(picture, "dct 256 on a100 with 8 SMs") {
		t.Errorf("%d marks:\n%s", marks, picture)
	}
}
