package run

import (
	"flag"
	"fmt"
	"math"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/core/workload/argument"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// loadFiles reports what is wrong with a program of the user's own beyond its scenario: with its text, its kernels and
// what they are passed.
func loadFiles(s *scenario.Scenario) error {
	if s.Workload.PTX == nil {
		return nil
	}
	plan, err := experiment.PlanOf(s)
	if err == nil {
		_, err = experiment.NewStudy(plan)
	}
	if _, ok := err.(*fault.Errors); ok || err == nil {
		return err
	}
	return fault.At("workload.ptx", err.Error(), "")
}

// programFile reads a scenario whose program may name files beside it: the text of modules (file, without source), and
// the contents of buffers (in:FILE, without data).
func programFile(name string, raw bool) (*scenario.Scenario, error) {
	tree, err := cli.ReadTree(name)
	if err != nil {
		return nil, err
	}
	in := companion{dir: filepath.Dir(name), raw: raw}
	if p := member(member(tree, "workload"), "ptx"); p != nil {
		if err := in.program(p); err != nil {
			return nil, err
		}
	}
	return cli.InMsgpack(name)(scenario.FromTree(tree, steps.Validate, loadFiles))
}

// companion reads the files that a program names.
type companion struct {
	dir string
	raw bool
}

// member returns the item of a map, nil if there is none.
func member(v *scenario.Value, key string) *scenario.Value {
	if v == nil || v.Kind != scenario.IsMap {
		return nil
	}
	if i := slices.Index(v.Keys, key); i >= 0 {
		return &v.Items[i]
	}
	return nil
}

func items(v *scenario.Value) []scenario.Value {
	if v == nil || v.Kind != scenario.IsList {
		return nil
	}
	return v.Items
}

func put(v *scenario.Value, key string, item scenario.Value) {
	v.Keys, v.Items = append(v.Keys, key), append(v.Items, item)
}

func (c *companion) program(p *scenario.Value) error {
	if p.Kind != scenario.IsMap {
		return nil // the binder refuses it
	}
	if err := c.source(p); err != nil {
		return err
	}
	modules := items(member(p, "modules"))
	for i := range modules {
		if err := c.source(&modules[i]); err != nil {
			return err
		}
	}
	for _, key := range []string{"args", "buffers"} {
		if err := c.args(items(member(p, key)), true); err != nil {
			return err
		}
	}
	return c.steps(items(member(p, "launches")))
}

func (c *companion) steps(list []scenario.Value) error {
	for i := range list {
		if err := c.args(items(member(&list[i], "args")), false); err != nil {
			return err
		}
		if err := c.steps(items(member(member(&list[i], "loop"), "steps"))); err != nil {
			return err
		}
	}
	return nil
}

// source reads the text of a module that names its file.
func (c *companion) source(module *scenario.Value) error {
	file := member(module, "file")
	if member(module, "source") != nil || file == nil || file.Kind != scenario.IsText {
		return nil
	}
	b, err := cli.ReadPlain(filepath.Join(c.dir, file.Text), disk.MaxPTXBytes)
	if err != nil {
		return fault.Refuse(file.Where, err.Error(), "")
	}
	put(module, "source", scenario.Value{Kind: scenario.IsText, Text: string(b), Where: file.Where})
	file.Text = filepath.Base(file.Text)
	return nil
}

// args reads the contents of arguments without data. Those of a launch may name a buffer in place of a file, so a
// file that is not there is no fault of theirs.
func (c *companion) args(list []scenario.Value, must bool) error {
	for i := range list {
		v := &list[i]
		text := v
		if v.Kind == scenario.IsMap {
			text = member(v, "spec")
		}
		if text == nil || text.Kind != scenario.IsText || member(v, "data") != nil {
			continue
		}
		spec, err := argument.Parse(text.Text)
		if err != nil || !spec.Reads() {
			continue
		}
		data, element, err := disk.ReadInput(filepath.Join(c.dir, spec.In), c.raw)
		if err != nil && (must || spec.Kind == argument.Bytes) {
			return fault.Refuse(text.Where, err.Error(), "")
		} else if err != nil {
			continue
		}
		if v.Kind == scenario.IsText {
			*v = scenario.Value{Kind: scenario.IsMap, Where: v.Where, Keys: []string{"spec"},
				Items: []scenario.Value{*v}}
		}
		put(v, "data", scenario.Value{Kind: scenario.IsBinary, Binary: data, Where: v.Where})
		if element != "" && spec.IsBuffer() && member(v, "element") == nil {
			put(v, "element", scenario.Value{Kind: scenario.IsText, Text: element, Where: v.Where})
		}
	}
	return nil
}

// hostFlags are the options of exec that hold for a file with a host part.
var hostFlags = []string{"functional", "sanitize", "source", "max-ctas", "preset", "set", "format", "as"}

// execHost reads a file with a program and its host part, and finds where its outputs go.
func execHost(file string, flags *flag.FlagSet, raw bool, maxCTAs uint64, how *execution) (*scenario.Scenario, error) {
	var refused error
	flags.Visit(func(f *flag.Flag) {
		if !slices.Contains(hostFlags, f.Name) && !strings.HasPrefix(f.Name, "on") && refused == nil {
			refused = cli.Usagef("--%s is for a .ptx file: %s says itself what it launches", f.Name, file)
		}
	})
	if refused != nil {
		return nil, refused
	}
	s, err := programFile(file, raw)
	if err != nil {
		return nil, err
	}
	if s.Workload.PTX == nil {
		return nil, fmt.Errorf("%s has no program of its own: burstscope exec runs workload.ptx; use burstscope "+
			"run for a shipped program", file)
	}
	program, err := s.Program()
	if err != nil {
		return nil, err
	}
	if ctas := programCTAs(program); ctas > maxCTAs {
		return nil, cli.Usagef("the launches make %d CTAs, and burstscope exec runs at most %d: reduce them, or add "+
			"--max-ctas %d", ctas, maxCTAs, ctas)
	}
	for _, i := range program.Outputs() {
		name := program.Buffers[i].File
		if !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%s: the output %s does not lie in the folder of the file: give a name "+
				"without .. and without a folder of the root", file, fault.Quote(name))
		}
		if err := datafile.CheckRawName(name); err != nil {
			return nil, err
		}
		how.outputs = append(how.outputs, filepath.Join(filepath.Dir(file), name))
	}
	return s, nil
}

// programCTAs returns the number of CTAs of all launches, or the largest uint64 if there are more.
func programCTAs(p *workload.Program) uint64 {
	total := uint64(0)
	for i := range p.Launches {
		g := p.Launches[i].Grid
		high, n := bits.Mul64(uint64(g[0])*uint64(g[1]), uint64(g[2]))
		if total += n; high > 0 || total < n {
			return math.MaxUint64
		}
	}
	return total
}
