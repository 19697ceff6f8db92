// Package kernels holds the GPU programs that ship with Burstscope: CUDA C++
// sources and the PTX that clang made of them. The PTX carries .loc directives, so
// an instruction can be shown with the CUDA line it came from.
//
// The PTX is committed; after editing a source run
//
//	go test ./assets/kernels -run Kernels -update
package kernels

import "embed"

//go:embed *.cu *.cuh *.ptx
var files embed.FS

// PTX returns the compiled kernels called name, nil if there are none.
func PTX(name string) []byte { return read(name + ".ptx") }

// CUDA returns their source, nil if there is none.
func CUDA(name string) []byte { return read(name + ".cu") }

func read(file string) []byte {
	b, err := files.ReadFile(file)
	if err != nil {
		return nil
	}
	return b
}
