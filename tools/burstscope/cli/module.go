package cli

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	_ "github.com/burstscope/burstscope/tools/plugin" // runs modules
)

// InModule says which file a fault of a module is about.
func InModule(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w: see tools/plugin/README.md", name, err)
}

// IsModuleFile reports whether what stands for a codec is a file with a module.
func IsModuleFile(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".wasm") }

// ModuleOf reads a module that can stand where a codec can.
func ModuleOf(name string) (string, error) {
	b, err := disk.ReadFile(name, plugin.MaxBytes)
	if err != nil {
		return "", err
	}
	_, err = codecs.LoadModule(string(b))
	return string(b), InModule(name, err)
}

// IsModule reports whether an assignment names a file as the codec of a side.
func IsModule(a Assignment) bool {
	return (a.Path == "memory.codec" || a.Path == "compare.memory.codec") && IsModuleFile(a.Value)
}

// OfModule adds the file of a run's module to a fault that the module had in the run.
func OfModule(sets []Assignment, err error) error {
	if !strings.HasPrefix(err.Error(), "memory.module: ") {
		return err
	}
	for _, a := range slices.Backward(sets) {
		if IsModule(a) {
			return InModule(a.Value, err)
		}
	}
	return err
}

// SetModule puts the module of a file into a scenario.
func SetModule(s *scenario.Scenario, a Assignment) error {
	module, err := ModuleOf(a.Value)
	if err != nil {
		return err
	}
	if err := s.Set(a.Path, codecs.Plugin); err != nil {
		return err
	}
	return s.Set(strings.TrimSuffix(a.Path, "codec")+"module", base64.StdEncoding.EncodeToString([]byte(module)))
}
