package npm

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
)

// packed is a package with a licence, a script and a file of a stated size.
func packed(t *testing.T, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range []File{
		{"package/LICENSE", []byte("free")}, {"package/index.js", []byte("1")}, {"package/large.js", make([]byte, size)},
	} {
		if err := w.WriteHeader(&tar.Header{Name: f.Name, Mode: 0o644, Size: int64(len(f.Data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.Data); err != nil {
			t.Fatal(err)
		}
	}
	if w.Close() != nil || z.Close() != nil {
		t.Fatal("the package cannot be packed")
	}
	return b.Bytes()
}

func isScript(name string) bool { return strings.HasSuffix(name, ".js") }

func TestRead(t *testing.T) {
	files, err := read(bytes.NewReader(packed(t, fileBytesMax)), isScript)
	if err != nil || len(files) != 2 || files[0].Name != "package/index.js" || string(files[0].Data) != "1" {
		t.Fatal(files, err)
	}
	if len(files[1].Data) != fileBytesMax {
		t.Errorf("%d bytes of the large file", len(files[1].Data))
	}
}

// A package that is too large, cut off or something else is refused.
func TestRefused(t *testing.T) {
	whole := packed(t, 1)
	for what, b := range map[string][]byte{
		"large":        packed(t, fileBytesMax+1),
		"cut off":      whole[:len(whole)-20],
		"not a gzip":   []byte("PK"),
		"empty":        nil,
		"wrong header": append(bytes.Clone(whole[:10]), 1, 2, 3),
	} {
		if files, err := read(bytes.NewReader(b), isScript); err == nil {
			t.Errorf("%s: %d files", what, len(files))
		}
	}
	large := bytes.NewReader(packed(t, fileBytesMax+1))
	if _, err := read(large, func(name string) bool { return name == "package/LICENSE" }); err != nil {
		t.Errorf("a large file that is not wanted: %v", err)
	}
}
