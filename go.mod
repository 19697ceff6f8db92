module github.com/burstscope/burstscope

go 1.26.0

toolchain go1.26.8

ignore (
	./.cache
	./dist
	./release
	./results
	./site/e2e/node_modules
	./wasm/edge/build
)

require (
	github.com/andybalholm/brotli v1.3.0
	github.com/chromedp/cdproto v0.159.3
	github.com/chromedp/chromedp v0.23.0
	github.com/ebitengine/purego v0.11.3
	github.com/evanw/esbuild v0.28.2
	github.com/hajimehoshi/ebiten/v2 v2.10.0
	github.com/syumai/workers v0.31.0
	github.com/vmihailenco/msgpack/v5 v5.4.1
	go.yaml.in/yaml/v4 v4.0.0
)

require (
	github.com/CycloneDX/cyclonedx-go v0.12.0
	github.com/opencontainers/go-digest v1.0.0
	github.com/opencontainers/image-spec v1.1.1
	github.com/tetratelabs/wazero v1.12.0
	github.com/yuin/goldmark v1.8.7
)

require (
	github.com/ebitengine/gomobile v0.0.0-20260820040257-d11f821a26a6 // indirect
	github.com/ebitengine/hideconsole v1.0.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/vmihailenco/tagparser/v2 v2.0.0 // indirect
	go.starlark.net v0.0.0-20260908191801-89a6a09411d5
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
