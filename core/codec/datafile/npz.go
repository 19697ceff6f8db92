package datafile

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
)

const (
	// maxEntries bounds the arrays of an archive.
	maxEntries = 1 << 16
	// inflateRatio is the most that DEFLATE can expand (RFC 1951: 258 bytes for two
	// bits of an ideal code).
	inflateRatio = 1032
	inflateSlack = 1 << 10
)

func openNPZ(src io.ReaderAt, size int64) ([]Array, error) {
	z, err := zip.NewReader(src, size)
	if err != nil {
		return nil, faultAt(size, "the directory of the archive cannot be read (%v): the file is cut off or damaged", err)
	}
	if len(z.File) > maxEntries {
		return nil, faultAt(0, "%d entries in the archive: at most %d are read", len(z.File), maxEntries)
	}
	var arrays []Array
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		a, err := openEntry(f)
		if err != nil {
			return nil, err
		}
		arrays = append(arrays, a)
	}
	return arrays, nil
}

func openEntry(f *zip.File) (Array, error) {
	name, ok := strings.CutSuffix(f.Name, ".npy")
	if !ok {
		return Array{}, fmt.Errorf("entry %q of the archive is no .npy file", f.Name)
	}
	fail := func(err error) (Array, error) { return Array{}, fmt.Errorf("array %s: %w", name, err) }
	switch {
	case f.Flags&1 != 0:
		return fail(fmt.Errorf("it is encrypted: save it without a password"))
	case f.Method != zip.Store && f.Method != zip.Deflate:
		return fail(fmt.Errorf("compression method %d: save it with savez or savez_compressed", f.Method))
	case f.UncompressedSize64 > f.CompressedSize64*inflateRatio+inflateSlack:
		return fail(fmt.Errorf("%d bytes cannot hold the %d that the directory announces", f.CompressedSize64, f.UncompressedSize64))
	}
	r, err := f.Open()
	if err != nil {
		return fail(err)
	}
	defer r.Close()
	h, err := readNPY(r, 0)
	if err != nil {
		return fail(err)
	}
	if uint64(h.at)+uint64(h.bytes) != f.UncompressedSize64 {
		return fail(faultAt(h.at, "its header announces %d bytes from here, the entry has %d in all", h.bytes, f.UncompressedSize64))
	}
	a := Array{Name: name, Type: h.t, Shape: h.shape, Bytes: h.bytes}
	a.open = func() (io.Reader, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		if _, err := io.CopyN(io.Discard, r, h.at); err != nil {
			return nil, err
		}
		if swap := h.swap(); swap > 1 {
			return newSwapper(r, swap), nil
		}
		return r, nil
	}
	return a, nil
}
