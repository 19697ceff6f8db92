package wasmlink

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/evanw/esbuild/pkg/api"

	"github.com/burstscope/burstscope/tools/wasmlink/code"
	"github.com/burstscope/burstscope/tools/wasmlink/pack"
)

// restoring runs the page's side of packing under node: it writes what unpacked makes of a
// file, given in pieces of a length.
const restoring = `
import fs from "node:fs";
import { unpacked } from "./unpack.mjs";
const [from, to, step] = process.argv.slice(2);
const bytes = fs.readFileSync(from);
const arriving = new ReadableStream({
  start(c) {
    for (let i = 0; i < bytes.length; i += Number(step)) c.enqueue(new Uint8Array(bytes.subarray(i, i + Number(step))));
    c.close();
  },
});
try {
  fs.writeFileSync(to, new Uint8Array(await new Response(unpacked(arriving)).arrayBuffer()));
} catch (e) {
  console.log("Error: " + e.message);
}
`

// restorer returns a function that restores a program and says its error.
func restorer(t *testing.T) func(packed []byte, step int) (module []byte, fault string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed; the browser tests restore the engine too")
	}
	dir := t.TempDir()
	made := api.Build(api.BuildOptions{
		EntryPoints: []string{"../../site/src/lib/unpack.ts"}, Bundle: true, Format: api.FormatESModule, Target: api.ES2022,
		Outfile: filepath.Join(dir, "unpack.mjs"), Write: true,
	})
	if len(made.Errors) > 0 {
		t.Fatal(made.Errors[0].Text)
	}
	script, from, to := filepath.Join(dir, "restore.mjs"), filepath.Join(dir, "packed"), filepath.Join(dir, "module")
	if err := os.WriteFile(script, []byte(restoring), 0o644); err != nil {
		t.Fatal(err)
	}
	return func(packed []byte, step int) ([]byte, string) {
		if err := os.WriteFile(from, packed, 0o644); err != nil {
			t.Fatal(err)
		}
		_ = os.Remove(to)
		said, err := exec.Command(node, script, from, to, fmt.Sprint(step)).CombinedOutput()
		if err != nil {
			t.Fatalf("node: %v\n%s", err, said)
		}
		module, _ := os.ReadFile(to)
		return module, strings.TrimSpace(string(said))
	}
}

// A packed program becomes the same bytes again, however it arrives, and is smaller after
// compression; a program that is not packed stays as it is, and one that ends too early is
// an error.
func TestPackedProgramIsRestored(t *testing.T) {
	restore := restorer(t)
	_, module := patchedProgram(t, false)
	packed, err := packedModule(module)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []int{999, 1 << 30} {
		if got, fault := restore(packed, step); !bytes.Equal(got, module) {
			t.Errorf("in pieces of %d bytes: %d bytes of %d, %s", step, len(got), len(module), fault)
		}
	}
	if a, b := len(brotliedFast(module)), len(brotliedFast(packed)); b > a*4/5 {
		t.Errorf("%d bytes after brotli, %d when packed: packing has no use any more", a, b)
	}
	for name, c := range map[string]struct {
		program []byte
		want    string
	}{
		"not packed": {module, ""},
		"no module":  {[]byte("nonsense"), ""},
		"a page":     {bytes.Repeat([]byte("<p>Log in</p>"), 100), ""},
	} {
		if got, fault := restore(c.program, 1<<16); !bytes.Equal(got, c.program) || fault != "" {
			t.Errorf("%s: %d bytes of %d, %s", name, len(got), len(c.program), fault)
		}
	}
	for _, cut := range []int{30, 1000, len(packed) / 2, len(packed) - 1} {
		if got, fault := restore(packed[:cut], 1<<16); fault != "Error: the program ends too early" {
			t.Errorf("cut after %d bytes: %d bytes, %q", cut, len(got), fault)
		}
	}
}

