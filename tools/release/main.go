// Command release writes everything that a version consists of into one folder: programs, Python wheels, an npm
// package, the site, a container image, and what describes them. Two runs on one commit write the same bytes.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.root, "root", ".", "root of the repository")
	flag.StringVar(&o.out, "out", "release", "folder to write, relative to the root; it must be empty, or hold an "+
		"earlier release")
	flag.StringVar(&o.tag, "tag", "", "tag of this version; another version than the sources state is refused")
	only := flag.String("only", "", "targets, such as linux-amd64,darwin-arm64; others are left out: a trial, and no "+
		"release")
	flag.BoolVar(&o.quick, "quick", false, "a trial: the page compressed in seconds, and programs without their profile")
	flag.Parse()
	var err error
	if o.targets, err = chosen(*only); err == nil {
		err = release(o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

type options struct {
	root, out, tag string
	quick          bool
	targets        []target
}

// maker is what the steps of a release share.
type maker struct {
	options
	to      string // folder in which the release is made
	work    string // folder for what is made on the way
	version string
	at      time.Time // the time of every file
	page    string    // folder of the built page
	notices []entry
	binary  map[target]string
}

func release(o options) error {
	version, err := versionOf(o.root)
	if err != nil {
		return err
	}
	if o.tag != "" && o.tag != "v"+version {
		return fmt.Errorf("the tag is %.40q, and core/experiment/result.go states version %s: tag v%s, or raise the "+
			"version", o.tag, version, version)
	}
	at, err := timeOf(o.root)
	if err != nil {
		return err
	}
	m := &maker{options: o, version: version, at: at, binary: map[target]string{}}
	m.work = filepath.Join(o.root, ".cache", "release")
	m.page, m.to = filepath.Join(m.work, "page"), filepath.Join(m.work, "files")
	target := filepath.Join(o.root, o.out)
	if err := replaceable(target); err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(m.to), os.MkdirAll(m.to, 0o755)); err != nil {
		return err
	}
	fmt.Printf("version %s, every file dated %s\n", m.version, m.at.UTC().Format(time.RFC3339))
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"page", m.buildPage},
		{"site", m.writeSite},
		{"licences", m.writeNotices},
		{"programs", m.writePrograms},
		{"wheels", m.writeWheels},
		{"npm", m.writeNPM},
		{"image", m.writeImage},
		{"SBOM", m.writeSBOM},
		{"sums", m.writeSums},
	} {
		start := time.Now()
		if err := step.do(); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Printf("  %-10s %5.1f s\n", step.name, time.Since(start).Seconds())
	}
	// The folder holds a whole release or none.
	if err := errors.Join(os.RemoveAll(target), os.Rename(m.to, target)); err != nil {
		return err
	}
	return list(target)
}

// versionLine is where the simulator states its version.
var versionLine = regexp.MustCompile(`(?m)^const Version = "(\d+\.\d+\.\d+)"$`)

func versionOf(root string) (string, error) {
	b, err := os.ReadFile(filepath.Join(root, "core", "experiment", "result.go"))
	if err != nil {
		return "", err
	}
	found := versionLine.FindSubmatch(b)
	if found == nil {
		return "", fmt.Errorf("core/experiment/result.go has no line that matches %s", versionLine)
	}
	return string(found[1]), nil
}

