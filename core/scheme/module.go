package scheme

import (
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/system"
)

// Named returns m for lists and results: a module is named by the beginning of its SHA-256, as in
// "plugin 0123456789ab", and is not carried along.
func (m Memory) Named() Memory {
	named := Memory(system.Part(m).Clone())
	if m.Codec() == codecs.Plugin {
		named["codec"] = m.Codec() + " " + digest.Hex([]byte(m.Module()))[:12]
	}
	delete(named, "module")
	return named
}

// checkModule says what is wrong with a module before it runs.
func checkModule(module string) error {
	_, err := plugin.Parse([]byte(module))
	return err
}

func pluginWithoutModule(s *Scheme, _ *parameter.GPU) (b Breach) {
	if s.Memory.Codec() != codecs.Plugin || s.Memory.Module() != "" {
		return b
	}
	return Breach{
		Message: "the codec plugin has no module", Mend: "give its WebAssembly module in {}memory.module, or with --codec FILE.wasm",
		Fixes: set("memory.codec", system.None),
	}
}
