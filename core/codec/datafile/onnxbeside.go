//go:build !wasm

package datafile

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
)

// onnxFiles are the files of a model whose tensors lie beside it.
type onnxFiles struct {
	beside opener
	opened map[string]shard
}

// onnxPlace is where a tensor lies in another file.
type onnxPlace struct{ file, offset, length string }

// read reads a pair of texts that says where a tensor in another file lies.
func (at *onnxPlace) read(m *onnxModel, p *protoMessage) {
	var pair [2]string
	m.each(p, func(field int, v protoValue) {
		if field == 1 || field == 2 {
			pair[field-1] = m.text(v)
		}
	})
	switch pair[0] {
	case "location":
		at.file = path.Clean(pair[1])
	case "offset":
		at.offset = pair[1]
	case "length":
		at.length = pair[1]
	}
}

// outside finds the bytes of a tensor in a file beside the model.
func (m *onnxModel) outside(a *Array, found *onnxFound, at int64) {
	file, files := found.place.file, &m.files
	f, ok := files.opened[file]
	if !ok && isBeside(file) && files.beside != nil && len(files.opened) < maxShards {
		var err error
		f.src, f.size, err = files.beside(file)
		if ok = err == nil; !ok && !errors.Is(err, fs.ErrNotExist) {
			m.err = fmt.Errorf("file %.80q of the model: %w", file, err)
			return
		}
		if ok {
			if files.opened == nil {
				files.opened = map[string]shard{}
			}
			files.opened[file] = f
		}
	}
	if !ok {
		m.failAt(at, "tensor %.40q lies in the file %.80q, which is not there: put it beside the model, "+
			"or save the model in one file", found.name, file)
		return
	}
	number := func(text string, otherwise int64) int64 {
		if text == "" {
			return otherwise
		}
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < 0 {
			m.failAt(at, "tensor %.40q lies at %.40q of another file, which is no number of bytes", found.name, text)
		}
		return n
	}
	offset, length := number(found.place.offset, 0), number(found.place.length, a.Bytes)
	if length != a.Bytes || offset > f.size-length {
		m.failAt(at, "tensor %.40q needs %d bytes at byte %d of the file %.80q, which has %d: it belongs to another model",
			found.name, a.Bytes, offset, file, f.size)
	}
	a.src, a.offset = f.src, offset
}
