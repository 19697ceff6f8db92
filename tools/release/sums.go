package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

const sumsFile = "SHA256SUMS"

// writeSums writes the hash of every file of the release, in the form that sha256sum -c reads.
func (m *maker) writeSums() error {
	entries, err := os.ReadDir(m.to) // in the order of their names
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range entries {
		sum, err := hashOf(filepath.Join(m.to, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, e.Name())
	}
	return m.write(sumsFile, []byte(b.String()))
}

func hashOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}
