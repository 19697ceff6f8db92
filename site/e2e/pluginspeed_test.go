package e2e

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/tools/wasmlink"
)

const pluginSpeedVariable = "BURSTSCOPE_PLUGIN_SPEED"

// TestPluginSpeed prints the time of a size in Chromium, of codecs as modules and built in: one call for each block, as
// in a run, and one for many, as in a survey. The table of tools/plugin/README.md has its figures.
func TestPluginSpeed(t *testing.T) {
	if os.Getenv(pluginSpeedVariable) == "" {
		t.Skip("set " + pluginSpeedVariable + "=1 on a quiet machine")
	}
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "speed.wasm"), "./wasm/engine/modulespeed")
	build.Dir, build.Env = root, append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	script := `const fs = require("fs"), ts = require("./site/e2e/node_modules/typescript");
		process.stdout.write(ts.transpileModule(fs.readFileSync("site/src/engine/modules.ts", "utf8"), {compilerOptions: {module: "esnext", target: "es2022"}}).outputText)`
	compile := exec.Command("node", "-e", script)
	compile.Dir = root
	modules, err := compile.Output()
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := wasmlink.Installed()
	if err != nil {
		t.Fatal(err)
	}
	glue, err := os.ReadFile(compiler.Wasm("wasm_exec.js"))
	if err != nil {
		t.Fatal(err)
	}
	var args []string
	for _, name := range []string{"bdi", "zvc", "fpc", "e2mc8"} {
		file := map[string]string{"e2mc8": "huffman"}[name]
		if file == "" {
			file = name
		}
		b, err := os.ReadFile(filepath.Join(root, "tools/plugin/testdata", file+".wasm"))
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, name, base64.StdEncoding.EncodeToString(b))
	}
	list, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	page := fmt.Sprintf(`<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="glue.js"></script><script type="module">
		import { moduleHost } from "./modules.js";
		const go = new Go(), lines = [];
		let memory;
		console.log = (line) => lines.push(line);
		window.codecs = %s;
		go.importObject["burstscope.modules"] = moduleHost(() => memory);
		const { instance } = await WebAssembly.instantiateStreaming(fetch("speed.wasm"), go.importObject);
		memory = instance.exports.mem;
		await go.run(instance);
		window.lines = lines;
	</script>`, list)
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/glue.js", "/modules.js":
			w.Header().Set("Content-Type", "text/javascript")
			w.Write(map[string][]byte{"/glue.js": glue, "/modules.js": modules}[r.URL.Path])
		case "/speed.wasm":
			w.Header().Set("Content-Type", "application/wasm")
			http.ServeFile(w, r, filepath.Join(dir, "speed.wasm"))
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, page)
		}
	}))
	t.Cleanup(server.Close)
	p := openWatched(t, server.URL+"/")
	lines := eval[[]string](p, `new Promise((done) => { const look = () => window.lines ? done(window.lines) : setTimeout(look, 100); look(); })`)
	t.Log("\n" + strings.Join(lines, "\n"))
	if len(lines) != 5 {
		t.Errorf("%d lines for calls and 4 codecs", len(lines))
	}
}
