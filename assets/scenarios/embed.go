// Package scenarios holds the scenarios that ship with Burstscope: YAML, and the
// msgpack packed from it that the page loads. After editing one run
//
//	./build.sh update
package scenarios

import (
	"embed"
	"strings"
)

//go:embed *.yaml *.msgpack
var files embed.FS

// Names returns the names of all shipped scenarios; the first is the one to start
// with.
func Names() []string { return []string{"dct", "tp", "bs", "vecadd", "matmul"} }

// Packed returns the msgpack of a shipped scenario, nil if there is none of that
// name.
func Packed(name string) []byte { return read(name + ".msgpack") }

// Source returns its YAML.
func Source(name string) []byte { return read(name + ".yaml") }

func read(file string) []byte {
	if strings.ContainsAny(file, `/\`) {
		return nil
	}
	b, err := files.ReadFile(file)
	if err != nil {
		return nil
	}
	return b
}
