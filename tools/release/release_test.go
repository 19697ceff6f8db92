package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	oci "github.com/opencontainers/image-spec/specs-go/v1"
)

// at is a time that no archive would have by itself.
var at = time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)

// contents reads a tar file, packed or not, into its files and their modes.
func contents(t *testing.T, data []byte) (files map[string][]byte, modes map[string]int64) {
	t.Helper()
	files, modes = map[string][]byte{}, map[string]int64{}
	var r io.Reader = bytes.NewReader(data)
	if packed, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		r = packed
	}
	last := ""
	for in := tar.NewReader(r); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files, modes
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Name <= last || !h.ModTime.Equal(at) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s after %s: dated %s, of %q", h.Name, last, h.ModTime, h.Uname)
		}
		last = h.Name
		files[h.Name], err = io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		modes[h.Name] = h.Mode
	}
}

// An archive depends on names, modes and bytes alone: not on the order of its files, nor on the zone of the clock.
func TestArchivesAreTheSame(t *testing.T) {
	list := []entry{{"b/x", program, []byte("run")}, {"a", plain, []byte("text")}, {"b.txt", plain, nil}}
	other := slices.Clone(list)
	slices.Reverse(other)
	elsewhere := at.In(time.FixedZone("east", 3600*9))
	for name, pack := range map[string]func([]entry, time.Time) ([]byte, error){"tar.gz": packTarGz, "zip": packZip} {
		first, err := pack(list, at)
		if err != nil {
			t.Fatal(err)
		}
		second, err := pack(other, elsewhere)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: two packs of the same files differ (%v)", name, err)
		}
		for _, bad := range [][]entry{{{"a", plain, nil}, {"a", plain, nil}}, {{"../a", plain, nil}}, {{"/a", plain, nil}},
			{{"", plain, nil}}} {
			if _, err := pack(bad, at); err == nil {
				t.Errorf("%s: packed %v", name, bad)
			}
		}
	}
	packed, _ := packTarGz(list, at)
	files, modes := contents(t, packed)
	if string(files["b/x"]) != "run" || modes["b/x"] != 0o755 || modes["a"] != 0o644 || len(files) != 3 {
		t.Errorf("%q %v", files, modes)
	}
	packed, _ = packZip(list, at)
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil || len(z.File) != 3 || z.File[2].Name != "b/x" || z.File[2].Mode() != program ||
		!z.File[2].Modified.Equal(at) {
		t.Errorf("%v %+v", err, z.File)
	}
}

