package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/burstscope/burstscope/tools/npm"
)

// yamlPackage is the only npm package of the page. It lies in site/vendor as the registry has it.
const yamlPackage = "vendor/yaml-2.9.1.tgz"

// yamlEntry is where the package's code for browsers begins.
const yamlEntry = "package/browser/dist/index.js"

// yamlPlugin lets scripts import "yaml" from its package, without node and without a network.
func yamlPlugin(site string) (api.Plugin, error) {
	files, err := unpacked(filepath.Join(site, yamlPackage))
	if err != nil {
		return api.Plugin{}, err
	}
	const space = "yaml"
	return api.Plugin{Name: space, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: "^yaml$"}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
			return api.OnResolveResult{Path: yamlEntry, Namespace: space}, nil
		})
		b.OnResolve(api.OnResolveOptions{Filter: `^\.`, Namespace: space},
			func(a api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: path.Join(path.Dir(a.Importer), a.Path), Namespace: space}, nil
			})
		b.OnLoad(api.OnLoadOptions{Filter: ".*", Namespace: space}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			text, ok := files[a.Path]
			if !ok {
				return api.OnLoadResult{}, fmt.Errorf("%s has no file %s", yamlPackage, a.Path)
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS}, nil
		})
	}}, nil
}

// withLicence puts the licence of the yaml package in front of a script that holds its code, as the licence asks.
func withLicence(site, script string) error {
	files, err := unpacked(filepath.Join(site, yamlPackage))
	if err != nil {
		return err
	}
	code, err := os.ReadFile(script)
	if err != nil {
		return err
	}
	notice := "/* " + strings.TrimSuffix(path.Base(yamlPackage), ".tgz") + "\n" + files["package/LICENSE"] + "*/\n"
	return os.WriteFile(script, append([]byte(notice), code...), 0o644)
}

// unpacked returns the scripts of an npm package and its licence, by their paths.
func unpacked(file string) (map[string]string, error) {
	list, err := npm.Read(file, func(name string) bool {
		return strings.HasSuffix(name, ".js") || path.Base(name) == "LICENSE"
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	files := map[string]string{}
	for _, f := range list {
		files[f.Name] = string(f.Data)
	}
	return files, nil
}
