// Package kernels holds the GPU programs that ship with Burstscope: CUDA C++
// sources and the PTX that clang made of them, without its comments. The PTX carries .loc directives, so
// an instruction can be shown with the CUDA line it came from.
//
// The PTX is committed; after editing a source run
//
//	./build.sh update
//
// Every command embeds the texts, except the page's engine: it is built with the tag "fetched"
// and fetches the text of a program when it needs it.
package kernels

// Fetch returns the texts in place of the embedded ones, if it is set.
var Fetch func(name string) (ptx, cuda string, err error)

// Text returns the kernels of a program as PTX and as CUDA.
func Text(name string) (ptx, cuda string, err error) {
	if Fetch != nil {
		return Fetch(name)
	}
	return embedded(name)
}
