package reproduce

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/run"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

const artifactHelp = `usage: burstscope artifact PAPER.zip [SCENARIO...] [--set path=value]... [--store DIR]
                           [--data FILE]... [--program FILE]... [--quiet]
       burstscope artifact check PAPER.zip|FOLDER [--run N|all] [--quiet]

Packs what a reader needs to check the numbers of a paper, as ACM's badges Artifacts
Evaluated and Results Reproduced ask: scenarios with their programs and inputs, results,
data, this program, and a script. Two packs of the same files have the same bytes.

  SCENARIO       a shipped name or a file; it runs, unless --store has its result
  --set          changes a value of every SCENARIO
  --store DIR    packs every result of this version in the folder of a sweep
  --data FILE    packs a file of yours, below the hash of its bytes
  --program FILE packs a further program beside this one, such as that of another system

  PAPER.zip      README.txt, check.sh, SHA256SUMS
    program/     burstscope of this system, and the further ones
    scenarios/   YAML, or msgpack if it is large, with all values, programs and buffers
    results/     a folder of results: sweep, claims and figure read it with --store
    data/HASH/   files of --data

check   compares the hash of every file, every result with its scenario, and every
        scenario with its result. --run makes N runs again, or all, and compares the
        hashes of their results. Only the version that made an artifact can check it:
        it is in the artifact

examples:
  burstscope artifact paper.zip dct mine.yaml --set memory.mag=64
  burstscope artifact paper.zip --store results --data measured.csv
  burstscope artifact check paper.zip --run 3
`

// Bounds of an artifact [ours]: a zip file that states more is refused before it is read.
const (
	maxArtifactFiles = 100_000
	maxArtifactFile  = 1 << 30
	maxArtifactBytes = 8 << 30
)

const (
	artifactSums   = "SHA256SUMS"
	artifactReadme = "README.txt"
	artifactScript = "check.sh"
)

// artifactTime is the time of every file: the least that a zip file can state, because a pack of the same files is
// the same.
var artifactTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func artifactVerb(args []string, out io.Writer) error {
	if len(args) > 0 && args[0] == "check" {
		return checkArtifact(args[1:], out)
	}
	p := packer{files: map[string]packed{}}
	flags := flag.NewFlagSet("artifact", flag.ContinueOnError)
	sets := cli.SetFlag(flags)
	dir := cli.FileFlag(flags, "store")
	var data, programs, names []string
	for name, list := range map[string]*[]string{"data": &data, "program": &programs} {
		flags.Func(name, "", func(file string) error { *list = append(*list, file); return nil })
	}
	quiet := flags.Bool("quiet", false, "")
	target := ""
	err := cli.Parse(flags, args, func(word string) error {
		if target == "" {
			target = word
		} else {
			names = append(names, word)
		}
		return nil
	})
	if err != nil {
		return err
	}
	switch {
	case target == "":
		return cli.Usagef("no file: burstscope artifact: name the file to write, such as paper.zip, or say check")
	case !strings.HasSuffix(target, ".zip"):
		return cli.Usagef("%s: burstscope artifact: the first word is the file to write: give it a name that ends in .zip",
			fault.Quote(target))
	case len(names) == 0 && *dir == "":
		return cli.Usagef("nothing to pack: burstscope artifact: name scenarios, or a folder of results with --store")
	}
	p.meter = run.NewMeter()
	if *quiet {
		p.meter.Out = io.Discard
	}
	if err := p.collect(names, *sets, *dir, data, programs); err != nil {
		return err
	}
	if err := p.write(target); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: %d results of %d named scenarios, %d files; check it with: burstscope artifact "+
		"check %s --run all\n",
		target, p.results, len(names), len(p.files), target)
	return err
}

// packer collects the files of an artifact.
type packer struct {
	meter   *run.Meter
	files   map[string]packed
	results int
}

// packed is a file of an artifact: its bytes, or the file that has them, and their hash.
type packed struct {
	data []byte
	from string
	hash string
	exec bool
}

func (p *packer) add(name string, f packed) error {
	if other, ok := p.files[name]; ok && other.hash != f.hash {
		return fmt.Errorf("two files of one name in the artifact: %s: give them different names", name)
	}
	p.files[name] = f
	return nil
}

