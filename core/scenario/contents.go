package scenario

import (
	"fmt"
	"io"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/fault"
)

// elementNames are the types of buffers that the types of files are. A complex number is a
// pair of floats. Both formats of 8-bit floats are f8 in a file's list, so their buffers keep
// the type of the argument's own rule.
var elementNames = map[datafile.Type]string{
	datafile.U8: "u8", datafile.I8: "s8", datafile.Bool: "u8",
	datafile.U16: "u16", datafile.I16: "s16", datafile.F16: "f16", datafile.BF16: "bf16",
	datafile.U32: "u32", datafile.I32: "s32", datafile.F32: "f32",
	datafile.U64: "u64", datafile.I64: "s64", datafile.F64: "f64",
	datafile.C64: "f32", datafile.C128: "f64",
}

// Contents returns the elements of the only array of a file, little-endian, for a buffer or
// a texture of at most so many bytes. element is their type, "" if the file does not tell.
func Contents(f *datafile.File, most int64) (data []byte, element string, err error) {
	if len(f.Arrays) > 1 {
		const some = 8
		var names []string
		for i := range f.Arrays[:min(len(f.Arrays), some)] {
			names = append(names, fmt.Sprintf("%.80q", f.Arrays[i].Name))
		}
		if len(f.Arrays) > some {
			names = append(names, "...")
		}
		return nil, "", fmt.Errorf("the file has %d arrays, %s: name one", len(f.Arrays), strings.Join(names, ", "))
	}
	a := &f.Arrays[0]
	switch {
	case a.Fortran:
		return nil, "", fmt.Errorf("the array is in Fortran's order, column by column: save numpy.ascontiguousarray of it")
	case a.Bytes > most:
		return nil, "", fmt.Errorf("the array has %d bytes: at most %d are read", a.Bytes, most)
	}
	stream, err := a.Stream()
	if err == nil {
		data = make([]byte, a.Bytes)
		_, err = io.ReadFull(stream, data)
	}
	if err != nil {
		return nil, "", err
	}
	if f.Format != datafile.Raw {
		element = elementNames[a.Type]
	}
	return data, element, nil
}

// checkContents refuses a buffer or a texture whose data are a whole file, header included.
// Somebody who writes a scenario by hand easily encodes the file instead of its elements.
func (s *Scenario) checkContents() error {
	if s.Workload.PTX == nil {
		return nil
	}
	var e fault.Errors
	check := func(path string, data Blob) {
		if title := datafile.HeaderIn(data); title != "" {
			e.Add(path, "the data begin as "+title+" does, and a kernel would read that as elements",
				"encode the elements alone")
		}
	}
	s.Workload.PTX.eachData(check)
	for i := range s.Workload.PTX.Textures {
		check(fmt.Sprintf("workload.ptx.textures[%d].data", i), s.Workload.PTX.Textures[i].Data)
	}
	return e.OrNil()
}
