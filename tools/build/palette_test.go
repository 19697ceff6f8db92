package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/render/model"
)

// TestStyleSheetsHaveThePalette: a meaning has one colour in the moving picture, in the
// posters and in the page, whose files repeat the palette of render/model: first light,
// then dark once or twice (for the choice of the reader and that of the system).
func TestStyleSheetsHaveThePalette(t *testing.T) {
	for file, tokens := range map[string]int{"style.css": 11, "embed.css": 5, "src/embed/svg.ts": 5, "src/drawing/plot.ts": 4} {
		data, err := os.ReadFile(filepath.Join("..", "..", "site", filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		data, _, _ = bytes.Cut(data, []byte("@media print")) // paper has colours of its own
		found := 0
		for c := range model.Magnitude {
			hits := regexp.MustCompile(`[\s{;](?:--)?`+c.Token()+`: ?"?(#\w+)`).FindAllSubmatch(data, -1)
			if len(hits) == 0 {
				continue
			}
			found++
			for i, hit := range hits {
				if want := fmt.Sprintf("#%06x", c.Hex(i > 0)); string(hit[1]) != want {
					t.Errorf("site/%s: --%s is %s at place %d, render/model/palette.go has %s", file, c.Token(), hit[1], i+1, want)
				}
			}
			if len(hits) < 2 {
				t.Errorf("site/%s: --%s has no dark colour", file, c.Token())
			}
		}
		if found != tokens {
			t.Errorf("site/%s has %d colours of the palette, want %d", file, found, tokens)
		}
	}
}

// TestInksFollowThePalette: the page's painters look colours up by their number.
func TestInksFollowThePalette(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "site", "src", "drawing", "inks.ts"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`TOKENS = \[(.*)\]`).FindSubmatch(data)
	if list == nil {
		t.Fatal("inks.ts has no list TOKENS")
	}
	var want []string
	for c := range model.Magnitude {
		want = append(want, c.Token())
	}
	if got := strings.Split(strings.ReplaceAll(string(list[1]), `"`, ""), ", "); !slices.Equal(got, want) {
		t.Errorf("inks.ts lists %v, render/model %v", got, want)
	}
}
