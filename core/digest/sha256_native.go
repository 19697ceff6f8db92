//go:build !wasm

package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
)

// SHA256 hashes the bytes written to it. Make it with New; the zero value is not ready.
type SHA256 struct{ of hash.Hash }

// New returns a hash without input.
func New() *SHA256 { return &SHA256{sha256.New()} }

// Write adds b to the input.
func (h *SHA256) Write(b []byte) { h.of.Write(b) }

// Hex ends the hash and returns its 64 hexadecimal digits.
func (h *SHA256) Hex() string { return hex.EncodeToString(h.of.Sum(nil)) }
