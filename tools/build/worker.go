package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// workersAssets makes the JavaScript around the Worker's Go program; its version is
// that of github.com/syumai/workers in go.mod.
const workersAssets = "github.com/syumai/workers/cmd/workers-assets-gen"

// workerBudgetBytes is what Cloudflare takes on its free plan, after gzip
// (developers.cloudflare.com/workers/platform/limits, "Worker size"): 3 MiB, as wrangler counts (MAX_GZIP_SIZE_BYTES).
const workerBudgetBytes = 3 << 20

// hostFiles configure hosts, and tell the page about its host. They lie in the root of the
// site and belong to no version.
var hostFiles = map[string]string{
	// The address of the store of scenarios, empty on a host of files. The Worker answers
	// this request itself (wasm/edge/README.md).
	"store.json": `{"scenarios":""}` + "\n",
	// Hosts that send every address to a file of exactly that name need to know which
	// file a folder is. Cloudflare and Netlify read this.
	"_redirects": "/ /index.html 200\n/v/:version/ /v/:version/index.html 200\n",
	// Files that wrangler does not upload: compressed forms, because Cloudflare makes its
	// own, and files that the Worker answers.
	".assetsignore": "*.br\n*.gz\nsizes.json\nstore.json\nscreenshots\n",
}

func writeHostFiles(dist string) error {
	for name, text := range hostFiles {
		if err := writeFile(filepath.Join(dist, name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// buildWorker makes wasm/edge/build, which wrangler deploys together with dist, and
// returns what it takes compressed.
func buildWorker(root string, p *patcher) (gzipBytes int, err error) {
	folder := filepath.Join(root, "wasm", "edge", "build")
	cmd := exec.Command("go", "run", workersAssets, "-mode=go", "-o", filepath.Join("wasm", "edge", "build"))
	cmd.Dir = root
	if err := output(cmd); err != nil {
		return 0, err
	}
	if err := compileWasm(root, folder, "edge", p); err != nil {
		return 0, err
	}
	if err := os.Rename(filepath.Join(folder, "edge.wasm"), filepath.Join(folder, "app.wasm")); err != nil {
		return 0, err
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return 0, err
	}
	for _, file := range append(files, filepath.Join(root, "wasm", "edge", "worker.mjs")) {
		data, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		gzipBytes += len(gzipped(data))
	}
	return gzipBytes, nil
}

// checkWorker checks the size of the Worker against its budget.
func checkWorker(gzipBytes int) error {
	if gzipBytes > workerBudgetBytes {
		return fmt.Errorf("the Worker takes %.1f kB compressed, its budget is %.1f kB", kB(gzipBytes), kB(workerBudgetBytes))
	}
	return nil
}
