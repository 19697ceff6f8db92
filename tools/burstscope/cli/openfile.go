package cli

import (
	"errors"
	"flag"
)

// FileFlag declares a flag that names a file or a folder.
func FileFlag(flags *flag.FlagSet, name string) *string {
	value := ""
	FileVar(flags, &value, name)
	return &value
}

// FileVar is fileFlag for a variable with a default. An empty name is a mistake, often a variable of a shell that is not set.
func FileVar(flags *flag.FlagSet, value *string, name string) {
	flags.Func(name, "", func(text string) error {
		if text == "" {
			return errors.New("the name is empty: name a file or a folder, or leave the flag out")
		}
		*value = text
		return nil
	})
}
