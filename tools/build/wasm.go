package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// compileWasm compiles wasm/NAME to NAME.wasm. The go command's cache makes a
// build without changes cost about a second.
func compileWasm(root, dist, name string) error {
	file, err := filepath.Abs(filepath.Join(dist, name+".wasm"))
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "./wasm/"+name)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	return output(cmd)
}

// output runs a command whose words matter only if it fails.
func output(cmd *exec.Cmd) error {
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.Bytes())
	}
	return nil
}

// copyGlue copies the JavaScript that a Go program in a page needs; it belongs to
// the compiler that built the program and to no other.
func copyGlue(dist string) error {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("go env GOROOT: %w", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, "wasm_exec.js"), data, 0o644)
}
