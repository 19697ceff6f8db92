package data

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/codectest"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

func exampleFile(t *testing.T) string {
	t.Helper()
	var data []byte
	for _, e := range codectest.Examples() {
		data = append(data, e.Line[:]...)
	}
	return clitest.WriteTemp(t, "examples.bin", data)
}

// The worked blocks have the sizes that independent programs agree on, with and
// without the limit of 1024 bits.
func TestCodecSizesOfWorkedBlocks(t *testing.T) {
	file := exampleFile(t)
	examples := codectest.Examples()
	names := codectest.ExampleCodecs
	for _, raw := range []bool{false, true} {
		args := []string{"codec", "sizes", "--codec", strings.Join(names, ","), file}
		if raw {
			args = append(args, "--raw")
		}
		rows := clitest.Table(t, mustCall(t, args...))
		if len(rows) != len(examples)+1 {
			t.Fatalf("%d rows", len(rows))
		}
		for i, e := range examples {
			for k, name := range names {
				want := e.Sizes[name]
				if !raw {
					want = min(want, 1024)
				}
				if got := rows[i+1][k+1]; got != fmt.Sprint(want) {
					t.Errorf("%s, %s, raw %v: %s bits, want %d", e.Name, name, raw, got, want)
				}
			}
		}
	}
}

const toyTable = "symbol_hex,count,len,code_bin\n0000,60,1,0\n3f80,30,2,10\n0001,6,3,110\nESC,4,3,111\n"

// The toy blocks A, B and C of the reference, with its table.
func TestCodecWithATable(t *testing.T) {
	var data []byte
	for range 64 {
		data = binary.LittleEndian.AppendUint32(data, 0x3f800000)
	}
	copy(data[128+10:], []byte{0xef, 0xbe})
	for i := range 64 {
		v := uint16(0)
		if i >= 3 && i <= 42 {
			v = uint16(0x5000 + i)
		}
		data = binary.LittleEndian.AppendUint16(data, v)
	}
	file, toy := clitest.WriteTemp(t, "toy.bin", data), clitest.WriteTemp(t, "toy.csv", []byte(toyTable))
	for _, c := range []struct{ args, want string }{
		{"sizes --codec e2mc16", "120 136 808"},
		{"sizes --codec e2mc16 --raw", "120 136 808"},
		{"sizes --codec e2mc16 --pdw 8", "176 192 840"},
		{"tslc --accounting literal --tree base", "lossless,96,,0,0 lossless,113,,0,0 lossy,765,0,3,1"},
		{"tslc --accounting variable --tree base --mag 32 --threshold 16", "lossless,120,,0,0 lossless,136,,0,0 lossy,744,2,4,4"},
		{"tslc --accounting variable --threshold 4", "lossless,120,,0,0 lossless,136,,0,0 raw,1024,,0,0"},
		{"tslc --accounting variable --threshold 0", "lossless,120,,0,0 lossless,136,,0,0 raw,1024,,0,0"},
	} {
		rows := clitest.Table(t, mustCall(t, append(strings.Fields("codec "+c.args), "--table", toy, file)...))
		var got []string
		for _, row := range rows[1:] {
			got = append(got, strings.Join(row[1:], ","))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.args, s, c.want)
		}
	}
	for _, over := range []string{"fpc", "cpack", "sc", "e2mc4", "e2mc8", "e2mc32"} {
		if rows := clitest.Table(t, mustCall(t, "codec", "tslc", "--codec", over, file)); len(rows) != 4 {
			t.Errorf("over %s: %v", over, rows)
		}
	}
	if out := mustCall(t, "codec", "tslc", "--table", toy, file); !strings.HasPrefix(out, "block,kind,bits,level,start,len\n0,lossless,128,,0,0\n") {
		t.Errorf("fixed32 is not the default:\n%s", out)
	}
}

// With a table that train printed, sizes reports the same sizes as without a table.
func TestCodecTrain(t *testing.T) {
	var data []byte
	for _, l := range codectest.Corpus(10) {
		data = append(data, l[:]...)
	}
	file := clitest.WriteTemp(t, "corpus.bin", data[:len(data)-5])
	for _, bits := range []string{"4", "8", "16", "32"} {
		trained := clitest.WriteTemp(t, "t.csv", []byte(mustCall(t, "codec", "train", "--symbol-bits", bits, file)))
		a := mustCall(t, "codec", "sizes", "--codec", "e2mc"+bits, file)
		if b := mustCall(t, "codec", "sizes", "--codec", "e2mc"+bits, "--table", trained, file); a != b {
			t.Errorf("%s bits: a trained table gives other sizes", bits)
		}
		if bits == "16" {
			a, b := mustCall(t, "codec", "tslc", file), mustCall(t, "codec", "tslc", "--table", trained, file)
			if a != b || strings.Count(a, "\n") != len(data)/128+1 {
				t.Error("a trained table gives another selection")
			}
		}
	}
}