// timeOf is the time of the commit, or SOURCE_DATE_EPOCH (reproducible-builds.org) where there is no git.
func timeOf(root string) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		git := exec.Command("git", "log", "-1", "--format=%ct")
		git.Dir = root
		out, err := git.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("the time of the commit is unknown, because git does not tell it (%w): set "+
				"SOURCE_DATE_EPOCH", err)
		}
		text = strings.TrimSpace(string(out))
		git = exec.Command("git", "status", "--porcelain")
		git.Dir = root
		if out, err := git.Output(); err == nil && len(out) > 0 {
			fmt.Println("NOT A COMMIT: files differ from the commit; a release of this state cannot be made again")
		}
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	// Zip files have no times before 1980.
	if least := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC); err != nil || seconds < least.Unix() {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH=%.40q must be seconds since 1970, and of 1980 or later", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// replaceable refuses a folder that holds anything else than an earlier release.
func replaceable(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if len(entries) > 0 {
		if _, err := os.Stat(filepath.Join(folder, sumsFile)); err != nil {
			return fmt.Errorf("%s holds files and no %s: name an empty folder with -out", folder, sumsFile)
		}
	}
	return nil
}

func (m *maker) write(name string, data []byte) error {
	return os.WriteFile(filepath.Join(m.to, name), data, 0o644)
}

// name is the name of a file of the release: burstscope-VERSION-REST.
func (m *maker) name(rest string) string { return "burstscope-" + m.version + rest }

// buildPage builds the page into a folder without earlier versions of it.
func (m *maker) buildPage() error {
	if err := os.RemoveAll(m.page); err != nil {
		return err
	}
	inside, err := filepath.Rel(m.root, m.page)
	if err != nil {
		return err
	}
	words := []string{"run", "./tools/build", "-out", inside}
	if m.quick {
		words = append(words, "-quick")
	}
	build := exec.Command("go", words...)
	build.Dir, build.Stdout, build.Stderr = m.root, os.Stdout, os.Stderr
	return build.Run()
}

// singleFile is the page in one document, as tools/build names it.
const singleFile = "burstscope.html"

// writeSite writes the site for a host, with its compressed files, and the page as one file.
func (m *maker) writeSite() error {
	files, err := readFolder(m.page, func(string) bool { return true })
	if err != nil {
		return err
	}
	packed, err := packTarGz(below(m.name("-site"), files), m.at)
	if err != nil {
		return err
	}
	if err := m.write(m.name("-site.tar.gz"), packed); err != nil {
		return err
	}
	single, err := os.ReadFile(filepath.Join(m.page, singleFile))
	if err != nil {
		return err
	}
	return m.write(m.name(".html"), single)
}

// bundled are the files of the site that the pages of others need: the documents are for readers of the site itself.
func bundled(name string) bool { return served(name) && !strings.HasPrefix(name, "guides/") }

// served are the files of the site that a server needs: without those compressed in advance, the page as one file, and
// the sample of a companion page.
func served(name string) bool {
	ext := path.Ext(name)
	return ext != ".br" && ext != ".gz" && path.Base(name) != singleFile && !strings.HasPrefix(name, "companion/") &&
		name != "sizes.json"
}

// writePrograms compiles the command for every target, and packs each with the licences.
func (m *maker) writePrograms() error {
	for _, t := range m.targets {
		at, err := compile(m.root, filepath.Join(m.work, "programs"), t, m.quick)
		if err != nil {
			return err
		}
		how, err := verify(at, t, m.version)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		fmt.Printf("  %-14s %5.1f MB, %s\n", t, float64(len(data))/1e6, how)
		m.binary[t] = at
		name := m.name("-" + t.String())
		files := below(name, append([]entry{{t.program(), program, data}}, m.notices...))
		packed, ending := []byte(nil), ".tar.gz"
		if t.os == "windows" {
			ending = ".zip"
			packed, err = packZip(files, m.at)
		} else {
			packed, err = packTarGz(files, m.at)
		}
		if err != nil {
			return err
		}
		if err := m.write(name+ending, packed); err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) writeWheels() error {
	for _, t := range m.targets {
		if _, err := writeWheel(m.root, m.to, m.binary[t], t); err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) writeNPM() error {
	site, err := readFolder(m.page, bundled)
	if err != nil {
		return err
	}
	files, err := npmPackage(m.version, site, m.notices)
	if err != nil {
		return err
	}
	packed, err := packTarGz(files, m.at)
	if err != nil {
		return err
	}
	return m.write("burst-scope-"+m.version+".tgz", packed)
}

// writeImage packs the static programs for Linux with the page.
func (m *maker) writeImage() error {
	site, err := readFolder(m.page, func(name string) bool { return served(name) || path.Ext(name) == ".br" })
	if err != nil {
		return err
	}
	var machines []machineImage
	for _, t := range m.targets {
		if t.os != "linux" {
			continue
		}
		data, err := os.ReadFile(m.binary[t])
		if err != nil {
			return err
		}
		files := append(below(imageSite, site), below("usr/share/doc/burstscope", m.notices)...)
		machines = append(machines, machineImage{t.arch, append(files, entry{imageProgram, program, data})})
	}
	files, err := imageOf(m.version, machines, m.at)
	if err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(m.to, m.name("-oci.tar")))
	if err != nil {
		return err
	}
	defer out.Close()
	if err := writeTar(out, files, m.at); err != nil {
		return err
	}
	return out.Close()
}

func (m *maker) writeSBOM() error {
	b, err := sbomOf(m.root, m.version, m.at)
	if err != nil {
		return err
	}
	return m.write(m.name(".cdx.json"), b)
}

// list prints the files of the release with their sizes.
func list(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	fmt.Printf("%s:\n", folder)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return err
		}
		fmt.Printf("  %9.2f MB  %s\n", float64(info.Size())/1e6, e.Name())
	}
	return nil
}

func marshal(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	return append(b, '\n'), err
}
