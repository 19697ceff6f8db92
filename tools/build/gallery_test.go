package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/assets/kernels"
)

// TestGallery: the page of kernels and codecs names each shipped kernel with the hash of its text and a link that forks
// it, and every module with the hash of the file that lies beside the page.
func TestGallery(t *testing.T) {
	dist := t.TempDir()
	if err := writeGallery("../..", dist); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dist, "gallery", "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range kernels.Names() {
		ptx, _, err := kernels.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		hash := fmt.Sprintf("%x", sha256.Sum256([]byte(ptx)))
		if !strings.Contains(string(page), hash) || !strings.Contains(string(page), "kernel.from="+name+`"`) {
			t.Errorf("%s: no hash %s, or no link that forks it", name, hash)
		}
	}
	for _, m := range modules {
		for _, file := range []string{m.Module, filepath.Base(m.Source)} {
			data, err := os.ReadFile(filepath.Join(dist, "gallery", file))
			if err != nil {
				t.Fatal(err)
			}
			if hash := fmt.Sprintf("%x", sha256.Sum256(data)); !strings.Contains(string(page), hash) {
				t.Errorf("the page lacks %s of %s", hash, file)
			}
		}
	}
}
