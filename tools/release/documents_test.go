package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// The documents of a version are of this version: the list of changes begins with it, and it is what a paper cites.
func TestDocumentsAreOfThisVersion(t *testing.T) {
	version, err := versionOf("../..")
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) string {
		b, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if first := regexp.MustCompile(`(?m)^## (.+)$`).FindStringSubmatch(read(".github/CHANGES.md")); first == nil ||
		first[1] != version {
		t.Errorf(".github/CHANGES.md begins with %q, not with %s", first, version)
	}
	var cite struct {
		CFF     string `yaml:"cff-version"`
		Message string
		Title   string
		Version string
		License string
		Authors []map[string]string
	}
	if err := yaml.Unmarshal([]byte(read(".github/CITATION.cff")), &cite); err != nil {
		t.Fatal(err)
	}
	// What the format requires (Citation File Format 1.2.0), and the version.
	if cite.CFF != "1.2.0" || cite.Message == "" || cite.Title == "" || len(cite.Authors) == 0 ||
		cite.Version != version || cite.License != "Apache-2.0" {
		t.Errorf("%+v", cite)
	}
	readme := read("README.md")
	if n := len(strings.Fields(readme)); n > 600 {
		t.Errorf("README.md has %d words, and at most 600 are read", n)
	}
	for _, file := range regexp.MustCompile(`burst-?scope-(\d+\.\d+\.\d+)`).FindAllStringSubmatch(readme, -1) {
		if file[1] != version {
			t.Errorf("README.md installs version %s", file[1])
		}
	}
}
