package data

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	realdata "github.com/burstscope/burstscope/assets/data"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// tensorColumns are the columns of the table as text; the CSV has all.
var tensorColumns = []string{"id", "type", "package", "bytes", "zeros", "byteEntropyBits", "exponentEntropyBits"}

// codecTensors prints what the codecs make of real arrays (assets/data/README.md), sorted by a column.
func codecTensors(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec tensors", flag.ContinueOnError)
	by := flags.String("sort", "", "")
	list := flags.String("codec", "bdi,fpc,cpack,bpc,sc,e2mc8,e2mc16,hycomp,dfloat11,zipnn", "")
	format := cli.FormatFlag(flags, "text", "csv")
	if err := cli.Parse(flags, args, func(word string) error {
		return cli.Usagef("unexpected word: %s: codec tensors takes none", word)
	}); err != nil {
		return err
	}
	text, err := realdata.Lists.ReadFile("ratios.csv")
	if err != nil {
		return err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return err
	}
	head, rows := rows[0], rows[1:]
	if *by != "" {
		if err := sortRows(head, rows, *by); err != nil {
			return err
		}
	}
	if *format == "csv" {
		return csv.NewWriter(out).WriteAll(append([][]string{head}, rows...))
	}
	shown := slices.Clone(tensorColumns)
	for _, name := range strings.Split(*list, ",") {
		if !slices.Contains(head, name) {
			return cli.Usagef("unknown codec: %s: the table has the lossless ones of burstscope codec list", name)
		}
		shown = append(shown, name)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{head}, rows...) {
		for i, name := range shown {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, row[slices.Index(head, name)])
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// sortRows sorts by a column: numbers fall, texts rise. Rows without a number come last.
func sortRows(head []string, rows [][]string, by string) error {
	k := slices.Index(head, by)
	if k < 0 {
		return cli.Usagef("unknown column: %s: one of %s", by, strings.Join(head, ", "))
	}
	slices.SortStableFunc(rows, func(a, b []string) int {
		x, errX := strconv.ParseFloat(a[k], 64)
		y, errY := strconv.ParseFloat(b[k], 64)
		switch {
		case errX == nil && errY == nil && x != y:
			return map[bool]int{true: -1, false: 1}[x > y]
		case (errX == nil) != (errY == nil):
			return map[bool]int{true: -1, false: 1}[errX == nil]
		}
		return strings.Compare(a[k], b[k])
	})
	return nil
}
