package claims

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"github.com/burstscope/burstscope/assets/papers"
	"github.com/burstscope/burstscope/assets/scenarios"
	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/burstscope/sweep"
)

const paperHelp = `usage: burstscope paper new NAME [--dir FOLDER]
       burstscope paper check FOLDER
       burstscope paper page FOLDER [--out FOLDER] [--store DIR] [--jobs N] [--site URL]
                             [--as-is]

A paper is a folder: what it states, as claims with predicates, figures, scenarios and
a text. README.md in a new folder describes every file.

new    writes a folder that can be checked and made into a page as it is. NAME has 2 to
       16 letters and digits; ids of claims begin with it
check  names every fault of a folder with its file and line, and says what cannot be
       measured here, and how many runs the rest needs
page   makes the runs that are not stored, then writes index.html: the text with
       verdicts, figures and results in the places of its marks

  --dir FOLDER   the folder to write, default NAME in small letters
  --out FOLDER   of the page, default page in the paper's folder
  --store DIR    folder of the results, default "results"
  --jobs N       runs at a time, default one for each core
  --as-is        make no runs: values whose runs are not stored stay empty
  --site URL     a site of Burstscope, such as https://example.org/burstscope/: embeds
                 then run in the page; without it their results are tables

examples:
  burstscope paper new MINE
  burstscope paper check mine
  burstscope paper page mine
`

func paperVerb(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("paper", flag.ContinueOnError)
	p := pageOptions{jobs: runtime.NumCPU(), store: sweep.DefaultStore}
	dir := cli.FileFlag(flags, "dir")
	cli.FileVar(flags, &p.out, "out")
	cli.FileVar(flags, &p.store, "store")
	flags.StringVar(&p.site, "site", "", "")
	flags.IntVar(&p.jobs, "jobs", p.jobs, "")
	flags.BoolVar(&p.asIs, "as-is", false, "")
	var words []string
	if err := cli.Parse(flags, args, func(w string) error { words = append(words, w); return nil }); err != nil {
		return err
	}
	if len(words) != 2 {
		return cli.Usagef("burstscope paper: give new, check or page, and one name or folder")
	}
	switch words[0] {
	case "new":
		return newPaper(out, words[1], *dir)
	case "check":
		return checkPaper(out, words[1])
	case "page":
		if p.jobs < 1 {
			return cli.Usagef("--jobs %d: burstscope paper: give at least 1", p.jobs)
		}
		if what := fault.Link(p.site); what != "" || strings.ContainsAny(p.site, ";,'\"<>?#") || strings.HasPrefix(p.site, "mailto:") {
			return cli.Usagef("--site %s: burstscope paper: give the address of a copy of the page, such as https://example.org/burstscope/", fault.Quote(p.site))
		}
		return p.write(out, words[1])
	}
	return cli.Usagef("unknown word: %s: burstscope paper: give new, check or page", words[0])
}

var newPaperName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{1,15}$`)

// newPaper writes the template under a name.
func newPaper(out io.Writer, name, dir string) error {
	if !newPaperName.MatchString(name) {
		return cli.Usagef("%q cannot be the name of a paper: burstscope paper new: give 2 to 16 letters and digits, such as MINE", name)
	}
	upper, lower := strings.ToUpper(name), strings.ToLower(name)
	if dir == "" {
		dir = lower
	}
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s: it exists: name another folder with --dir, or delete it", dir)
	}
	template := papers.Template()
	err := fs.WalkDir(template, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(template, file)
		if err != nil {
			return err
		}
		text := strings.NewReplacer("NAME", upper, "FOLDER", filepath.ToSlash(dir)).Replace(string(b))
		target := strings.Replace(file, "name-", lower+"-", 1)
		return disk.WriteStored(filepath.Join(dir, filepath.FromSlash(target)), []byte(text))
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s: written. Read %s, then: burstscope paper check %s\n", dir, filepath.Join(dir, "README.md"), dir)
	return err
}

// ReadPaper reads a folder. Modules of codecs lie beside its files.
func ReadPaper(dir string) (*claim.Paper, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, disk.Fault("no paper", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s: it is a file: name the folder of a paper", dir)
	}
	p, err := claim.ReadPaper(os.DirFS(dir), filepath.ToSlash(dir), func(s *scenario.Scenario, path, value string) error {
		a := cli.Assignment{Path: path, Value: value}
		if cli.IsModule(a) {
			a.Value = filepath.Join(dir, filepath.FromSlash(value))
			return cli.SetModule(s, a)
		}
		return s.Set(path, value)
	})
	if err != nil {
		return nil, err
	}
	for _, at := range claim.Mark.FindAllStringSubmatchIndex(p.Text, -1) {
		m := claim.Mark.FindStringSubmatch(p.Text[at[0]:at[1]])
		if m[1] == "embed" && scenarios.Packed(m[2]) == nil {
			return nil, fmt.Errorf("%s/text.html:%d: there is no shipped scenario %s to embed: name one of %s, or use <!--run %s-->",
				filepath.ToSlash(dir), 1+strings.Count(p.Text[:at[0]], "\n"), fault.Quote(m[2]), strings.Join(scenarios.Names(), ", "), m[2])
		}
	}
	return p, nil
}

func checkPaper(out io.Writer, dir string) error {
	p, err := ReadPaper(dir)
	if err != nil {
		return err
	}
	for _, note := range p.Notes() {
		fmt.Fprintln(out, note)
	}
	_, err = fmt.Fprintf(out, "%s: %s has %s, %s and %s; they need %s\n", dir, p.Name,
		cli.Counted(len(p.Claims), "claim"), cli.Counted(len(p.Figures), "figure"), cli.Counted(len(p.Scenarios), "scenario"), cli.Counted(len(paperJobs(p)), "run"))
	return err
}

// paperJobs returns the runs of claims, figures and both sides of the scenarios.
func paperJobs(p *claim.Paper) []*claim.Job {
	jobs := p.Jobs()
	for i := range p.Scenarios {
		for _, side := range SidesOf(p.Scenarios[i].Scenario) {
			jobs = append(jobs, side.Job)
		}
	}
	return sweep.Distinct(jobs)
}

// sideRun is a side of a scenario with its run.
type sideRun struct {
	name string
	Job  *claim.Job
}

func SidesOf(s *scenario.Scenario) []sideRun {
	a, b := s.Sides()
	return []sideRun{{"A", claim.NewJob(a, false)}, {"B", claim.NewJob(b, false)}}
}
