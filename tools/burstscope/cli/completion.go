package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

const completionHelp = `usage: burstscope completion bash|fish|zsh

Prints a script by which a shell completes the names of the verbs, and names of files after them.

examples:
  burstscope completion bash > ~/.local/share/bash-completion/completions/burstscope
  burstscope completion fish > ~/.config/fish/completions/burstscope.fish
  burstscope completion zsh > ~/.zfunc/_burstscope
`

// completion prints the verbs in the language of a shell.
func completion(verbs []Verb, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("completion", flag.ContinueOnError)
	var shell string
	if err := Parse(flags, args, OneWord(&shell, "shell")); err != nil {
		return err
	}
	switch shell {
	case "bash":
		fmt.Fprintf(out, "_burstscope() {\n\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\t"+
			"COMPREPLY=($(compgen -W '%s' -- \"${COMP_WORDS[1]}\"))\n\tfi\n}\n"+
			"complete -o default -F _burstscope burstscope\n", strings.Join(append(Names(verbs), "help"), " "))
	case "fish":
		for _, v := range verbs {
			fmt.Fprintf(out, "complete -c burstscope -n __fish_use_subcommand -a %s -d '%s'\n", v.Name, quoted(v.Summary))
		}
	case "zsh":
		fmt.Fprint(out, "#compdef burstscope\nlocal -a verbs=(\n")
		for _, v := range verbs {
			fmt.Fprintf(out, "\t'%s:%s'\n", v.Name, quoted(v.Summary))
		}
		fmt.Fprint(out, ")\nif (( CURRENT == 2 )); then _describe verb verbs; else _files; fi\n")
	default:
		return Usagef("no shell %q: burstscope completion: name bash, fish or zsh", shell)
	}
	return nil
}

// quoted writes a text between single quotes of a shell. What ends a name in zsh, a colon, no summary has.
func quoted(text string) string { return strings.ReplaceAll(text, "'", `'\''`) }