func (p *packer) text(name string, data []byte) error {
	sum := sha256.Sum256(data)
	return p.add(name, packed{data: data, hash: hex.EncodeToString(sum[:]), exec: name == artifactScript})
}

// file adds a file of the disk; folder may depend on its hash.
func (p *packer) file(from string, exec bool, folder func(hash string) string) error {
	f, err := openInput(from)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, maxArtifactFile+1))
	if err != nil {
		return disk.Fault("cannot read", err)
	}
	if n > maxArtifactFile {
		return fmt.Errorf("file too large: %s: an artifact holds files of at most %d bytes", from, maxArtifactFile)
	}
	hash := hex.EncodeToString(h.Sum(nil))
	return p.add(path.Join(folder(hash), filepath.Base(from)), packed{from: from, hash: hash, exec: exec})
}

func (p *packer) collect(names []string, sets []cli.Assignment, dir string, data, programs []string) error {
	st := sweep.OpenStore(dir)
	if dir != "" {
		if err := p.store(st); err != nil {
			return err
		}
	}
	for _, name := range names {
		if err := p.scenario(name, sets, st); err != nil {
			return err
		}
	}
	for _, name := range data {
		if err := p.file(name, false, func(hash string) string { return "data/" + hash }); err != nil {
			return err
		}
	}
	for _, name := range programs {
		if err := p.file(name, true, func(string) string { return "program" }); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("this program cannot be found: %w: start it by its path", err)
	}
	own := packer{files: map[string]packed{}}
	if err := own.file(self, true, func(string) string { return "" }); err != nil {
		return err
	}
	for _, f := range own.files {
		if err := p.add(artifactProgram(), f); err != nil {
			return err
		}
	}
	if err := p.text(artifactScript, []byte(artifactCheckScript)); err != nil {
		return err
	}
	return p.text(artifactReadme, p.readme())
}

// artifactProgram is the path of this system's program.
func artifactProgram() string {
	name := "program/burstscope-" + runtime.GOOS + "-" + runtime.GOARCH
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// Store packs all results of a store. A damaged one is an error: an artifact must not hold it, nor silently lack it.
func (p *packer) store(st *sweep.Store) error {
	files, err := os.ReadDir(st.Folder())
	if err != nil {
		return disk.Fault("no store of version "+experiment.Version, err)
	}
	for _, f := range files {
		key, ok := strings.CutSuffix(f.Name(), sweep.EntrySuffix)
		if !ok || !sweep.IsKey(key) {
			continue
		}
		b, err := sweep.ReadResult(st.Path(key))
		if err == nil {
			_, err = sweep.ParseEntry(b, key)
		}
		if err != nil {
			return fmt.Errorf("%w: %s", sweep.Damaged(st.Path(key), err), sweep.MendDamaged)
		}
		if err := p.result(key, b); err != nil {
			return err
		}
	}
	return nil
}

func (p *packer) result(key string, b []byte) error {
	name := resultPath(key)
	if _, known := p.files[name]; !known {
		p.results++
	}
	return p.text(name, b)
}

func resultPath(key string) string {
	return path.Join("results", experiment.Version, key+sweep.EntrySuffix)
}

// scenario packs a scenario, and its result from the store or from a run.
func (p *packer) scenario(name string, sets []cli.Assignment, st *sweep.Store) error {
	s, err := cli.ScenarioWith(name, sets)
	if err != nil {
		return err
	}
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	text, ending := authoring.ToYAML(s), ".yaml"
	if len(text) > scenario.MaxTextBytes { // buffers of a program of one's own
		text, ending = authoring.Marshal(s), ".msgpack"
	}
	if err := p.text(path.Join("scenarios", base+ending), text); err != nil {
		return err
	}
	job := claim.NewJob(s, false)
	if _, known := p.files[resultPath(job.Key)]; known {
		return nil
	}
	result, err := p.run(s)
	if err != nil {
		return err
	}
	e := &sweep.Entry{Key: job.Key, Result: result}
	b, err := e.Text(s)
	if err != nil {
		return err
	}
	return p.result(job.Key, b)
}

func (p *packer) run(s *scenario.Scenario) (*experiment.Result, error) {
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return nil, err
	}
	return run.Finish(plan, p.meter)
}

