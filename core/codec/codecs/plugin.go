package codecs

import (
	"errors"

	"github.com/burstscope/burstscope/core/codec/plugin"
)

// Plugin is the name of the codec that comes as a module, Options.Module. It is not among the names of
// the codecs, because without a module it is none.
const Plugin = "plugin"

var pluginRow = Row{Name: Plugin, Title: "Your codec", Make: func(o Options, _ *Trainer) (Coder, error) {
	return LoadModule(o.Module)
}}

// FaultOf returns what ended a codec or a scheme that can fail, nil if nothing did. Only a module can
// fail.
func FaultOf(c any) error {
	if c, ok := c.(interface{ Err() error }); ok {
		return c.Err()
	}
	return nil
}

// LoadModule starts a module that can stand where a lossless codec without a code table can.
func LoadModule(module string) (*plugin.Codec, error) {
	if module == "" {
		return nil, errors.New("the codec plugin has no module: give it one")
	}
	c, err := plugin.Load([]byte(module))
	switch {
	case err != nil:
		return nil, err
	case c.Trains():
		return nil, errors.New("it exports train and trained, and a code table of a module is not made yet: use a codec without one")
	case !c.Info().Lossless:
		return nil, errors.New("its describe() says lossy, and a run takes lossless modules: the simulator would not know which data it may change")
	}
	return c, nil
}
