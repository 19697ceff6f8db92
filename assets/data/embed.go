// Package data holds arrays of real models, pictures and measurements, cut out of packages that anyone can fetch, and
// what the codecs make of them. README.md says where each comes from; tools/datasets makes the files.
package data

import "embed"

// Files are packages.csv, tensors.csv, ratios.csv, and a .safetensors file for each row of tensors.csv.
//
//go:embed *.csv *.safetensors
var Files embed.FS
