package scheme

import (
	"encoding/base64"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// Module holds the bytes of a WebAssembly module. It is bin in msgpack, and base64 in YAML and JSON.
// It is a string because schemes are compared, and because a run depends on every byte of it.
type Module string

// MarshalText returns the bytes as base64 for the writers of YAML and JSON.
func (m Module) MarshalText() ([]byte, error) {
	return []byte(base64.StdEncoding.EncodeToString([]byte(m))), nil
}

// Named returns m for lists and results: a module is named by the beginning of its SHA-256, as in
// "plugin 0123456789ab", and is not carried along.
func (m Memory) Named() Memory {
	if m.Codec == codecs.Plugin {
		m.Codec += " " + digest.Hex([]byte(m.Module))[:12]
	}
	m.Module = ""
	return m
}

// checkModule says what is wrong with a module before it runs.
func checkModule(module string) error {
	_, err := plugin.Parse([]byte(module))
	return err
}

func pluginWithoutModule(s *Scheme, _ *parameter.GPU) (b Breach) {
	if s.Memory.Codec != codecs.Plugin || s.Memory.Module != "" {
		return b
	}
	return Breach{
		Message: "the codec plugin has no module", Mend: "give its WebAssembly module in {}memory.module, or with --codec FILE.wasm",
		Fixes: set("memory.codec", system.None),
	}
}
