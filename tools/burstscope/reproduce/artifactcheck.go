package reproduce

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/run"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
	"github.com/burstscope/burstscope/tools/input"
)

// artifactFiles are the files of an artifact, packed or unpacked.
type artifactFiles struct {
	name  string
	names []string // in order
	open  func(name string) (io.ReadCloser, error)
	close func() error
}

// openInput opens a file of the disk for reading.
func openInput(name string) (io.ReadCloser, error) {
	f, _, err := input.Open(name)
	if err != nil {
		return nil, disk.Fault("cannot read", err)
	}
	return f, nil
}

func openArtifact(name string) (*artifactFiles, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, disk.Fault("cannot read", err)
	}
	if info.IsDir() {
		return openUnpacked(name)
	}
	f, size, err := input.Open(name)
	if err != nil {
		return nil, disk.Fault("cannot read", err)
	}
	z, err := zip.NewReader(f, size)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: it is not a zip file that can be read (%w): get it again", name, err)
	}
	a := &artifactFiles{name: name, close: f.Close}
	at, err := zipped(z, a)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a.open = func(name string) (io.ReadCloser, error) { return at[name].Open() }
	return a, nil
}

// zipped checks what a zip file states of its files before any of them is read. A hostile one cannot name a place
// outside, take much memory, or show one file to one reader and another to the next.
func zipped(z *zip.Reader, a *artifactFiles) (map[string]*zip.File, error) {
	at, folded := map[string]*zip.File{}, map[string]string{}
	if len(z.File) > maxArtifactFiles {
		return nil, fmt.Errorf("it has %d files, and an artifact has at most %d", len(z.File), maxArtifactFiles)
	}
	total := uint64(0)
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0 && fs.ValidPath(strings.TrimSuffix(f.Name, "/")) {
			continue // a folder, as other packers list them
		}
		if !fs.ValidPath(f.Name) || f.Name == "." || strings.ContainsAny(f.Name, "\\:\x00") {
			return nil, fmt.Errorf("file %s: the name leads out of the artifact: do not unpack it", fault.Quote(f.Name))
		}
		if !f.Mode().IsRegular() {
			return nil, fmt.Errorf("file %s: it is a link or a device: do not unpack it", fault.Quote(f.Name))
		}
		if f.Method != zip.Store && f.Method != zip.Deflate || f.Flags&1 != 0 {
			return nil, fmt.Errorf("file %s: it is encrypted, or packed by method %d: pack it with deflate",
				fault.Quote(f.Name), f.Method)
		}
		// Systems whose names do not tell case apart would write one over the other.
		if other, twice := folded[strings.ToLower(f.Name)]; twice {
			return nil, fmt.Errorf("files %s and %s: two files of one name", fault.Quote(other), fault.Quote(f.Name))
		}
		if f.UncompressedSize64 > maxArtifactFile {
			return nil, fmt.Errorf("file %s: %d bytes, and a file of an artifact has at most %d", fault.Quote(f.Name),
				f.UncompressedSize64, maxArtifactFile)
		}
		if total += f.UncompressedSize64; total > maxArtifactBytes {
			return nil, fmt.Errorf("its files have more than %d bytes together", int64(maxArtifactBytes))
		}
		folded[strings.ToLower(f.Name)], at[f.Name] = f.Name, f
		a.names = append(a.names, f.Name)
	}
	slices.Sort(a.names)
	return at, nil
}

func openUnpacked(dir string) (*artifactFiles, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, disk.Fault("cannot read", err)
	}
	a := &artifactFiles{name: dir, close: root.Close}
	a.open = func(name string) (io.ReadCloser, error) { return root.Open(filepath.FromSlash(name)) }
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case !d.Type().IsRegular():
			return fmt.Errorf("%s: file %s: it is a link or a device", dir, fault.Quote(name))
		case len(a.names) == maxArtifactFiles:
			return fmt.Errorf("%s: it has more than %d files: name the folder of an unpacked artifact", dir, maxArtifactFiles)
		}
		a.names = append(a.names, name)
		return nil
	})
	if err != nil {
		root.Close()
		return nil, err
	}
	slices.Sort(a.names)
	return a, nil
}

// read returns a file of at most limit bytes. A file that has more than its zip file states ends in an error of
// package zip.
func (a *artifactFiles) read(name string, limit int64) ([]byte, error) {
	f, err := a.open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: file %s: %w", a.name, fault.Quote(name), err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		err = input.TooLarge{Size: int64(len(b)), Limit: limit}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: file %s: %w", a.name, fault.Quote(name), err)
	}
	return b, nil
}

func checkArtifact(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("artifact check", flag.ContinueOnError)
	runs := flags.String("run", "0", "")
	quiet := flags.Bool("quiet", false, "")
	var name string
	if err := cli.Parse(flags, args, cli.OneWord(&name, "artifact")); err != nil {
		return err
	}
	if name == "" {
		return cli.Usagef("no artifact: burstscope artifact check: name a zip file, or the folder of an unpacked one")
	}
	if _, err := runsWanted(*runs, 0); err != nil {
		return err
	}
	a, err := openArtifact(name)
	if err != nil {
		return err
	}
	defer a.close()
	if err := a.checkHashes(); err != nil {
		return err
	}
	results, err := a.checkResults()
	if err != nil {
		return err
	}
	scenarios, err := a.checkScenarios(results)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %d files have their hashes; %d results belong to their scenarios, %d of these by name\n",
		name, len(a.names), len(results), scenarios)
	p := packer{meter: run.NewMeter()}
	if *quiet {
		p.meter.Out = io.Discard
	}
	return a.runAgain(p, results, *runs, out)
}

