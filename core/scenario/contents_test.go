package scenario

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/datafile"
)

// A scenario holds elements, as base64: the data of a whole file are refused where they stand.
func TestScenarioHoldsElements(t *testing.T) {
	t.Parallel()
	text := func(argument, texture string) []byte {
		e := func(s string) string {
			return base64.StdEncoding.EncodeToString([]byte(s + strings.Repeat("\x01", 256-len(s))))
		}
		return fmt.Appendf(nil, `{"workload":{"ptx":{"source":".version 6.0","entry":"k","args":[{"spec":"in:a","data":%q}],"textures":[{"name":"t","format":"u8","width":256,"data":%q}]}}}`, e(argument), e(texture))
	}
	const npy = "\x93NUMPY\x01\x00v\x00{'descr': '<f4'"
	for _, c := range []struct{ argument, texture, want string }{
		{"", "", ""},
		{"P5 16 16 255\n", "\x89PNG\r\n\x1a\n", ""}, // a kernel may decode pictures
		{npy, "", "workload.ptx.args[0].data: the data begin as a NumPy array does"},
		{"", npy, "workload.ptx.textures[0].data: the data begin as a NumPy array does"},
		{"\x40\x00\x00\x00\x00\x00\x00\x00{\"a\":", "", "a safetensors file"},
		{"version https://git-lfs.github.com/spec/v1\n", "", "a Git LFS pointer"},
	} {
		_, err := ParseJSON("s.json", text(c.argument, c.texture))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%.20q, %.20q: %v, want %q", c.argument, c.texture, err, c.want)
		}
	}
}

func TestContents(t *testing.T) {
	t.Parallel()
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8}
	npy := func(descr, order, shape string) []byte {
		header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s}", descr, order, shape)
		return append(append([]byte("\x93NUMPY\x01\x00"), byte(len(header)), 0), header+string(data)...)
	}
	for _, c := range []struct {
		file    []byte
		most    int64
		element string
		want    []byte
		err     string
	}{
		{npy("<f4", "False", "(2,)"), 8, "f32", data, ""},
		{npy(">u2", "False", "(4,)"), 8, "u16", []byte{2, 1, 4, 3, 6, 5, 8, 7}, ""},
		{npy("|b1", "False", "(8,)"), 8, "u8", data, ""},
		{npy("<c8", "False", "(1,)"), 8, "f32", data, ""},
		{data, 8, "", data, ""},
		{npy("<f4", "False", "(2,)"), 7, "", nil, "the array has 8 bytes: at most 7 are read"},
		{npy("<f4", "True", "(2, 1)"), 8, "f32", data, ""},
		{npy("<i2", "True", "(2, 2)"), 8, "", nil, "in Fortran's order"},
	} {
		f, err := datafile.Open(bytes.NewReader(c.file), int64(len(c.file)), datafile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, element, err := Contents(f, c.most)
		if !bytes.Equal(got, c.want) || element != c.element || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%.60q: % x of %q, %v; want % x of %q, %q", c.file, got, element, err, c.want, c.element, c.err)
		}
	}
}
