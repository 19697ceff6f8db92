package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// bundle turns each of scripts, with all it imports, into one file. No
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
	var entries []api.EntryPoint
	for _, s := range scripts {
		entries = append(entries, api.EntryPoint{InputPath: s.from, OutputPath: s.to})
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:       site,
		EntryPointsAdvanced: entries,
		Bundle:              true,
		Format:              api.FormatIIFE,
		Target:              api.ES2022,
		Charset:             api.CharsetUTF8,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		LegalComments:       api.LegalCommentsNone,
		Outdir:              abs,
		Write:               true,
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
