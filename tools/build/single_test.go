package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// bytes7 reads what text7 writes, bit by bit.
func bytes7(t *testing.T, text string) []byte {
	t.Helper()
	number, characters, _ := strings.Cut(text, " ")
	count, err := strconv.Atoi(number)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var bits strings.Builder
	for _, c := range characters {
		switch {
		case c < 128:
			fmt.Fprintf(&bits, "%07b", c)
		case c >= 0x100 && c < 0x300:
			fmt.Fprintf(&bits, "%07b%07b", "\x00\n\r<"[(c-0x100)/128], c%128)
		default:
			t.Fatalf("%q holds no bits", c)
		}
	}
	if len(bits.String()) < count*8 {
		t.Fatalf("%d bits for %d bytes", len(bits.String()), count)
	}
	data := make([]byte, count)
	for i := range data {
		one, err := strconv.ParseUint(bits.String()[i*8:i*8+8], 2, 8)
		if err != nil {
			t.Fatal(err)
		}
		data[i] = byte(one)
	}
	return data
}

func TestText7(t *testing.T) {
	all := make([]byte, 256*3)
	for i := range all {
		all[i] = byte(i * 7)
	}
	cases := [][]byte{nil, {0}, {255}, {1, 2, 3}, {255, 255, 255, 255}, {0, 0, 0, 0, 9}, all, []byte("</script><!--"), make([]byte, 100)}
	random := rand.New(rand.NewPCG(1, 2))
	for length := range 64 {
		data := make([]byte, length)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		cases = append(cases, data)
	}
	for _, data := range cases {
		before := bytes.Clone(data)
		text := text7(data)
		if got := bytes7(t, text); !bytes.Equal(got, data) {
			t.Errorf("%v became %q and %v", data, text, got)
		}
		if strings.ContainsAny(text, "<\r\n\x00") || !utf8.ValidString(text) || !bytes.Equal(before, data) {
			t.Errorf("%v: %q", data, text)
		}
		if most := len(data)*8/7 + 8; len(text) > most {
			t.Errorf("%d bytes became %d, more than %d", len(data), len(text), most)
		}
	}
}

// TestSingleHoldsEverything: the one-file form names no other file, and what its
// scripts ask for by asset is in it, byte for byte.
func TestSingleHoldsEverything(t *testing.T) {
	files := small()
	delete(files, "lesson.html")
	files["index.html"] = "<head><title>x</title><link rel=\"icon\" href=\"icon.svg\"><link rel=\"manifest\" href=\"manifest.webmanifest\">\n" +
		`<link rel="stylesheet" href="style.css"><script src="shell.js" defer></script></head><body><img src="poster-approximated.png"></body>`
	files["icon.svg"] = "<svg/>"
	files["engine.wasm"] = strings.Repeat("wasm", 1000)
	files["single.js"] = "unpack()"
	files["manifest.webmanifest"] = "{}"
	stage := stageOf(t, files)
	if err := writeSingle(stage, t.TempDir(), "1.2.3"); err != nil {
		t.Fatal(err)
	}
	page := read(t, stage, singleFile)
	for _, found := range regexp.MustCompile(`(href|src)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if !strings.HasPrefix(found[2], "data:") {
			t.Errorf("names %s", found[2])
		}
	}
	for _, want := range []string{
		"<style>b{}</style>", "<script>unpack()</script>", `>shell.js</script>`, "Content-Security-Policy", "default-src 'none'",
		"data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte("png too")),
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in it", want)
		}
	}
	element := func(attribute string) []byte {
		found := regexp.MustCompile(`<script type="text/plain" ` + attribute + `>([^<]*)</script>`).FindStringSubmatch(page)
		if found == nil {
			t.Fatalf("no element %s", attribute)
		}
		reader, err := gzip.NewReader(bytes.NewReader(bytes7(t, found[1])))
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if got := string(element(`data-file="engine.wasm"`)); got != files["engine.wasm"] {
		t.Errorf("engine.wasm: %d bytes", len(got))
	}
	var texts map[string]string
	if err := json.Unmarshal(element(`id="texts"`), &texts); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shell.js", "view.js", "view.html", "scenarios/index.json"} {
		if texts[name] != files[name] {
			t.Errorf("%s: %q", name, texts[name])
		}
	}
	if listIn(t, page).Version != "1.2.3" {
		t.Error("it does not say its version")
	}
}

func TestSingleNamesWhatIsMissing(t *testing.T) {
	stage := stageOf(t, map[string]string{"index.html": `<head><title></title><link rel="stylesheet" href="gone.css"></head><body></body>`, "single.js": "</script>"})
	err := writeSingle(stage, t.TempDir(), "1.2.3")
	if err == nil || !strings.Contains(err.Error(), "gone.css") || !strings.Contains(err.Error(), "</script") {
		t.Errorf("%v", err)
	}
}
