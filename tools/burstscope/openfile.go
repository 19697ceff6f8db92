package main

import (
	"errors"
	"flag"
	"fmt"

	"github.com/burstscope/burstscope/tools/input"
)

// readFile reads a file of at most limit bytes.
func readFile(name string, limit int64) ([]byte, error) {
	b, err := input.Read(name, limit)
	if large := (input.TooLarge{}); errors.As(err, &large) {
		return nil, fmt.Errorf("file too large: %s: it has %d bytes, and at most %d are read", name, large.Size, limit)
	}
	if err != nil {
		return nil, fileError("cannot read", err)
	}
	return b, nil
}

// fileFlag declares a flag that names a file or a folder.
func fileFlag(flags *flag.FlagSet, name string) *string {
	value := ""
	fileVar(flags, &value, name)
	return &value
}

// fileVar is fileFlag for a variable with a default. An empty name is a mistake, often a variable of a shell that is not set.
func fileVar(flags *flag.FlagSet, value *string, name string) {
	flags.Func(name, "", func(text string) error {
		if text == "" {
			return errors.New("the name is empty: name a file or a folder, or leave the flag out")
		}
		*value = text
		return nil
	})
}
