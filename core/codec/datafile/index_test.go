package datafile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// folder opens files in memory.
func folder(files map[string][]byte) func(string) (io.ReaderAt, int64, error) {
	return func(name string) (io.ReaderAt, int64, error) {
		b, ok := files[name]
		if !ok {
			return nil, 0, fs.ErrNotExist
		}
		return bytes.NewReader(b), int64(len(b)), nil
	}
}

func oneTensor(name string, data []byte) []byte {
	return tensorFile(fmt.Sprintf(`{%q:{"dtype":"U8","shape":[%d],"data_offsets":[0,%d]}}`, name, len(data), len(data)), data)
}

// An index gives the tensors of its shards, in their order.
func TestIndex(t *testing.T) {
	data := ramp(300)
	files := map[string][]byte{
		"b.safetensors":   tensorFile(`{"x":{"dtype":"U8","shape":[100],"data_offsets":[0,100]},"empty":{"dtype":"U8","shape":[0],"data_offsets":[100,100]},"extra":{"dtype":"U8","shape":[28],"data_offsets":[100,128]}}`, data[:128]),
		"d/a.safetensors": oneTensor("y", data[128:]),
	}
	index := []byte(` {"metadata": {"total_size": 3e2, "list": [1, -2.5, true, null, {"a": []}, "\u00e9"]}, "weight_map": {"y": "d/a.safetensors", "x": "b.safetensors", "empty": "b.safetensors"}}` + "\n")
	for _, o := range []Options{{}, {Name: "model.safetensors.index.json"}, {Format: Index}} {
		o.Beside = folder(files)
		f, got, err := contents(index, o)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Concat(padded(data[:100]), padded(data[128:]))
		if f.Format != Index || !slices.Equal(f.Shards, []string{"b.safetensors", "d/a.safetensors"}) || !bytes.Equal(got, want) || f.Title() != "index of 2 safetensors files" {
			t.Errorf("%+v gives %+v", o, f)
		}
		if len(f.Notes) != 2 || f.Notes[1] != "1 tensors of the shards are not in the index: they are left out" {
			t.Errorf("notes %q", f.Notes)
		}
	}
}

func TestBadIndexes(t *testing.T) {
	data := ramp(100)
	files := map[string][]byte{
		"a.safetensors": oneTensor("a", data), "lfs.safetensors": []byte(lfsPointer), "cut.safetensors": oneTensor("a", data)[:90], "empty.safetensors": {}, "npy.safetensors": npyFile("|u1", "(100,)", data),
	}
	index := func(pairs string) string { return `{"weight_map": {` + pairs + `}}` }
	many := make([]string, maxShards+1)
	for i := range many {
		many[i] = fmt.Sprintf(`"t%d": "%d.safetensors"`, i, i)
	}
	for text, want := range map[string]string{
		index(`"a": "a.safetensors", "b": "2.safetensors", "c": "1.safetensors"`): "the index needs 3 files, and 2 of them are missing: put beside it 1.safetensors, 2.safetensors",
		index(strings.Join(many[:9], ",")):                                        "put beside it 0.safetensors, 1.safetensors, 2.safetensors, 3.safetensors, 4.safetensors and 4 more",
		index(strings.Join(many, ",")):                                            "more than 4096 files in the index",
		index(`"b": "a.safetensors"`):                                             `the index has tensor "b" in shard "a.safetensors", which has no such tensor`,
		index(`"a": "a.safetensors", "a": "a.safetensors"`):                       `byte 38: two tensors of the index are named "a"`,
		index(`"a": "lfs.safetensors"`):                                           `shard "lfs.safetensors" of the index: this is a Git LFS pointer`,
		index(`"a": "cut.safetensors"`):                                           `shard "cut.safetensors" of the index: byte 64: tensor "a" ends at byte 100 of the data`,
		index(`"a": "empty.safetensors"`):                                         "the file is empty",
		index(`"a": "npy.safetensors"`):                                           "this is a NumPy array",
		index(`"a": "../a.safetensors"`):                                          `byte 21: the index names the file "../a.safetensors": only files of its own folder`,
		index(`"a": "x/../../a.safetensors"`):                                     "only files of its own folder",
		index(`"a": "/a.safetensors"`):                                            "only files of its own folder",
		index(`"a": "..\\a.safetensors"`):                                         "only files of its own folder",
		index(`"a": "C:a.safetensors"`):                                           "only files of its own folder",
		index(`"a": "a.safetensors\u0000"`):                                       "only files of its own folder",
		index(`"a": ""`):                                                          "only files of its own folder",
		index(`"a": "pytorch_model.bin"`):                                         "only .safetensors files are read as shards",
		index(`"a": 5`):                                                           "byte 21: want a text in quotes in the index",
		index(`"a": "a.safetensors"`) + "x":                                       "'x' follows the last brace of the index",
		`{"weight_map": {"a": "a.safetensors"}, "weight_map": {}}`:                "weight_map twice",
		`{"weight_map": {}}`:                                                      "the index has no weight_map with tensors",
		`{"metadata": {"a": tru}, "weight_map": {}}`:                              `"tru" is not a JSON value`,
		`{"metadata": ` + strings.Repeat("[", 100) + `, "weight_map": {}}`:        "more than 32 values inside each other",
		`{"weight_map": {"a": "a.safetensors"`:                                    "the index ends where '}' belongs",
		"\xef\xbb\xbf" + index(`"a": "a.safetensors"`):                            "byte 0: the index begins with a byte order mark",
	} {
		_, _, err := contents([]byte(text), Options{Format: Index, Beside: folder(files)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: %v\nwant %s", text, err, want)
		}
	}
	_, _, err := contents([]byte(index(`"a": "a.safetensors"`)), Options{})
	if err == nil || !strings.Contains(err.Error(), "put beside it a.safetensors") {
		t.Errorf("without a folder: %v", err)
	}
}

func FuzzIndex(f *testing.F) {
	files := map[string][]byte{"a.safetensors": oneTensor("a", ramp(300)), "b.safetensors": oneTensor("b", ramp(3)), "lfs.safetensors": []byte(lfsPointer)}
	for _, s := range []string{
		`{"metadata": {"total_size": 303}, "weight_map": {"a": "a.safetensors", "b": "b.safetensors"}}`,
		`{"weight_map": {"a": "../a.safetensors"}}`, `{"x": [1, 2.5e-3, {"y": null}], "weight_map": {"a": "lfs.safetensors"}}`,
	} {
		f.Add([]byte(s))
		f.Add([]byte(s[:len(s)/2]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		beside := func(name string) (io.ReaderAt, int64, error) {
			if !fs.ValidPath(name) {
				t.Fatalf("%q is opened", name)
			}
			return folder(files)(name)
		}
		if _, _, err := contents(data, Options{Format: Index, Beside: beside}); err == nil && !json.Valid(data) {
			t.Fatalf("%q is not JSON", data)
		}
	})
}