// Every blob of the image has the hash and size that its descriptor says, down to the layer, and the layer's own hash
// is that of its tar file. The page, which is the same on both machines, does not make the image depend on the order.
func TestImage(t *testing.T) {
	site := entry{imageSite + "/index.html", plain, []byte("page")}
	machines := []machineImage{
		{"amd64", []entry{site, {imageProgram, program, []byte("x86")}}}, {"arm64", []entry{site, {imageProgram, program,
			[]byte("arm")}}},
	}
	list, err := imageOf("1.2.3", machines, at)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := writeTar(&packed, list, at); err != nil {
		t.Fatal(err)
	}
	files, _ := contents(t, packed.Bytes())
	read := func(name string, v any) {
		t.Helper()
		if err := json.Unmarshal(files[name], v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	blob := func(d oci.Descriptor) string {
		t.Helper()
		name := "blobs/sha256/" + d.Digest.Encoded()
		if sum := fmt.Sprintf("%x", sha256.Sum256(files[name])); sum != d.Digest.Encoded() ||
			d.Size != int64(len(files[name])) || d.Size == 0 {
			t.Errorf("%s has the hash %s and %d bytes", name, sum, d.Size)
		}
		return name
	}
	var mark oci.ImageLayout
	read("oci-layout", &mark)
	var outer, index oci.Index
	read("index.json", &outer)
	if mark.Version != "1.0.0" || len(outer.Manifests) != 1 ||
		outer.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "1.2.3" {
		t.Errorf("%+v %+v", mark, outer)
	}
	read(blob(outer.Manifests[0]), &index)
	if len(index.Manifests) != 2 {
		t.Fatalf("%d machines", len(index.Manifests))
	}
	for i, want := range []string{"x86", "arm"} {
		var manifest oci.Manifest
		read(blob(index.Manifests[i]), &manifest)
		var config oci.Image
		read(blob(manifest.Config), &config)
		layer, modes := contents(t, files[blob(manifest.Layers[0])])
		raw, err := gzip.NewReader(bytes.NewReader(files[blob(manifest.Layers[0])]))
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		if _, err := io.Copy(h, raw); err != nil {
			t.Fatal(err)
		}
		if diff := config.RootFS.DiffIDs[0].Encoded(); diff != fmt.Sprintf("%x", h.Sum(nil)) {
			t.Errorf("the layer is called %s", diff)
		}
		if string(layer[imageProgram]) != want || modes[imageProgram] != 0o755 ||
			string(layer[imageSite+"/index.html"]) != "page" {
			t.Errorf("%s: %q", want, layer)
		}
		if config.Architecture != machines[i].arch || index.Manifests[i].Platform.Architecture != machines[i].arch ||
			!config.Created.Equal(at) ||
			!slices.Equal(config.Config.Entrypoint, []string{"/usr/bin/burstscope"}) || !slices.Contains(config.Config.Env,
			"BURSTSCOPE_SITE=/usr/share/burstscope/site") {
			t.Errorf("%+v", config)
		}
	}
}

// A program for another machine, or one that needs an interpreter, is refused; this test is a program of this machine.
func TestFormatOfPrograms(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	here := target{os: runtime.GOOS, arch: runtime.GOARCH}
	if how, err := formatOf(data, here); err != nil && !strings.Contains(err.Error(), "not static") {
		t.Errorf("%s: %s %v", here, how, err)
	}
	for _, other := range targets {
		if other.os == here.os && other.arch == here.arch {
			continue
		}
		if how, err := formatOf(data, other); err == nil {
			t.Errorf("this program of %s passes as one of %s (%s)", here, other, how)
		}
		if _, err := formatOf([]byte("#!/bin/sh\n"), other); err == nil {
			t.Errorf("a script passes as a program of %s", other)
		}
	}
}

// A wheel holds the program where the package looks for it, can be made again byte by byte, and names every platform
// that it is for.
func TestWheel(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("SKIPPED: no wheel was written, because python3 is missing; on Debian: apt install python3")
	}
	binary := filepath.Join(t.TempDir(), "any name")
	if err := os.WriteFile(binary, []byte("#!/bin/sh\necho program $*\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var first []byte
	for range 2 {
		out := t.TempDir()
		name, err := writeWheel("../..", out, binary, targets[0])
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if !bytes.Equal(first, data) {
			t.Error("two wheels of the same files differ")
		}
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		text, names := map[string]string{}, []string{}
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			text[filepath.Base(f.Name)] = string(b)
			names = append(names, f.Name)
			if f.Name == "burstscope/burstscope" && f.Mode() != 0o755 {
				t.Errorf("the program has mode %v", f.Mode())
			}
		}
		if !strings.Contains(text["WHEEL"], "Root-Is-Purelib: false\n") || strings.Count(text["WHEEL"],
			"Tag: py3-none-") != 3 ||
			!strings.Contains(text["WHEEL"], "\nTag: py3-none-musllinux_1_1_x86_64\n") || !slices.Contains(names,
			"burstscope/burstscope") ||
			!slices.Contains(names, "burstscope/py.typed") || !strings.Contains(text["entry_points.txt"],
			"burstscope._program:main") {
			t.Errorf("%v\n%s", names, text["WHEEL"])
		}
	}
	for _, bad := range []target{{wheel: "any"}, {wheel: "a/b"}, {wheel: ""}} {
		if _, err := writeWheel("../..", t.TempDir(), binary, bad); err == nil || !strings.Contains(err.Error(),
			"is no tag of a platform") {
			t.Errorf("%q: %v", bad.wheel, err)
		}
	}
	checkInstalledWheel(t, first)
}

// checkInstalledWheel installs a wheel as its user does and starts its program through the package.
func checkInstalledWheel(t *testing.T, wheel []byte) {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" || exec.Command("python3", "-m", "pip",
		"--version").Run() != nil {
		t.Log("not installed: the wheel is for Linux on amd64, and needs pip")
		return
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "burstscope-0.4.0-py3-none-"+targets[0].wheel+".whl")
	if err := os.WriteFile(name, wheel, 0o644); err != nil {
		t.Fatal(err)
	}
	packages := filepath.Join(dir, "packages")
	if out, err := exec.Command("python3", "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-cache-dir",
		"--disable-pip-version-check", "--root-user-action=ignore", "--target", packages, name).CombinedOutput(); err != nil {
		t.Fatalf("pip install: %v\n%s", err, out)
	}
	c := exec.Command("python3", "-c", "import burstscope; print(burstscope.call('run', 'tp'), end='')")
	c.Dir, c.Env = dir, append(os.Environ(), "PYTHONPATH="+packages, "BURSTSCOPE=")
	if out, err := c.CombinedOutput(); err != nil || string(out) != "program run tp\n" {
		t.Errorf("%v: %q", err, out)
	}
	c = exec.Command(filepath.Join(packages, "bin", "burstscope"), "help")
	c.Env = append(os.Environ(), "PYTHONPATH="+packages, "BURSTSCOPE=")
	if out, err := c.CombinedOutput(); err != nil || string(out) != "program help\n" {
		t.Errorf("the command of the wheel: %v: %q", err, out)
	}
}

// The npm package says where its parts are, and all of these exist.
func TestNPMPackage(t *testing.T) {
	site := []entry{{"burst-scope.js", plain, []byte("element")}, {"v/1/assets/a.wasm", plain, []byte("wasm")}}
	list, err := npmPackage("1.2.3", site, []entry{{"LICENSE", plain, []byte("terms")}})
	if err != nil {
		t.Fatal(err)
	}
	packed, err := packTarGz(list, at)
	if err != nil {
		t.Fatal(err)
	}
	files, _ := contents(t, packed)
	var manifest struct {
		Name, Version, Type, Main, Types string
		Exports                          map[string]any
	}
	if err := json.Unmarshal(files["package/package.json"], &manifest); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{manifest.Main, manifest.Types, "./burst-scope.js", "./site/burst-scope.js",
		"./site/v/1/assets/a.wasm", "./LICENSE", "./README.md"} {
		if files["package/"+strings.TrimPrefix(name, "./")] == nil {
			t.Errorf("no %s", name)
		}
	}
	if manifest.Version != "1.2.3" || manifest.Name != "burst-scope" || manifest.Type != "module" {
		t.Errorf("%+v", manifest)
	}
	if _, err := npmPackage("1.2.3", nil, nil); err == nil {
		t.Error("packed a site without the element")
	}
	for name, want := range map[string][2]bool{ // on a server, in the package
		"index.html": {true, true}, "burst-scope.js": {true, true}, "a.js.br": {false, false},
		"v/0.4.0/burstscope.html": {false, false}, "companion/index.html": {false, false}, "guides/index.html": {true, false},
	} {
		if got := [2]bool{served(name), bundled(name)}; got != want {
			t.Errorf("%s: served and bundled are %v, want %v", name, got, want)
		}
	}
}

// The types name every attribute and method that the guide of embeds names, and the compiler of the page's tests
// accepts them.
func TestNPMTypes(t *testing.T) {
	guide, err := os.ReadFile("../../site/EMBED.md")
	if err != nil {
		t.Fatal(err)
	}
	types, err := npmFiles.ReadFile("npm/index.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	attributes := 0
	_, rest, _ := strings.Cut(string(guide), "| attribute | meaning |")
	table, after, _ := strings.Cut(rest, "\n\n")
	for row := range strings.Lines(table) {
		first, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		for i, word := range strings.Split(first, "`") {
			if i%2 == 1 {
				attributes++
				if !bytes.Contains(types, []byte("\n  "+word+"?: ")) {
					t.Errorf("the types lack the attribute %s", word)
				}
			}
		}
	}
	methods, _, _ := strings.Cut(after, "If the\nembed refuses")
	for _, call := range []string{"getState", "setState", "run", "pause", "seek", "export"} {
		if !strings.Contains(methods, "`"+call+"(") || !bytes.Contains(types, []byte("\n  "+call+"(")) {
			t.Errorf("the guide or the types lack the method %s", call)
		}
	}
	if attributes < 18 {
		t.Errorf("the guide has %d attributes", attributes)
	}
	tsc, err := filepath.Abs("../../site/e2e/node_modules/typescript/bin/tsc")
	if _, statErr := os.Stat(tsc); err != nil || statErr != nil {
		t.Skip("SKIPPED: the types were not compiled, because site/e2e/node_modules has no TypeScript; ./build.sh test " +
			"installs it")
	}
	dir := t.TempDir()
	use := `import { defined, type BurstScopeState } from "./index.js";
const e = document.querySelector("burst-scope");
e?.addEventListener("burst-scope-state", (m) => console.log(m.detail.state.cycles));
export const state: Promise<BurstScopeState> | undefined = e?.seek(100);
void defined.then((is: boolean) => e?.setState({ scenario: "tp", playing: is }));
// @ts-expect-error: a format that does not exist
void e?.export("png");
`
	for name, text := range map[string]string{"use.ts": use, "index.d.ts": string(types)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("node", tsc, "--strict", "--noEmit", "--target", "ES2022", "--module", "ESNext",
		"--moduleResolution", "bundler",
		"--lib", "ES2022,DOM", filepath.Join(dir, "use.ts")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Licences are recognised by their text, and a module without one cannot be in a release.
func TestLicences(t *testing.T) {
	for id, name := range map[string]string{"Apache-2.0": "../../LICENSE",
		"BSD-3-Clause": filepath.Join(runtime.GOROOT(), "LICENSE")} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Logf("%s is not here: %v", name, err)
			continue
		}
		if got := licenceID(text); got != id {
			t.Errorf("%s is %q", name, got)
		}
	}
	if got := licenceID([]byte("Permission is hereby granted, free of\ncharge, to any person")); got != "MIT" {
		t.Errorf("MIT is %q", got)
	}
	if got := licenceID([]byte("You may do what you like.")); got != "" {
		t.Errorf("an unknown licence is %q", got)
	}
	dir := t.TempDir()
	if _, err := licencesIn("example.org/m", dir); err == nil || !strings.Contains(err.Error(),
		"example.org/m has no licence file") {
		t.Error(err)
	}
	for _, name := range []string{"NOTICE", "LICENSE.md", "licence-BSD", "licenses.go", "README"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("terms"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	list, err := licencesIn("example.org/m", dir)
	if err != nil || len(list) != 3 {
		t.Errorf("%v: %d files", err, len(list))
	}
	text := string(noticesOf([]shipped{{module{Path: "a", Version: "v1"}, "golang", list[:1]},
		{module{Path: "b", Version: "v2"}, "npm", list[:1]}}))
	if strings.Count(text, "terms") != 1 || !strings.Contains(text, "the text stands above, at a") {
		t.Error(text)
	}
}

// The page's npm packages are in the licences and, as shipped, in the bill of materials.
func TestVendoredPackages(t *testing.T) {
	list, err := shippedIn("../..")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(list, func(s shipped) bool { return s.Path == "yaml" })
	if at < 0 || list[at].Version == "" {
		t.Fatal("no yaml among what is shipped")
	}
	if text := string(noticesOf(list)); !strings.Contains(text, "\nyaml "+list[at].Version+"\n") ||
		!strings.Contains(text, "Copyright Eemeli Aro") {
		t.Error("the notices lack the licence of yaml")
	}
	c := partComponent(&list[at])
	if c.PackageURL != "pkg:npm/yaml@"+list[at].Version || c.Scope != "required" || c.Licenses == nil ||
		(*c.Licenses)[0].License.ID != "ISC" {
		t.Errorf("%+v", c)
	}
	broken := filepath.Join(t.TempDir(), "x.tgz")
	if err := os.WriteFile(broken, []byte("no package"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := vendored(broken); err == nil {
		t.Error("what is no package is one")
	}
}

// The modules of the programs are those of the imports, over all systems, and every one may be given on.
func TestModulesOfThePrograms(t *testing.T) {
	list, err := modulesOf("../..")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, m := range list {
		names = append(names, m.Path)
		texts, err := licencesIn(m.Path, m.Dir)
		if err != nil || m.Version == "" {
			t.Errorf("%s %s: %v", m.Path, m.Version, err)
		}
		if len(texts) > 0 && !slices.ContainsFunc(texts, func(e entry) bool { return licenceID(e.data) != "" }) {
			t.Errorf("%s has a licence that is not known", m.Path)
		}
	}
	for _, want := range []string{"github.com/tetratelabs/wazero", "github.com/hajimehoshi/ebiten/v2",
		"go.yaml.in/yaml/v4"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	if slices.Contains(names, "github.com/CycloneDX/cyclonedx-go") || slices.Contains(names,
		"github.com/chromedp/chromedp") {
		t.Errorf("what only builds and tests use counts as shipped: %v", names)
	}
}

// The bill of materials has every npm package of the lock once, marked as not shipped.
func TestSBOMOfLock(t *testing.T) {
	list, err := lockComponents([]byte(`{"packages": {
		"": {"version": "1.0.0"},
		"node_modules/b": {"version": "2.0.0", "license": "MIT"},
		"node_modules/b/node_modules/@s/a": {"version": "1.1.0", "license": "(MIT OR Apache-2.0)"},
		"node_modules/@s/a": {"version": "1.1.0"}
	}}`))
	if err != nil || len(list) != 2 {
		t.Fatalf("%v: %+v", err, list)
	}
	if list[0].PackageURL != "pkg:npm/%40s/a@1.1.0" || list[1].BOMRef != "pkg:npm/b@2.0.0" ||
		list[1].Scope != "excluded" || (*list[1].Licenses)[0].License.ID != "MIT" {
		t.Errorf("%+v", list)
	}
}

func TestChosenTargets(t *testing.T) {
	if all, err := chosen(""); err != nil || len(all) != 6 {
		t.Error(all, err)
	}
	if some, err := chosen("darwin-arm64,linux-amd64"); err != nil || len(some) != 2 ||
		some[0].wheel != "macosx_12_0_arm64" {
		t.Error(some, err)
	}
	if _, err := chosen("linux-amd64,plan9"); err == nil || !strings.Contains(err.Error(),
		`"plan9": use some of [linux-amd64`) {
		t.Error(err)
	}
}

// The time of a release is checked, and a folder with other files is not emptied.
func TestWhereAndWhen(t *testing.T) {
	for _, text := range []string{"soon", "-5", "1.5", "100"} {
		t.Setenv("SOURCE_DATE_EPOCH", text)
		if _, err := timeOf("."); err == nil {
			t.Errorf("took the time %s", text)
		}
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	if got, err := timeOf("."); err != nil || got.Unix() != 1_700_000_000 {
		t.Error(got, err)
	}
	dir := t.TempDir()
	thesis := filepath.Join(dir, "thesis.tex")
	if err := os.WriteFile(thesis, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := replaceable(dir); err == nil {
		t.Error("would empty a folder that holds no release")
	}
	if err := os.WriteFile(filepath.Join(dir, sumsFile), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := replaceable(dir); err != nil {
		t.Error(err)
	}
	if err := replaceable(filepath.Join(dir, "new")); err != nil {
		t.Error(err)
	}
	if v, err := versionOf("../.."); err != nil || v == "" {
		t.Error(v, err)
	}
}
