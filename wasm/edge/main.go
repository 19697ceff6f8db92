//go:build js && wasm

// Command edge is the Cloudflare Worker behind the site's static files: the handlers of
// package api over KV and R2. Cloudflare serves existing files itself and sends all other
// requests to this program. Each request gets its own instance, which keeps no state.
package main

import (
	"github.com/syumai/workers"

	"github.com/burstscope/burstscope/assets/scenarios"
	"github.com/burstscope/burstscope/wasm/edge/api"
)

func main() {
	workers.Serve(&api.Handler{
		Store:   api.Tiers{Small: namespace{}, Large: bucket{}},
		Shipped: shipped(),
	})
}

func shipped() []api.Shipped {
	var list []api.Shipped
	for _, name := range scenarios.Names() {
		list = append(list, api.Shipped{Name: name, Packed: scenarios.Packed(name)})
	}
	return list
}
