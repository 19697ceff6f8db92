// Package npm reads packages of npm as the registry has them.
package npm

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
)

// fileBytesMax bounds a file of a package [ours]: ten times the largest that the page needs.
const fileBytesMax = 1 << 20

// File is a file of a package. All files of a package lie in one folder (docs.npmjs.com, npm pack).
type File struct {
	Name string // with its folder, such as package/LICENSE
	Data []byte
}

// Read returns the wanted files of a .tgz in its order. A wanted file of more than 1 MiB is an error.
// Errors about the contents do not name the path.
func Read(path string, wanted func(name string) bool) ([]File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, wanted)
}

func read(r io.Reader, wanted func(name string) bool) (files []File, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if !wanted(h.Name) {
			continue
		}
		if h.Size > fileBytesMax {
			return nil, fmt.Errorf("%s has %d bytes; at most %d are read", h.Name, h.Size, fileBytesMax)
		}
		data, err := io.ReadAll(t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
		files = append(files, File{h.Name, data})
	}
}
