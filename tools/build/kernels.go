package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/burstscope/burstscope/assets/kernels"
)

// The kernels of a shipped program are a file of their own, which the engine loads when a run
// needs it: in the engine the kernels of all programs would take 60 kB after brotli. The file is a
// script, because a worker loads a script at once, from every host and in a sandbox.

// packKernels writes kernels/NAME.js for every program; site/src/engine/worker.ts reads it.
func packKernels(stage string) error {
	folder := filepath.Join(stage, "kernels")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range kernels.Names() {
		ptx, cuda, err := kernels.Text(name)
		if err != nil {
			return err
		}
		data, err := json.Marshal(map[string]string{"ptx": ptx, "cuda": cuda})
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name+".js"), fmt.Appendf(nil, "self.burstscopeLoaded=%s;\n", data), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// kernelSums is the list that the engine compares the kernels with (wasm/engine/texts.go).
func kernelSums() (string, error) {
	var list strings.Builder
	for _, name := range kernels.Names() {
		ptx, cuda, err := kernels.Text(name)
		if err != nil {
			return "", err
		}
		sum := sha256.Sum256([]byte(ptx + cuda))
		fmt.Fprintf(&list, "%s=%x,", name, sum[:8])
	}
	return list.String(), nil
}
