package codecs

import (
	"errors"
	"fmt"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/plugin"
)

// Plugin is the name of the codec that comes as a module, Options.Module. It is not among the names of
// the codecs, because without a module it is none.
const Plugin = "plugin"

var pluginRow = Row{
	Name: Plugin, Title: "Your codec",
	Make: func(o Options, t *Trainer) (Coder, error) {
		c, err := trainedModule(o, t)
		if err != nil {
			return nil, err
		}
		return c, nil
	},
	Scheme: func(o Options, t *Trainer) (codec.Scheme, error) {
		c, err := trainedModule(o, t)
		switch {
		case err != nil:
			return nil, err
		case c.Lossy():
			return plugin.NewScheme(c, o.MAGBytes)
		}
		return codec.NewLossless(c, o.MAGBytes)
	},
}

// FaultOf returns what ended a codec or a scheme that can fail, nil if nothing did. Only a module can
// fail.
func FaultOf(c any) error {
	if c, ok := c.(interface{ Err() error }); ok {
		return c.Err()
	}
	return nil
}

// LoadModule starts a module, whose code table is not made.
func LoadModule(module string) (*plugin.Codec, error) {
	if module == "" {
		return nil, errors.New("the codec plugin has no module: give it one")
	}
	return plugin.Load([]byte(module))
}

// trainedModule starts a module and lets it make its code table, if it has one.
func trainedModule(o Options, t *Trainer) (*plugin.Codec, error) {
	c, err := LoadModule(o.Module)
	if err != nil || !c.Trains() {
		return c, err
	}
	if err := t.TrainModule(c); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Info().Name, err)
	}
	return c, nil
}

// TrainModule lets a module count the blocks of the sample and make its code table.
func (t *Trainer) TrainModule(c *plugin.Codec) error {
	if t.sample == nil {
		return errors.New("the module makes a code table, and no blocks were kept for it")
	}
	return c.Train(t.sample.lines)
}

// InfoOf describes a codec, without a code table.
func InfoOf(name string, o Options) (codec.Info, error) {
	if name == Plugin {
		c, err := LoadModule(o.Module)
		if err != nil {
			return codec.Info{}, err
		}
		return c.Info(), nil
	}
	t, err := NewTrainer(name)
	if err != nil {
		return codec.Info{}, err
	}
	c, err := t.Make(name, o)
	if err != nil {
		return codec.Info{}, err
	}
	return c.Info(), nil
}
