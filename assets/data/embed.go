// Package data holds arrays of real models, pictures and measurements, cut out of packages that anyone can fetch, and
// what the codecs make of them. README.md says where each comes from; tools/datasets makes the files.
package data

import "embed"

// Lists are packages.csv, tensors.csv and ratios.csv.
//
//go:embed *.csv
var Lists embed.FS

// Arrays are a .safetensors file for each row of tensors.csv. A program that uses them carries the texts of their
// licences too.
//
//go:embed *.safetensors
var Arrays embed.FS
