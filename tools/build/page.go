package main

import (
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// copied are the kinds of files of site/ that are copied unchanged.
var copied = []string{".html", ".svg", ".png", ".ico", ".webmanifest", ".txt"}

// writePage copies the pages of site/ and writes the numbers of the default
// scenario into index.html.
func writePage(root, dist string) error {
	entries, err := os.ReadDir(filepath.Join(root, "site"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || !slices.Contains(copied, filepath.Ext(e.Name())) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, "site", e.Name()))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dist, e.Name()), data, 0o644); err != nil {
			return err
		}
	}
	poster, err := makePoster(root)
	if err != nil {
		return fmt.Errorf("the default scenario: %w", err)
	}
	if err := poster.write(dist); err != nil {
		return err
	}
	index := filepath.Join(dist, "index.html")
	page, err := os.ReadFile(index)
	if err != nil {
		return err
	}
	filled, err := fillPage(string(page), poster)
	if err != nil {
		return fmt.Errorf("index.html: %w", err)
	}
	return os.WriteFile(index, []byte(filled), 0o644)
}

// span is a place of index.html for one text: <!--poster:KEY-->neutral<!--/poster-->.
var span = regexp.MustCompile(`<!--poster:([\w.]+)-->([^<]*)<!--/poster-->`)

const (
	headMarker    = "<!--poster-head-->"
	figuresMarker = "<!--poster-figures-->"
	rowsMarker    = "<!--poster-rows-->"
)

// fillPage puts the poster into the page. A text without a place, or a place without a
// text, is an error: one of the two was renamed.
func fillPage(page string, p *poster) (string, error) {
	var faults []error
	used := map[string]bool{}
	page = span.ReplaceAllStringFunc(page, func(found string) string {
		key := span.FindStringSubmatch(found)[1]
		text, ok := p.Text[key]
		if !ok {
			faults = append(faults, fmt.Errorf("there is no text for the place %q in index.html", key))
		}
		used[key] = true
		return html.EscapeString(text)
	})
	for key := range p.Text {
		if !used[key] {
			faults = append(faults, fmt.Errorf("there is no place for %q", key))
		}
	}
	head, err := p.head()
	if err != nil {
		return "", err
	}
	for _, marker := range []struct{ mark, with string }{{headMarker, head}, {figuresMarker, p.figures()}, {rowsMarker, p.rows}} {
		if strings.Count(page, marker.mark) != 1 {
			faults = append(faults, fmt.Errorf("index.html must have the marker %s exactly once", marker.mark))
		}
		page = strings.Replace(page, marker.mark, marker.with, 1)
	}
	return page, errors.Join(faults...)
}