// Modules of every kind of instruction are restored, also those that Go's compiler does not
// write in this order.
func TestPacksAnyOrderOfInstructions(t *testing.T) {
	restore := restorer(t)
	for name, body := range map[string]string{
		"empty":                  "\x00\x0b",
		"locals":                 "\x02\x02\x7f\x81\x01\x7e\x0b",
		"numbers":                "\x00\x41\x7f\x1a\x42\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f\x1a\x41\x80\x80\x80\x80\x78\x1a\x0b",
		"long numbers":           "\x00\x41\x81\x00\x1a\x42\x85\x80\x80\x00\x1a\x10\x05\x10\x85\x00\x0b",
		"floats":                 "\x00\x43abcd\x1a\x44abcdefgh\x1a\x0b",
		"addresses":              "\x00\x42\x80\x80\x04\x1a\x42\xff\xff\xff\x07\x1a\x42\xff\xff\xff\x00\x1a\x0b",
		"memory":                 "\x00\x20\x01\x29\x03\x30\x1a\x20\x01\x29\x03\x00\x1a\x3f\x00\x40\x00\x1a\xfc\x0a\x00\x00\xfc\x0b\x00\xfc\x03\x0b",
		"branches":               "\x00\x02\x40\x03\x40\x04\x40\x0c\x00\x0d\x01\x0c\x02\x0c\x03\x05\x0b\x0b\x0b\x0b",
		"a long depth":           "\x00\x02\x40\x0c\x80\x00\x0b\x0b",
		"resume points":          "\x00\x03\x40\x02\x40\x02\x40\x02\x40\x20\x00\x0e\x04\x00\x00\x01\x01\x02\x0b\x41\x02\x21\x00\x0c\x02\x0b\x42\x83\x80\x80\x80\x01\x37\x03\x00\x0b\x41\x04\x21\x00\x0c\x00\x0b\x0b",
		"a table that falls":     "\x00\x02\x40\x02\x40\x20\x00\x0e\x02\x01\x00\x01\x0b\x0b\x41\x02\x21\x00\x0c\x00\x0b",
		"a table that jumps":     "\x00\x02\x40\x02\x40\x02\x40\x20\x00\x0e\x01\x00\x02\x0b\x0b\x0b\x0b",
		"a long table":           "\x00\x02\x40\x20\x00\x0e\x81\x00\x00\x00\x0b\x0b",
		"two tables":             "\x00\x02\x40\x02\x40\x20\x00\x0e\x01\x00\x01\x0b\x20\x00\x0e\x01\x00\x01\x0b\x0b",
		"an address without one": "\x00\x42\x80\x80\x80\x80\x01\x37\x03\x00\x0b",
		"the size of a frame":    "\x00\x20\x01\x41\xa8\x7f\x6b\x1a\x41\xa8\x7f\x41\xa8\xff\x7f\x1a\x0b",
	} {
		bodies := strings.Repeat(string(rune(len(body)))+body, 40)
		section := "\x28" + bodies
		size := []byte{byte(len(section)&127 | 128), byte(len(section) >> 7)}
		module := []byte("\x00asm\x01\x00\x00\x00\x00\x03\x02ab\x0a" + string(size) + section + "\x00\x03\x02cd")
		packed, err := pack.Pack(module, firstPC, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, fault := restore(packed, 7); !bytes.Equal(got, module) {
			t.Errorf("%s:\n%x\n%x %s", name, module, got, fault)
		}
	}
}

// A module in an unknown form is an error that names the byte, and no panic.
func TestPackRefusesWhatItDoesNotKnow(t *testing.T) {
	good := "\x00asm\x01\x00\x00\x00\x0a\x0f\x02\x02\x00\x0b\x0a\x00\x02\x40\x41\x05\x1a\x0c\x00\x0b\x0b"
	longer := strings.Replace(good, "\x0a\x0f\x02\x02\x00\x0b\x0a", "\x0a\x10\x02\x02\x00\x0b\x0b", 1) + "\x0b"
	for name, m := range map[string]string{
		"JavaScript":            "console.log(1)",
		"unknown instruction":   strings.Replace(good, "\x1a", "\xfd", 1),
		"a function goes on":    longer,
		"a function has no end": strings.Replace(good, "\x02\x00\x0b", "\x02\x00\x01", 1),
	} {
		if _, err := pack.Pack([]byte(m), firstPC, nil); !errors.Is(err, code.ErrForm) || !strings.Contains(err.Error(), ": byte ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := pack.Pack([]byte(good), firstPC, nil); err != nil {
		t.Errorf("the module itself: %v", err)
	}
	for i := len("\x00asm\x01\x00\x00\x00") + 1; i < len(good); i++ {
		if _, err := pack.Pack([]byte(good[:i]), firstPC, nil); !errors.Is(err, code.ErrForm) {
			t.Errorf("cut at %d: %v", i, err)
		}
		for c := range 256 {
			changed := []byte(good)
			changed[i] = byte(c)
			_, _ = pack.Pack(changed, firstPC, nil) // must return
		}
	}
	for _, table := range []pack.Table{
		{At: len(good) - 3, Rows: 1, Words: 1}, {At: len(good), Rows: 1, Words: 2}, {At: len(good), Rows: 1, Words: 11, Record: true}, {At: 4, Rows: 1, Words: 1}, {At: len(good), Words: 2},
	} {
		if _, err := pack.Pack([]byte(good), firstPC, []pack.Table{table}); !errors.Is(err, code.ErrForm) {
			t.Errorf("%+v: %v", table, err)
		}
	}
}

// brotliedFast compresses as a build in a hurry does.
func brotliedFast(data []byte) []byte {
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: 5, LGWin: 24})
	_, _ = w.Write(data) // a bytes.Buffer does not fail
	_ = w.Close()
	return out.Bytes()
}
