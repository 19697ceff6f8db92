package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// entry is one file of an archive. Its name is slash-separated and relative.
type entry struct {
	name string
	mode fs.FileMode
	data []byte
}

// Modes of entries: nobody's umask shows in an archive.
const (
	plain   fs.FileMode = 0o644
	program fs.FileMode = 0o755
)

// ordered returns the entries in the order of their names, so that the order in which a host lists a folder does not
// show. It refuses names that would leave the folder of the archive, and two entries of one name.
func ordered(list []entry) ([]entry, error) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	for i, e := range list {
		if !fs.ValidPath(e.name) || e.name == "." {
			return nil, fmt.Errorf("%q is not a name inside an archive", e.name)
		}
		if i > 0 && list[i-1].name == e.name {
			return nil, fmt.Errorf("two entries have the name %s", e.name)
		}
	}
	return list, nil
}

// below puts every entry into a folder.
func below(folder string, list []entry) []entry {
	moved := slices.Clone(list)
	for i := range moved {
		moved[i].name = path.Join(folder, moved[i].name)
	}
	return moved
}

// writeTar writes entries with one time and without an owner. Folders have no entries of their own: every tar makes
// them.
func writeTar(out io.Writer, list []entry, at time.Time) error {
	list, err := ordered(list)
	if err != nil {
		return err
	}
	w := tar.NewWriter(out)
	for _, e := range list {
		h := tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(e.data)), ModTime: at, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		if _, err := w.Write(e.data); err != nil {
			return err
		}
	}
	return w.Close()
}

// packTarGz is a tar file, compressed. The header of gzip holds neither a name nor a time.
func packTarGz(list []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if err := writeTar(packed, list, at); err != nil {
		return nil, err
	}
	err = packed.Close()
	return b.Bytes(), err
}

// packZip is a zip file with the times in UTC.
func packZip(list []entry, at time.Time) ([]byte, error) {
	list, err := ordered(list)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range list {
		h := zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at.UTC()}
		h.SetMode(e.mode)
		to, err := w.CreateHeader(&h)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(e.data); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

// readFolder returns the regular files below a folder that keep accepts, by their paths in it.
func readFolder(folder string, keep func(name string) bool) ([]entry, error) {
	var list []entry
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !keep(name) {
			return err
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is not a regular file", name)
		}
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		list = append(list, entry{name, plain, data})
		return err
	})
	return list, err
}
