package datafile

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

const (
	// maxEntries bounds the arrays of an archive.
	maxEntries = 1 << 16
	// inflateRatio is the most that DEFLATE can expand (RFC 1951: 258 bytes for two
	// bits of an ideal code).
	inflateRatio = 1032
	inflateSlack = 1 << 10
	// maxArchiveBytes bounds the arrays of an archive together, unpacked. At the 100 MB a
	// second that a survey reads, more would take over ten minutes of unpacking zeros.
	maxArchiveBytes = 64 << 30
)

func openNPZ(src io.ReaderAt, size int64) ([]Array, error) {
	z, err := zip.NewReader(src, size)
	if err != nil {
		return nil, faultAt(size, "the directory of the archive cannot be read (%v): the file is cut off or damaged", err)
	}
	if len(z.File) > maxEntries {
		return nil, faultAt(0, "%d entries in the archive: at most %d are read", len(z.File), maxEntries)
	}
	if err := checkEntries(z.File, size); err != nil {
		return nil, err
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

// checkEntries refuses a directory whose entries share a name or bytes of the file: a
// small file could name one member thousands of times. It also bounds their sum.
func checkEntries(files []*zip.File, size int64) error {
	names := make(map[string]bool, len(files))
	extents := make([]extent, 0, len(files))
	total := uint64(0)
	for _, f := range files {
		if names[f.Name] {
			return fmt.Errorf("two entries of the archive are named %.40q: save each array once", f.Name)
		}
		names[f.Name] = true
		begin, err := f.DataOffset()
		if err != nil {
			return fmt.Errorf("entry %.40q of the archive cannot be found (%w): the file is damaged", f.Name, err)
		}
		if f.CompressedSize64 > uint64(size) || begin > size-int64(f.CompressedSize64) {
			return faultAt(begin, "entry %.40q announces %d bytes from here on, and the file ends at byte %d: the file is cut off or damaged", f.Name, f.CompressedSize64, size)
		}
		if f.UncompressedSize64 > maxArchiveBytes-total {
			return fmt.Errorf("the arrays of the archive unpack to more than %d bytes: save them as .npy files, or in several archives", int64(maxArchiveBytes))
		}
		total += f.UncompressedSize64
		extents = append(extents, extent{begin, begin + int64(f.CompressedSize64), len(extents)})
	}
	sortExtents(extents)
	for i := 1; i < len(extents); i++ {
		if before, e := extents[i-1], extents[i]; e.begin < before.end {
			return faultAt(e.begin, "entries %.40q and %.40q of the archive share bytes: the file is damaged, or made to waste time", files[before.index].Name, files[e.index].Name)
		}
	}
	return nil
}

// extent is the range of bytes of one part of a file.
type extent struct {
	begin, end int64
	index      int // of the part
}

func sortExtents(list []extent) {
	slices.SortStableFunc(list, func(a, b extent) int { return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.end, b.end)) })
}

func openEntry(f *zip.File) (Array, error) {
	name, ok := strings.CutSuffix(f.Name, ".npy")
	if !ok {
		return Array{}, fmt.Errorf("entry %q of the archive is not a .npy file", f.Name)
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
	a := Array{Name: name, Type: h.t, Shape: h.shape, Bytes: h.bytes, Fortran: h.isFortran()}
	a.unpack = func() (io.Reader, error) {
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