func TestCodecListAndReport(t *testing.T) {
	rows := clitest.Table(t, mustCall(t, "codec", "list"))
	all := codecs.All()
	for i, row := range rows[1:] {
		if row[0] != all[i] || slices.Contains(row[len(row)-3:], "") {
			t.Errorf("row %d: %v", i, row)
		}
		if !regexp.MustCompile(`\s` + regexp.QuoteMeta(row[0]) + `[,\n]`).MatchString(codecHelp) {
			t.Errorf("the help does not name %s:\n%s", row[0], codecHelp)
		}
	}
	file := exampleFile(t)
	rows = clitest.Table(t, mustCall(t, "codec", "report", "--format", "csv", file))
	if len(rows) != len(codecs.Names())+1 || len(rows[1]) != 7+33 || rows[1][0] != "bdi" || rows[1][1] != "18" {
		t.Errorf("%v", rows)
	}
	text := mustCall(t, "codec", "report", "--codec", "bdi,tslc-opt", "--type", "f32", file)
	for _, want := range []string{"raw bytes, 2,304 bytes in 1 array", "f32[576]", "18 blocks of 128 B", "\ntslc-opt ", "16-bit symbols"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestCodecBadInput(t *testing.T) {
	data := clitest.WriteTemp(t, "data.bin", make([]byte, 1000))
	empty := clitest.WriteTemp(t, "empty.bin", nil)
	cut := clitest.WriteTemp(t, "cut.npy", []byte("\x93NUMPY\x01\x00\x76"))
	text := clitest.WriteTemp(t, "text.csv", []byte("hello"))
	noEscape := clitest.WriteTemp(t, "noescape.csv", []byte("0000,1,1,0\n"))
	toy := clitest.WriteTemp(t, "toy.csv", []byte(toyTable))
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"", 2, "say list, report, sizes, tslc, train, plugin or tensors"},
		{"squeeze", 2, "unknown action"},
		{"list bdi", 2, "unexpected word: bdi"},
		{"report", 2, "no file"},
		{"report " + empty, 1, "empty.bin: byte 0: the file is empty"},
		{"report " + cut, 1, "cut.npy: byte 8: the .npy header is cut off"},
		{"report nothing.bin", 1, "nothing.bin"},
		{"report /", 1, "and not a file"},
		{"report --as gif " + data, 2, `unknown format: "gif"`},
		{"report --type nan " + data, 2, `unknown element type "nan": one of u8`},
		{"report --type f64 --offset 4 " + data, 1, "byte 1000: 996 bytes from byte 4 are no whole number of f64"},
		{"report --as npy " + data, 1, "byte 0: no .npy header"},
		{"report --codec zip " + data, 2, `unknown codec: "zip"`},
		{"sizes --codec e2mc16 --pdw 3 " + data, 2, "3 decoding ways"},
		{"sizes --codec e2mc16,e2mc32 --table " + toy + " " + data, 2, "one table cannot serve symbols of 16 and of 32 bits"},
		{"sizes --codec bdi --table " + toy + " " + data, 2, "leave --table out"},
		{"sizes --codec e2mc16 --table " + text + " " + data, 1, "text.csv: line 1: 1 columns"},
		{"sizes --codec e2mc16 --table " + noEscape + " " + data, 1, "noescape.csv: the table has 0 rows ESC"},
		{"sizes --codec e2mc16 --table nothing.csv " + data, 1, "nothing.csv"},
		{"tslc --accounting half " + data, 2, "want fixed32, variable or literal"},
		{"tslc --tree tall " + data, 2, "use one of base, opt"},
		{"tslc --codec bpc " + data, 2, "does not code one symbol after the other"},
		{"tslc --codec zip " + data, 2, "unknown codec"},
		{"tslc --mag 48 " + data, 2, "want 16, 32 or 64"},
		{"tslc --threshold -1 " + data, 2, "want 0 to 128"},
		{"tslc --threshold 129 " + data, 2, "want 0 to 128"},
		{"train " + data, 2, "give --symbol-bits 4, 8, 16 or 32"},
		{"train --symbol-bits 12 " + data, 2, "give --symbol-bits"},
	} {
		status, out, errs := call(append([]string{"codec"}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(errs, c.want) || strings.Contains(errs, "internal error") {
			t.Errorf("%s: status %d, want %d\n%s%swant %s", c.args, status, c.status, out, errs, c.want)
		}
	}
}
