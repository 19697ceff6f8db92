package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/mem"
)

const codecHelp = `usage: burstscope codec sizes --codec NAMES FILE

Prints the compressed size of each 128-byte block of a file, in bits, as CSV: the
number of the block and a column for each codec. A block that a codec cannot
shrink has 1024 bits. The last block is filled up with zeros.

  --codec NAMES   codecs, separated by commas: bdi, bdi10, fpc, cpack, cpackz, bpc,
                  zvc, mpc, fibonacci, sc, e2mc4, e2mc8, e2mc16, e2mc32, hycomp,
                  tslc-simp, tslc-pred, tslc-opt. E2MC and
                  TSLC make their codes from the symbols of the whole file; TSLC
                  takes it as safe to approximate, at MAG 32 B and threshold 16 B.

example:
  burstscope codec sizes --codec bdi,fpc,e2mc16 image.bin
`

// maxDataBytes bounds the files whose blocks are measured.
const maxDataBytes = 1 << 30

func codecVerb(args []string, out io.Writer) error {
	if len(args) == 0 {
		return usagef("no action: burstscope codec: say sizes")
	}
	switch args[0] {
	case "sizes":
		return codecSizes(args[1:], out)
	case "-h", "-help", "--help":
		return flag.ErrHelp
	}
	return usagef("unknown action: burstscope codec %s: say sizes", args[0])
}

func codecSizes(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("codec sizes", flag.ContinueOnError)
	list := flags.String("codec", "", "")
	var file string
	if err := parse(flags, args, oneWord(&file, "file")); err != nil {
		return err
	}
	if *list == "" {
		return usagef("no codec: burstscope codec sizes: name some with --codec: %s", strings.Join(codecs.Names(), ", "))
	}
	names := strings.Split(*list, ",")
	for _, name := range names {
		if _, err := codecs.SymbolBits(name); err != nil {
			return usagef("%s", err)
		}
	}
	if file == "" {
		return usagef("no file: burstscope codec sizes: name one")
	}
	data, err := readFile(file, maxDataBytes)
	if err != nil {
		return err
	}
	lines := blocks(data)
	coders := make([]codecs.Coder, len(names))
	for i, name := range names {
		if coders[i], err = codecs.ByName(name, lines); err != nil {
			return err
		}
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "block,"+strings.Join(names, ","))
	var row []byte
	for i := range lines {
		row = strconv.AppendInt(row[:0], int64(i), 10)
		for _, c := range coders {
			row = strconv.AppendInt(append(row, ','), int64(c.SizeBits(&lines[i])), 10)
		}
		if _, err := w.Write(append(row, '\n')); err != nil {
			return err
		}
	}
	return w.Flush()
}

// blocks cuts data into lines.
func blocks(data []byte) []mem.Line {
	lines := make([]mem.Line, (len(data)+mem.LineBytes-1)/mem.LineBytes)
	for i := range lines {
		copy(lines[i][:], data[i*mem.LineBytes:])
	}
	return lines
}
