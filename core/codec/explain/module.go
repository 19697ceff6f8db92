package explain

import (
	"encoding/hex"

	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/mem"
)

// module shows the code of a module as it is: only its author knows the fields. The bytes are those that
// the module decodes.
func (w *walk) module(c *plugin.Codec, bits int) error {
	if err := c.Decode(&w.line, w.src, bits); err != nil {
		return err
	}
	w.item("code", 0, mem.LineBytes)
	for bits > w.at {
		w.take(Data, "bits", min(bits-w.at, 32))
		w.mean("", "bits of the module's code; it does not say what they mean")
	}
	w.says("%d bits", bits)
	if hex.EncodeToString(w.line[:]) != w.e.Original {
		w.e.Mode = modeLossy
		for i := range w.e.Bursts {
			if w.e.Bursts[i].Mode == modeLossless {
				w.e.Bursts[i].Mode = modeLossy
			}
		}
	}
	return nil
}
