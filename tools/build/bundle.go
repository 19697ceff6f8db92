package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/burstscope/burstscope/core/catalog"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/tools/translate"
)

// bundle makes one file of each script and its imports. It needs no node; the one npm package of the page lies in the
// tree (vendor.go).
func bundle(root, dist string) error {
	if err := translate.Write(root); err != nil {
		return err
	}
	site, err := filepath.Abs(filepath.Join(root, "site"))
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(dist)
	if err != nil {
		return err
	}
	var own, foreign []api.EntryPoint
	for _, s := range scripts {
		entry := api.EntryPoint{InputPath: s.from, OutputPath: s.to}
		if slices.Contains(public, s.to+".js") {
			foreign = append(foreign, entry)
		} else {
			own = append(own, entry)
		}
	}
	tables, err := firstTables()
	if err != nil {
		return err
	}
	excluded, err := exclusions()
	if err != nil {
		return err
	}
	scenarios, err := scenarioNames(root)
	if err != nil {
		return err
	}
	yaml, err := yamlPlugin(site)
	if err != nil {
		return err
	}
	options := api.BuildOptions{
		Plugins: []api.Plugin{yaml},
		Define: map[string]string{
			"TABLES":     tables,    // site/src/protocol/firsttables.ts
			"EXCLUSIONS": excluded,  // site/src/settings/rules.ts
			"SCENARIOS":  scenarios, // site/src/embed/unknown.ts
		},
		AbsWorkingDir:     site,
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		Outdir:            abs,
		Write:             true,
	}
	// Scripts of other people's pages are ASCII, because these pages may name no charset.
	for charset, entries := range map[api.Charset][]api.EntryPoint{api.CharsetUTF8: own, api.CharsetASCII: foreign} {
		options.Charset, options.EntryPointsAdvanced = charset, entries
		if err := esbuildErrors(api.Build(options).Errors); err != nil {
			return err
		}
	}
	if err := withLicence(site, filepath.Join(dist, "kernel.js")); err != nil {
		return err
	}
	for _, name := range starting {
		file := filepath.Join(dist, name)
		script, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, afterDocument(script), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// firstTables are the engine's lists that the page needs before the engine is ready:
// names and titles, the default program, and the metrics of the shown result.
func firstTables() (string, error) {
	all, err := catalog.New()
	if err != nil {
		return "", err
	}
	type named struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Image   bool   `json:"image,omitempty"`
		Over    string `json:"over,omitempty"`
		Reading bool   `json:"reading,omitempty"`
		Trained bool   `json:"trained,omitempty"`
		Ways    bool   `json:"ways,omitempty"`
	}
	var first struct {
		Presets   []named         `json:"presets"`
		Workloads []named         `json:"workloads"`
		Codecs    []named         `json:"codecs"`
		Metrics   []metric.Metric `json:"metrics"`
		// Schemes are the groups that every scheme has. Their entries are codecs.
		Schemes []system.Description `json:"schemes"`
	}
	for _, p := range all.Presets {
		first.Presets = append(first.Presets, named{Name: p.Name, Title: p.Title})
	}
	for _, w := range all.Workloads {
		if w.Name == defaultProgram {
			first.Workloads = append(first.Workloads, named{Name: w.Name, Title: w.Title, Image: w.Image})
		}
	}
	for _, c := range all.Codecs {
		first.Codecs = append(first.Codecs, named{Name: c.Name, Title: c.Title, Over: c.Over, Reading: c.Reading, Trained: c.Trained, Ways: c.Ways})
	}
	for _, m := range all.Metrics {
		m.Claim, m.Needs = "", "" // the page reads neither
		first.Metrics = append(first.Metrics, m)
	}
	for _, g := range all.Schemes {
		if !scheme.Find(g.Group).Whole() {
			continue
		}
		g.About, g.Entries = "", nil
		for i := range g.Settings {
			g.Settings[i].About, g.Settings[i].Term = "", "" // the page's own rows say it, and a sweep comes later
			g.Settings[i].Offer = nil
		}
		first.Schemes = append(first.Schemes, g)
	}
	b, err := json.Marshal(first)
	return string(b), err
}

// exclusions is the table of what excludes what.
func exclusions() (string, error) {
	list, err := catalog.Exclusions()
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(list)
	return string(b), err
}

// scenarioNames are the names of the shipped scenarios.
func scenarioNames(root string) (string, error) {
	files, err := filepath.Glob(filepath.Join(root, "assets", "scenarios", "*.yaml"))
	if err != nil {
		return "", err
	}
	var names []string
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".yaml"))
	}
	b, err := json.Marshal(names)
	return string(b), err
}

// esbuildErrors joins the errors of esbuild, each with its place.
func esbuildErrors(messages []api.Message) error {
	if len(messages) == 0 {
		return nil
	}
	return errors.New(strings.Join(api.FormatMessages(messages, api.FormatMessagesOptions{Kind: api.ErrorMessage}), "\n"))
}
