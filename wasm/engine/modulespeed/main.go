//go:build js

// Command modulespeed measures codecs as modules beside the built-in ones, in the page: TestPluginSpeed in site/e2e runs it. The
// page's list codecs holds names of built-in codecs, each followed by a module of the same kind in base64.
package main

import (
	"encoding/base64"
	"fmt"
	"slices"
	"syscall/js"
	"time"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/core/codec/plugin"
	"github.com/burstscope/burstscope/core/codec/plugin/plugintest"
	"github.com/burstscope/burstscope/wasm/engine/modules"
)

func main() {
	plugin.Host = modules.Start
	lines := codectest.Corpus(40)
	bits := make([]int, len(lines))
	if err := calls(); err != nil {
		panic(err)
	}
	list := js.Global().Get("codecs")
	for i := 0; i < list.Length(); i += 2 {
		name := list.Index(i).String()
		own, err := codecs.ByName(name, lines)
		if err != nil {
			panic(err)
		}
		b, err := base64.StdEncoding.DecodeString(list.Index(i + 1).String())
		if err != nil {
			panic(err)
		}
		t, err := codecs.NewTrainer(codecs.Plugin)
		if err != nil {
			panic(err)
		}
		for i := range lines {
			t.Count(&lines[i])
		}
		made, err := t.Make(codecs.Plugin, codecs.Options{Module: string(b)})
		if err != nil {
			panic(err)
		}
		c := made.(*plugin.Codec)
		each := func(size func(i int) int) func() {
			return func() {
				for i := range lines {
					size(i)
				}
			}
		}
		figures := [3]float64{}
		for i, pass := range []func(){
			each(func(i int) int { return own.SizeBits(&lines[i]) }), each(func(i int) int { return c.SizeBits(&lines[i]) }), func() { c.SizesBits(lines, bits) },
		} {
			figures[i] = nanoseconds(pass, len(lines))
		}
		if err := c.Err(); err != nil {
			panic(err)
		}
		fmt.Printf("%s builtin %.0f one %.0f many %.0f\n", name, figures[0], figures[1], figures[2])
	}
}

// calls measures what a policy as a module would cost beside its own work.
func calls() error {
	m, err := plugin.Parse(plugintest.New().Binary())
	if err != nil {
		return err
	}
	i, err := modules.Start(m)
	if err != nil {
		return err
	}
	const round = 1000
	var about [64]byte
	number := nanoseconds(func() {
		for range round {
			i.Call(plugin.Decode, 1)
		}
	}, round)
	bytes := nanoseconds(func() {
		for range round {
			i.CallOn(plugin.Decode, 1, 0, about[:])
		}
	}, round)
	fmt.Printf("call with a number %.0f, with 64 bytes %.0f\n", number, bytes)
	return nil
}

// nanoseconds is the median time of a block in rounds of a tenth of a second, without the first, in which browsers compile.
func nanoseconds(pass func(), blocks int) float64 {
	var rounds []float64
	for range 8 {
		begin, n := time.Now(), 0
		for time.Since(begin) < 100*time.Millisecond {
			pass()
			n += blocks
		}
		rounds = append(rounds, float64(time.Since(begin).Nanoseconds())/float64(n))
	}
	rounds = rounds[1:]
	slices.Sort(rounds)
	return rounds[len(rounds)/2]
}