// maxSumsBytes bounds the list of hashes: 66 bytes and a name for each file.
const maxSumsBytes = maxArtifactFiles * 512

// checkHashes compares every file with the list, which has every file once, and the files of data with their folders'
// names.
func (a *artifactFiles) checkHashes() error {
	if !slices.Contains(a.names, artifactSums) {
		return fmt.Errorf("%s: it has no %s: it is not an artifact of burstscope", a.name, artifactSums)
	}
	text, err := a.read(artifactSums, maxSumsBytes)
	if err != nil {
		return err
	}
	listed := map[string]string{}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		hash, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if b, err := hex.DecodeString(hash); !ok || err != nil || len(b) != sha256.Size || !fs.ValidPath(name) {
			return fmt.Errorf("%s: %s:%d: want a SHA-256, two spaces and a name", a.name, artifactSums, number)
		}
		if _, twice := listed[name]; twice {
			return fmt.Errorf("%s: %s:%d: %s stands there twice", a.name, artifactSums, number, fault.Quote(name))
		}
		if !slices.Contains(a.names, name) {
			return fmt.Errorf("%s: file %s is missing, and %s names it", a.name, fault.Quote(name), artifactSums)
		}
		listed[name] = strings.ToLower(hash)
	}
	for _, name := range a.names {
		if name == artifactSums {
			continue
		}
		want, ok := listed[name]
		if !ok {
			return fmt.Errorf("%s: file %s is not in %s: it was added later", a.name, fault.Quote(name), artifactSums)
		}
		got, err := a.hash(name)
		if err != nil {
			return err
		}
		if got != want {
			return fmt.Errorf("%s: file %s has the hash %.12s, and %s says %.12s: it was changed", a.name, fault.Quote(name),
				got, artifactSums, want)
		}
		if rest, ok := strings.CutPrefix(name, "data/"); ok && path.Dir(rest) != got {
			return fmt.Errorf("%s: file %s lies below another hash than its own, %.12s", a.name, fault.Quote(name), got)
		}
	}
	return nil
}

func (a *artifactFiles) hash(name string) (string, error) {
	f, err := a.open(name)
	if err != nil {
		return "", fmt.Errorf("%s: file %s: %w", a.name, fault.Quote(name), err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: file %s: %w: get the artifact again", a.name, fault.Quote(name), err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checkResults reads every result, and holds it against its scenario.
func (a *artifactFiles) checkResults() (map[string]*sweep.Entry, error) {
	results := map[string]*sweep.Entry{}
	for _, name := range a.names {
		rest, ok := strings.CutPrefix(name, "results/")
		if !ok {
			continue
		}
		if version := path.Dir(rest); version != experiment.Version {
			return nil, fmt.Errorf("%s: its results are of version %s, and this program is %s: check it with the program "+
				"in the artifact",
				a.name, fault.Quote(version), experiment.Version)
		}
		key, _ := strings.CutSuffix(path.Base(name), sweep.EntrySuffix)
		b, err := a.read(name, sweep.MaxEntryBytes)
		if err != nil {
			return nil, err
		}
		if !sweep.IsKey(key) {
			return nil, fmt.Errorf("%s: file %s has no name of a result", a.name, fault.Quote(name))
		}
		if results[key], err = sweep.ParseEntry(b, key); err != nil {
			return nil, fmt.Errorf("%s: file %s: %w", a.name, fault.Quote(name), err)
		}
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s: it has no results", a.name)
	}
	return results, nil
}

// checkScenarios reads every scenario; its result must be there.
func (a *artifactFiles) checkScenarios(results map[string]*sweep.Entry) (int, error) {
	count := 0
	for _, name := range a.names {
		if !strings.HasPrefix(name, "scenarios/") {
			continue
		}
		b, err := a.read(name, scenario.MaxMsgpackBytes)
		if err != nil {
			return 0, err
		}
		var s *scenario.Scenario
		if path.Ext(name) == ".msgpack" {
			s, err = cli.InFile(a.name + ": " + name)(authoring.ParseMsgpack(b))
		} else {
			s, err = authoring.ParseYAML(a.name+": "+name, b)
		}
		if err != nil {
			return 0, err
		}
		key := claim.NewJob(s, false).Key
		if results[key] == nil {
			return 0, fmt.Errorf("%s: file %s: its result %s is missing", a.name, fault.Quote(name), scenario.ShortHash(key))
		}
		count++
	}
	return count, nil
}

// runAgain makes runs again and compares the hashes of their results.
func (a *artifactFiles) runAgain(p packer, results map[string]*sweep.Entry, wanted string, out io.Writer) error {
	var keys []string
	for key, e := range results {
		if e.Result != nil { // traffic has no run of a machine
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	n, err := runsWanted(wanted, len(keys))
	if err != nil || n == 0 {
		return err
	}
	var faults []error
	for _, key := range spread(keys, n) {
		e := results[key]
		s, err := scenario.ParseJSON("scenario", bytes.TrimSpace(e.Scenario))
		if err != nil {
			return err
		}
		got, err := p.run(s)
		if err != nil {
			return fmt.Errorf("%s: run %s: %w", a.name, scenario.ShortHash(key), err)
		}
		if got.ResultHash != e.Result.ResultHash {
			faults = append(faults, fmt.Errorf("%s: run %s has the result %.12s, and the artifact says %.12s",
				a.name, scenario.ShortHash(key), got.ResultHash, e.Result.ResultHash))
		}
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d of %d runs made again have the same results, bit by bit\n", a.name, n, len(keys))
	return err
}
