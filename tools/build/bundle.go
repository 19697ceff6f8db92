package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle turns the TypeScript and the style sheet of site/ into one file each. No
// npm package is involved, and no node.
func bundle(root, dist string) error {
	site, err := filepath.Abs(filepath.Join(root, "site"))
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(dist)
	if err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir: site,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "src/shell.ts", OutputPath: "shell"},
			{InputPath: "src/panels.ts", OutputPath: "panels"},
			{InputPath: "src/labpage.ts", OutputPath: "lab"},
			{InputPath: "src/engine-worker.ts", OutputPath: "engine-worker"},
			{InputPath: "src/explainview.ts", OutputPath: "explain"},
			{InputPath: "src/view.ts", OutputPath: "view"},
			{InputPath: "style.css", OutputPath: "style"},
		},
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2022,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		Outdir:            abs,
		Write:             true,
	})
	return esbuildErrors(result.Errors)
}

// esbuildErrors puts what esbuild found into one error, each with its place.
func esbuildErrors(messages []api.Message) error {
	if len(messages) == 0 {
		return nil
	}
	return errors.New(strings.Join(api.FormatMessages(messages, api.FormatMessagesOptions{Kind: api.ErrorMessage}), "\n"))
}
