// Package lessons holds the lessons that ship with Burstscope: scenarios with text, as
// YAML, and the msgpack packed from it. After editing one run
//
//	./build.sh update
//
// README.md says how to write one.
package lessons

import (
	"embed"
	"strings"
)

//go:embed *.yaml *.msgpack
var files embed.FS

// Names returns the names of all lessons in the order in which they are best taken.
func Names() []string {
	return []string{"burst", "huffman", "error", "latency", "predict", "neighbour"}
}

// Packed returns the msgpack of a lesson, nil if there is none of that name.
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
