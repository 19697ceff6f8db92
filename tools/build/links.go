package main

import (
	"fmt"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	linkOfDocument = regexp.MustCompile(`\s(?:href|src|srcset)="([^"]*)"`)
	scriptText     = regexp.MustCompile(`(?s)(<script[^>]*>).*?</script>`)
)

// checkLinks says which file a document of dist names that is not there. A reader's browser asks for each.
func checkLinks(dist string) error {
	return filepath.WalkDir(dist, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		document, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, found := range linkOfDocument.FindAllSubmatch(scriptText.ReplaceAll(document, []byte("$1")), -1) {
			link, err := url.Parse(strings.TrimSpace(html.UnescapeString(string(found[1]))))
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if link.Scheme != "" || link.Host != "" || link.Path == "" {
				continue // another site, data, or a place in the document
			}
			folder := filepath.Dir(name)
			if path.IsAbs(link.Path) {
				folder = dist
			}
			if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(link.Path))); err != nil {
				return fmt.Errorf("%s names %s: %w", name, link, err)
			}
		}
		return nil
	})
}
