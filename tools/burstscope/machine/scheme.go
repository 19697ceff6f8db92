package machine

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/burstscope/burstscope/core/catalog"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

const schemeHelp = `usage: burstscope scheme [--exclusions] [--format text|json|csv]

Lists the groups of a memory scheme, the choices of each group, and every setting.
With --exclusions it lists the choices that cannot stand beside each other, and why;
in brackets the presets that are so.
A scenario has one choice of each group. run and sweep set choices by path; in a
scenario that compares two schemes, paths that begin with compare set the second one.

examples:
  burstscope scheme
  burstscope scheme --exclusions
  burstscope run vecadd --set memory.codec=bdi
  burstscope sweep vecadd --vary memory.codec=none,bdi --store results
`

func schemeVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("scheme", flag.ContinueOnError)
	format := cli.FormatFlag(flags, "text", "json", "csv")
	exclusions := flags.Bool("exclusions", false, "")
	if err := cli.Parse(flags, args, cli.NoWord); err != nil {
		return err
	}
	if *exclusions {
		return printExclusions(out, *format)
	}
	list := scheme.Describe()
	switch *format {
	case "json":
		return cli.PrintJSON(out, list)
	case "csv":
		rows := [][]string{{"path", "entry", "title", "values", "default", "unit", "about"}}
		for _, g := range list {
			for _, e := range g.Entries {
				rows = append(rows, []string{g.Group + "." + g.Key, e.Name, e.Title, "", "", "", e.About})
				rows = append(rows, settingRows(e.Name, e.Settings)...)
			}
			rows = append(rows, settingRows("", g.Settings)...)
		}
		return csv.NewWriter(out).WriteAll(rows)
	}
	var b strings.Builder
	for _, g := range list {
		fmt.Fprintf(&b, "%s: %s\n", g.Group, g.About)
		for _, e := range g.Entries {
			fmt.Fprintf(&b, "  %s\n", strings.TrimRight(fmt.Sprintf("%-28s  %-24s  %s", g.Group+"."+g.Key+"="+e.Name, e.Title, e.About), " "))
			writeSettings(&b, "    ", e.Settings)
		}
		writeSettings(&b, "  ", g.Settings)
		b.WriteByte('\n')
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func printExclusions(out io.Writer, format string) error {
	list, err := catalog.Exclusions()
	if err != nil {
		return err
	}
	if format == "json" {
		return cli.PrintJSON(out, list)
	}
	rows := [][]string{{"choice", "not with", "because"}}
	for _, line := range list {
		for _, x := range line.Not {
			rows = append(rows, []string{line.Choice, x.Text(), x.Why})
		}
	}
	if format == "csv" {
		return csv.NewWriter(out).WriteAll(rows)
	}
	before := ""
	for _, r := range rows[1:] {
		if r[0] != before {
			before = r[0]
			fmt.Fprintln(out, before)
		}
		fmt.Fprintf(out, "  not with %s: %s\n", r[1], r[2])
	}
	return nil
}

func writeSettings(b *strings.Builder, indent string, list []system.SettingDescription) {
	for _, f := range list {
		fmt.Fprintf(b, "%s%-26s  %s: %s Values: %s.\n", indent, f.Path, f.Title, f.About, valuesOf(&f))
	}
}

func settingRows(entry string, list []system.SettingDescription) [][]string {
	var rows [][]string
	for _, f := range list {
		rows = append(rows, []string{f.Path, entry, f.Title, valuesOf(&f), fmt.Sprint(f.Default), f.Unit, f.About})
	}
	return rows
}

// valuesOf names the allowed values of a setting.
func valuesOf(f *system.SettingDescription) string {
	switch {
	case f.Words != nil:
		return strings.Join(f.Words, ", ")
	case f.Numbers != nil:
		return fault.Join(f.Numbers)
	case f.Default == "":
		return "text"
	}
	return fmt.Sprintf("%d to %d", f.Low, f.High)
}