// sorted are the names of the files in the order of the zip file.
func (p *packer) sorted() []string {
	var names []string
	for name := range p.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// write writes the zip file, with the list of hashes as its last file.
func (p *packer) write(target string) error {
	return disk.WriteWith(target, func(w io.Writer) error {
		z := zip.NewWriter(w)
		var sums strings.Builder
		for _, name := range p.sorted() {
			f := p.files[name]
			fmt.Fprintf(&sums, "%s  %s\n", f.hash, name)
			if err := f.writeTo(z, name); err != nil {
				return err
			}
		}
		if err := (packed{data: []byte(sums.String())}).writeTo(z, artifactSums); err != nil {
			return err
		}
		return z.Close()
	})
}

func (f packed) writeTo(z *zip.Writer, name string) error {
	h := zip.FileHeader{Name: name, Method: zip.Deflate, Modified: artifactTime}
	h.SetMode(0o644)
	if f.exec {
		h.SetMode(0o755)
	}
	w, err := z.CreateHeader(&h)
	if err != nil {
		return err
	}
	if f.from == "" {
		_, err = w.Write(f.data)
		return err
	}
	in, err := openInput(f.from)
	if err != nil {
		return err
	}
	defer in.Close()
	sum := sha256.New()
	if _, err := io.Copy(w, io.TeeReader(in, sum)); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != f.hash {
		return fmt.Errorf("%s changed while it was packed: pack again", f.from)
	}
	return nil
}

// readme says what the artifact holds and how to check it.
func (p *packer) readme() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "Artifact, made with Burstscope %s.\n\n", experiment.Version)
	fmt.Fprintf(&b, "sh check.sh            compares every file with its hash, and every result with its scenario\n")
	fmt.Fprintf(&b, "sh check.sh --run all  makes every run again too and compares the hashes of the results\n\n")
	fmt.Fprintf(&b, "Without a shell: program/burstscope-SYSTEM artifact check . --run all\n\n")
	fmt.Fprintf(&b, "One version and one scenario give one result, bit by bit, on every system. A run needs no "+
		"network and no GPU.\n\n")
	fmt.Fprintf(&b, "%d results in results/; the scenarios by name:\n", p.results)
	for _, name := range p.sorted() {
		if strings.HasPrefix(name, "scenarios/") {
			fmt.Fprintf(&b, "  %s\n", name)
		}
	}
	return []byte(b.String())
}

// artifactCheckScript is check.sh: hashes with the tools of the system, then the program.
const artifactCheckScript = `#!/bin/sh
# Checks this artifact. --run N|all makes runs again.
cd "$(dirname "$0")" || exit 1
if command -v sha256sum >/dev/null 2>&1; then sums="sha256sum -c"; else sums="shasum -a 256 -c"; fi
said=$($sums SHA256SUMS 2>&1) || {
  echo "$said" | grep -v ': OK$' >&2
  echo "files differ from SHA256SUMS" >&2
  exit 1
}
machine=$(uname -m)
case "$machine" in x86_64) machine=amd64 ;; aarch64) machine=arm64 ;; esac
system=$(uname -s | tr '[:upper:]' '[:lower:]')
program=program/burstscope-$system-$machine
case "$system" in mingw* | msys* | cygwin*) program=program/burstscope-windows-$machine.exe ;; esac
[ -f "$program" ] || {
  echo "all hashes are right; $program is not in this artifact: run burstscope artifact check . of this version" >&2
  exit 1
}
chmod +x "$program" && exec "$program" artifact check . "$@"
`

// runsWanted reads the value of --run: a number of runs, at most those that there are.
func runsWanted(text string, of int) (int, error) {
	if text == "all" {
		return of, nil
	}
	var n int
	if _, err := fmt.Sscanf(text, "%d", &n); err != nil || n < 0 || fmt.Sprint(n) != text {
		return 0, cli.Usagef("--run %s: burstscope artifact check: give a number of runs, or all", fault.Quote(text))
	}
	return min(n, of), nil
}
