package disk

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/input"
)

// OpenData opens a file of data, and the shards beside it if it is an index; done closes
// them. Errors do not name the file.
func OpenData(name string, o datafile.Options) (f *datafile.File, done func(), err error) {
	var opened []*os.File
	done = func() {
		for _, f := range opened {
			f.Close()
		}
	}
	open := func(name string) (io.ReaderAt, int64, error) {
		f, size, err := input.Open(name)
		if err != nil {
			return nil, 0, err
		}
		opened = append(opened, f)
		return f, size, nil
	}
	o.Name = name
	o.Beside = func(shard string) (io.ReaderAt, int64, error) {
		return open(filepath.Join(filepath.Dir(name), filepath.FromSlash(shard)))
	}
	src, size, err := open(name)
	if err == nil {
		f, err = datafile.Open(src, size, o)
	}
	if err != nil {
		done()
		var other *datafile.Refusal
		if errors.As(err, &other) && other.Raw {
			err = fmt.Errorf("%w; --as raw takes its bytes as they are", err)
		}
		return nil, nil, err
	}
	return f, done, nil
}

// arrayMarks stand between a file with several arrays and the name of one.
var arrayMarks = []string{".safetensors#", ".npz#", ".safetensors.index.json#", ".onnx#", ".tflite#"}

// arrayOf splits FILE.npz#NAME.
func arrayOf(name string) (file, array string, named bool) {
	lower := strings.ToLower(name)
	for _, m := range arrayMarks {
		if i := strings.Index(lower, m); i >= 0 && len(lower) == len(name) {
			return name[:i+len(m)-1], name[i+len(m):], true
		}
	}
	return name, "", false
}

// ReadInput reads the contents of a buffer or a texture: the elements of a file's array, or
// its bytes if nothing else is known about it, or if raw asks for them. element is "" if the
// file does not tell.
func ReadInput(name string, raw bool) (data []byte, element string, err error) {
	file, array, named := arrayOf(name)
	if named && array == "" {
		return nil, "", fmt.Errorf("%s: name an array of it: %sNAME", name, name)
	}
	o := datafile.Options{Array: array}
	if raw {
		o.Format = datafile.Raw
	}
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil, "", fmt.Errorf("empty file: %s: a buffer needs at least one byte", file)
	}
	f, done, err := OpenData(file, o)
	if err == nil {
		defer done()
		data, element, err = scenario.Contents(f, maxBufferBytes)
		if err != nil && len(f.Arrays) > 1 {
			err = fmt.Errorf("%w: %s#NAME", err, file)
		}
	}
	if err != nil {
		return nil, "", DataFault(file, err)
	}
	return data, element, nil
}

// DataFault adds the file's name to an error, unless the error is about opening it.
func DataFault(name string, err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return Fault("cannot read", err)
	}
	return fmt.Errorf("%s: %w", name, err)
}
