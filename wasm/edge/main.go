//go:build js && wasm

// Command edge is the Cloudflare Worker behind the site's static files: the
// handlers of package api over KV and R2. Cloudflare answers with a file where
// there is one and asks this program for every other address; each request gets
// an instance of its own, which keeps nothing.
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
