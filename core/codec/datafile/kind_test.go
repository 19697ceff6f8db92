package datafile

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"
)

const (
	lfsPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\nsize 4976698672\n"
	webPage    = "<!DOCTYPE html>\n<html><head><title>Error 404</title></head></html>\n"
)

// torchArchive is a checkpoint as torch.save writes it: an archive with a pickle.
func torchArchive(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"model/data.pkl", "model/byteorder", "model/data/0"} {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name})
		if err == nil {
			_, err = w.Write([]byte("\x80\x02}q\x00."))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file is what its contents are, and its name agrees, or it is refused by name.
func TestKinds(t *testing.T) {
	data := ramp(256)
	npy := npyFile("<f4", "(64,)", data)
	tensors := tensorFile(`{"a":{"dtype":"U8","shape":[256],"data_offsets":[0,256]}}`, data)
	arrays := npzFile(t, zip.Deflate, npy)
	pgm := append([]byte("P5 16 16 255\n"), data...)
	gzip := append([]byte("\x1f\x8b\x08\x08"), data...)
	for _, c := range []struct {
		name string
		file []byte
		o    Options
		want string // the format, or the error
	}{
		// What the contents are, under every name that says the same or nothing.
		{"a.npy", npy, Options{}, NPY}, {"A.NPY", npy, Options{}, NPY}, {"dir/a.b.npy", npy, Options{}, NPY}, {"", npy, Options{}, NPY}, {"a.bin", npy, Options{}, NPY}, {"a", npy, Options{}, NPY},
		{"a.npz", arrays, Options{}, NPZ}, {"a.zip", arrays, Options{}, NPZ}, {"a.safetensors", tensors, Options{}, SafeTensors}, {"a.ppm", pgm, Options{}, PNM}, {"blob", tensors, Options{}, SafeTensors},
		// Raw bytes: nobody knows better, or somebody asked.
		{"a.bin", data, Options{}, Raw}, {"a.raw", data, Options{}, Raw}, {"a.dat", data, Options{}, Raw}, {"a", data, Options{}, Raw}, {"a.f32", data, Options{}, Raw}, {"notes.txt", []byte("P5 is a postcode"), Options{}, Raw},
		{"a.npy", npy, Options{Format: Raw}, Raw}, {"a.safetensors", []byte(lfsPointer), Options{Format: Raw}, Raw}, {"a.wav", append([]byte("RIFF\x00\x00\x00\x00WAVE"), data...), Options{Type: I16, Offset: 44}, Raw}, {"a.h5", data, Options{Type: F32}, Raw},
		// Files that stand for others.
		{"a.safetensors", []byte(lfsPointer), Options{}, "this is a Git LFS pointer: run git lfs pull"},
		{"a.bin", []byte(lfsPointer), Options{}, "Git LFS pointer"}, {"", []byte(lfsPointer), Options{}, "Git LFS pointer"}, {"a.npy", []byte("\xef\xbb\xbf" + lfsPointer), Options{}, "Git LFS pointer"},
		{"a.npy", []byte(lfsPointer), Options{Type: F32}, "Git LFS pointer"}, {"a.npy", []byte(lfsPointer), Options{Format: NPY}, "Git LFS pointer"},
		{"a.bin", []byte("/annex/objects/SHA256E-s1--00.bin\n"), Options{}, "git annex get"}, {"a.npy.dvc", []byte("outs:\n- md5: 00\n"), Options{}, "dvc pull"},
		{"a.safetensors", []byte(webPage), Options{}, "this is a web page: download the file itself"}, {"a.npz", []byte("\n  <HTML lang=en>"), Options{}, "a web page"}, {"a", []byte("\xef\xbb\xbf<!doctype html>"), Options{}, "a web page"},
		{"a.npy", []byte(`<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`), Options{}, "XML text"},
		{"a.safetensors", []byte(`{"error":"Repository not found"}`), Options{}, "this is JSON text"},
		// One format under the name of another.
		{"a.safetensors", npy, Options{}, "this is a NumPy array, and its name says a safetensors file: rename it"},
		{"a.npy", tensors, Options{}, "this is a safetensors file, and its name says a NumPy array"}, {"a.png", pgm, Options{}, "this is a Netpbm picture, and its name says a PNG picture"},
		{"a.npy", arrays, Options{}, "a NumPy archive, and its name says a NumPy array"}, {"a.pt", npy, Options{}, "a NumPy array, and its name says a PyTorch checkpoint"},
		{"a.npy", tensors, Options{Format: NPY}, "this is a safetensors file: say that it has the format safetensors"},
		// Known names with unknown contents go to the reader of the name, which says what is wrong.
		{"a.npy", data, Options{}, "byte 0: no .npy header"}, {"a.npz", data, Options{}, "the directory of the archive cannot be read"}, {"a.safetensors", data[:3], Options{}, "is cut off: the file has 3 of its 8 bytes"},
		{"a.pgm", data, Options{}, "no picture of type P2"}, {"a.png", data, Options{}, "no PNG signature"}, {"a.npy", npy[:3], Options{}, "no .npy header"}, {"a.safetensors.index.json", data, Options{}, "want '{' in the index"},
		// Kinds that no format reads, by contents and by name.
		{"a.pt", torchArchive(t), Options{}, "a PyTorch checkpoint: load it with torch.load"}, {"pytorch_model.bin", torchArchive(t), Options{}, "a PyTorch checkpoint"}, {"a.npz", torchArchive(t), Options{}, "a PyTorch checkpoint"},
		{"a.pt", []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19."), Options{}, "a PyTorch checkpoint"}, {"a.pth", data, Options{}, "its name says that this is a PyTorch checkpoint"},
		{"a.pkl", []byte("\x80\x04\x95\x10\x00\x00\x00\x00\x00\x00\x00}"), Options{}, "a Python pickle"}, {"a.bin", []byte("\x80\x03]q\x00."), Options{}, "a Python pickle"},
		{"a.gguf", append([]byte("GGUF\x03\x00"), data...), Options{}, "a GGUF model: save its tensors as .safetensors"}, {"a.bin", append([]byte("GGUF\x03\x00"), data...), Options{}, "a GGUF model"},
		{"a.h5", append([]byte("\x89HDF\r\n\x1a\n"), data...), Options{}, "an HDF5 file"}, {"a.h5", data, Options{}, "says that this is an HDF5 file"}, {"a.mat", data, Options{}, "a MATLAB file"},
		{"a.npy.gz", gzip, Options{}, "compressed with gzip: unpack it first"}, {"a.npy", gzip, Options{}, "compressed with gzip"}, {"a.bin", gzip, Options{}, "compressed with gzip"}, {"a.tar", append(make([]byte, 257), "ustar\x0000"...), Options{}, "an archive: unpack"},
		{"a.zst", append([]byte("\x28\xb5\x2f\xfd"), data...), Options{}, "zstd"}, {"a.bz2", []byte("BZh91AY&SY"), Options{}, "bzip2"}, {"a.xz", append([]byte("\xfd7zXZ\x00"), data...), Options{}, "xz"},
		{"a.png", append([]byte("\xff\xd8\xff\xe0"), data...), Options{}, "a JPEG picture: save it as .png"}, {"a.jpg", data, Options{}, "a JPEG picture"}, {"a.pfm", data, Options{}, "a picture: save"}, {"a.wav", append([]byte("RIFF\x00\x00\x00\x00WAVE"), data...), Options{}, "a sound"},
		{"a.csv", []byte("1,2,3\n"), Options{}, "a table as text: save its numbers as .npy"}, {"a.json", []byte("[1, 2]"), Options{}, "JSON text"}, {"a.parquet", append([]byte("PAR1"), data...), Options{}, "a table in columns"},
		{"a.npy", npy, Options{Type: F32}, "a file of format npy states its element type and offset: leave both out"},
		{"a.zip", npzFile(t, zip.Store, data), Options{}, "no .npy header"},
	} {
		c.o.Name = c.name
		f, _, err := contents(c.file, c.o)
		switch {
		case err == nil && f.Format == c.want:
		case err == nil:
			t.Errorf("%q with %.20q, %+v: read as %s, want %s", c.name, c.file, c.o, f.Format, c.want)
		case !strings.Contains(err.Error(), c.want):
			t.Errorf("%q with %.20q, %+v: %v\nwant %s", c.name, c.file, c.o, err, c.want)
		}
	}
}

// Raw bytes are said to be such, and a file that stands for another one is never offered as
// raw bytes.
func TestRefusalsAndNotes(t *testing.T) {
	f, _, err := contents(ramp(100), Options{Name: "a.bin"})
	if err != nil || f.Title() != "raw bytes" || len(f.Notes) != 1 || f.Notes[0] != "read as raw bytes" {
		t.Errorf("%+v, %v", f, err)
	}
	f, _, err = contents(tensorFile(`{"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}`, ramp(3)), Options{})
	if err != nil || len(f.Notes) != 1 || f.Notes[0] != `elements of type "F4" in 1 of 2 arrays are counted as bytes` || f.Arrays[0].Counted != "F4" || f.Arrays[1].Counted != "" {
		t.Errorf("%+v, %v", f, err)
	}
	for text, raw := range map[string]bool{lfsPointer: false, webPage: false, "GGUF\x03": true} {
		var r *Refusal
		if _, _, err := contents([]byte(text), Options{}); !errors.As(err, &r) || r.Raw != raw {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if CheckRawName("out.bin") != nil || CheckRawName("out") != nil || CheckRawName("out.NPY") == nil || CheckRawName("a/out.safetensors") == nil {
		t.Error("names for raw bytes")
	}
}

// No signature of one kind hides another kind: the marks of each are found as that kind.
func TestMarksAreDistinct(t *testing.T) {
	for i := range kinds {
		for _, m := range kinds[i].marks {
			start := append(bytes.Repeat([]byte{0xa5}, m.at), m.text...)
			start = append(start, bytes.Repeat([]byte{0xa5}, 64)...)
			if got := kindOf(start); got != &kinds[i] {
				t.Errorf("%q of %s is taken for %v", m.text, kinds[i].title, got)
			}
		}
		for _, e := range kinds[i].endings {
			if got := kindNamed("a" + strings.ToUpper(e)); got != &kinds[i] {
				t.Errorf("a%s is taken for %v", e, got)
			}
		}
	}
}

// FuzzKind opens anything under any name: an error or blocks, and no kind that a format does
// not read.
func FuzzKind(f *testing.F) {
	for _, s := range []string{lfsPointer, webPage, "GGUF", "PK\x03\x04", `{"weight_map": {}}`, "P5 1 1 255\n1", "\x80\x02}q"} {
		for _, name := range []string{"", "a.npy", "a.safetensors", "a.safetensors.index.json", "a.bin", "a.zip"} {
			f.Add([]byte(s), name)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		file, err := Open(bytes.NewReader(data), int64(len(data)), Options{Name: name})
		if err == nil && file.Format == Raw && (kindOf(data[:min(len(data), startBytes)]) != nil || kindNamed(name) != nil) {
			t.Fatalf("%q with %q is read as raw bytes", name, data)
		}
	})
}
