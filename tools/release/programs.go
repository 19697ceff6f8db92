package main

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// target is a system and machine for which the command is compiled.
type target struct {
	os, arch string
	// wheel is the platform tag of a Python wheel (PyPA, platform compatibility tags). The program is static, so on Linux
	// it runs beside glibc and musl alike. Go 1.26 needs macOS 12 (go.dev/wiki/MinimumRequirements).
	wheel string
}

var targets = []target{
	{"linux", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
	{"linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
	{"darwin", "amd64", "macosx_12_0_x86_64"},
	{"darwin", "arm64", "macosx_12_0_arm64"},
	{"windows", "amd64", "win_amd64"},
	{"windows", "arm64", "win_arm64"},
}

// chosen are the targets of a list between commas, or all.
func chosen(list string) ([]target, error) {
	if list == "" {
		return targets, nil
	}
	var some []target
	for name := range strings.SplitSeq(list, ",") {
		i := slices.IndexFunc(targets, func(t target) bool { return t.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("-only names %.40q: use some of %v", name, targets)
		}
		some = append(some, targets[i])
	}
	return some, nil
}

func (t target) String() string { return t.os + "-" + t.arch }

func (t target) program() string {
	if t.os == "windows" {
		return "burstscope.exe"
	}
	return "burstscope"
}

// compile builds the command for a target below folder and returns its path. The program depends on the sources and
// the version of Go alone: no path, no state of git. The tag nogpu leaves out the calls of a GPU's driver, which need
// glibc.
func compile(root, folder string, t target, quick bool) (string, error) {
	to, err := filepath.Abs(filepath.Join(folder, t.String(), t.program()))
	if err != nil {
		return "", err
	}
	words := []string{"build", "-trimpath", "-buildvcs=false", "-tags=nogpu", "-ldflags=-s -w", "-o", to}
	if quick { // without the profile every package is compiled once for all programs
		words = append(words, "-pgo=off")
	}
	build := exec.Command("go", append(words, "./tools/burstscope")...)
	build.Dir = root
	// Settings of this machine must not show.
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=", "GOAMD64=v1",
		"GOARM64=v8.0", "GOEXPERIMENT=", "GOFIPS140=off")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", t, err, out)
	}
	return to, nil
}

// verify holds a compiled program against its target: by starting it where this machine can, and otherwise by its type.
func verify(path string, t target, version string) (how string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	how, err = formatOf(data, t)
	if err != nil {
		return "", err
	}
	command := []string{path}
	if t.os != runtime.GOOS || t.arch != runtime.GOARCH {
		emulator := map[string]string{"linux-arm64": "qemu-aarch64-static", "linux-amd64": "qemu-x86_64-static"}[t.String()]
		at, lookErr := exec.LookPath(emulator)
		if emulator == "" || lookErr != nil || runtime.GOOS != "linux" {
			return how + ", not started", nil
		}
		command = []string{at, path}
	}
	out, err := exec.Command(command[0], append(command[1:], "version")...).CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "burstscope "+version {
		return "", fmt.Errorf("%s: the program does not start: it says %.200q (%w)", t, got, err)
	}
	return how + ", started", nil
}

// formatOf reads the header of a program. On Linux it must name no interpreter, that is, be static.
func formatOf(data []byte, t target) (string, error) {
	r := bytes.NewReader(data)
	switch t.os {
	case "linux":
		f, err := elf.NewFile(r)
		if err != nil {
			return "", fmt.Errorf("%s: %w", t, err)
		}
		for _, p := range f.Progs {
			if p.Type == elf.PT_INTERP {
				return "", fmt.Errorf("%s: the program is not static: it names an interpreter", t)
			}
		}
		return "ELF, static", wrongMachine(t, f.Machine == map[string]elf.Machine{"amd64": elf.EM_X86_64,
			"arm64": elf.EM_AARCH64}[t.arch])
	case "darwin":
		f, err := macho.NewFile(r)
		if err != nil {
			return "", fmt.Errorf("%s: %w", t, err)
		}
		return "Mach-O", wrongMachine(t, f.Cpu == map[string]macho.Cpu{"amd64": macho.CpuAmd64,
			"arm64": macho.CpuArm64}[t.arch])
	}
	f, err := pe.NewFile(r)
	if err != nil {
		return "", fmt.Errorf("%s: %w", t, err)
	}
	const arm64, amd64 = pe.IMAGE_FILE_MACHINE_ARM64, pe.IMAGE_FILE_MACHINE_AMD64
	return "PE", wrongMachine(t, f.Machine == map[string]uint16{"amd64": amd64, "arm64": arm64}[t.arch])
}

func wrongMachine(t target, right bool) error {
	if right {
		return nil
	}
	return fmt.Errorf("%s: the program is for another machine", t)
}
