package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
)

// tensorMark stands between a file of tensors and the name of one.
const tensorMark = ".safetensors#"

// tensorElements are the elements of buffers that those of tensors are. Both formats of 8-bit floats are f8 in a
// file of tensors' list, so they are left to the argument's own rule.
var tensorElements = map[datafile.Type]string{
	datafile.U8: "u8", datafile.I8: "s8", datafile.U16: "u16", datafile.I16: "s16", datafile.F16: "f16", datafile.BF16: "bf16",
	datafile.U32: "u32", datafile.I32: "s32", datafile.F32: "f32", datafile.U64: "u64", datafile.I64: "s64", datafile.F64: "f64",
}

// readInput reads a file, or one tensor of it: FILE.safetensors#NAME. element is "" if the file does not tell.
func readInput(name string) (data []byte, element string, err error) {
	before, tensor, ok := strings.Cut(name, tensorMark)
	if !ok {
		data, err = readFile(name, maxBufferBytes)
		return data, "", err
	}
	file := before + strings.TrimSuffix(tensorMark, "#")
	f, err := os.Open(file)
	if err != nil {
		return nil, "", fileError("cannot read", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, "", fileError("cannot read", err)
	}
	if tensor == "" {
		return nil, "", fmt.Errorf("%s: name a tensor of it: %s", name, name+"NAME")
	}
	list, err := datafile.Open(f, info.Size(), datafile.Options{Format: datafile.SafeTensors, Array: tensor})
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	if list.Bytes > maxBufferBytes {
		return nil, "", fmt.Errorf("%s: tensor %q has %d bytes: at most %d are read", file, tensor, list.Bytes, maxBufferBytes)
	}
	stream, err := list.Arrays[0].Stream()
	if err == nil {
		data, err = io.ReadAll(stream)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", file, err)
	}
	return data, tensorElements[list.Arrays[0].Type], nil
}
