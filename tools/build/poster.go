package main

import (
	"encoding/json"
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/workload"
)

// poster is the content of the page before the engine runs: the result of the default
// scenario, computed by this build, as numbers and as the texts of index.html.
// The page computes the same texts from its own run; site/e2e compares them, so
// that the page does not change when the live numbers arrive.
type poster struct {
	Version string                        `json:"version"`
	Name    string                        `json:"name"`
	Hashes  map[string]string             `json:"hashes"`
	Results map[string]*experiment.Result `json:"results"`
	Text    map[string]string             `json:"text"`
	Vars    map[string]string             `json:"vars"`
	// Topology holds the machine's numbers for the figures, for both sides.
	Topology struct {
		SMs              int `json:"sms"`
		Slices           int `json:"slices"`
		Channels         int `json:"channels"`
		RequestFlitBytes int `json:"requestFlitBytes"`
		ReplyFlitBytes   int `json:"replyFlitBytes"`
	} `json:"topology"`

	rows string // of the result table, as HTML
}

// makePoster runs both sides of the default scenario.
func makePoster(root string) (*poster, error) {
	name, s, err := readScenario(filepath.Join(root, "assets", "scenarios", defaultScenario+".yaml"))
	if err != nil {
		return nil, err
	}
	other := scheme.Default()
	if s.Compare != nil {
		other = s.Compare.Scheme
	}
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return nil, err
	}
	spec, err := preset.GPU(plan.Preset)
	if err != nil {
		return nil, err
	}
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return nil, err
	}
	p := &poster{Version: experiment.Version, Name: name, Hashes: map[string]string{}, Results: map[string]*experiment.Result{}}
	t := &p.Topology
	t.SMs, t.Slices, t.Channels, t.RequestFlitBytes, t.ReplyFlitBytes = spec.SMs, spec.Slices(), spec.Slices(), spec.SM.FlitBytes, spec.L2.FlitBytes
	sides := [2]*side{}
	withA := *s
	withA.Scheme = other
	for i, one := range []struct {
		letter string
		plan   *experiment.Plan
		hash   string
	}{{"A", plan.With(other), withA.Hash()}, {"B", plan, s.Hash()}} {
		one.plan.ScenarioHash = one.hash
		run := study.Run(one.plan, experiment.Options{})
		result, err := run.Finish()
		if err != nil {
			return nil, err
		}
		p.Hashes[one.letter], p.Results[one.letter] = result.ResultHash, result
		sides[i] = &side{letter: one.letter, result: result, memory: one.plan.Memory, spec: spec}
	}
	p.rows = resultRows(sides[0], sides[1])
	p.Text, p.Vars = posterText(sides[0], sides[1], isPicture(plan.Program) && sides[1].result.ErrorMetric == imageMetric)
	return p, nil
}

// isPicture is true for programs whose first output is an image.
func isPicture(program *workload.Program) bool {
	out := program.Outputs()
	return len(out) > 0 && program.Buffers[out[0]].IsImage()
}

// detail is the side of the square of an output that is shown. A part at full size shows
// more than the whole picture at a small size, and takes fewer bytes.
const detail = 256

// middle is the middle of an output as a picture of eight bits.
func middle(b *workload.Buffer, data []byte) *image.Gray {
	whole := &image.Gray{Pix: b.Pixels(data), Stride: b.Width, Rect: image.Rect(0, 0, b.Width, b.Height)}
	side := image.Pt(min(detail, b.Width), min(detail, b.Height))
	from := image.Pt((b.Width-side.X)/2, (b.Height-side.Y)/2)
	return whole.SubImage(image.Rectangle{Min: from, Max: from.Add(side)}).(*image.Gray)
}

// write puts poster.json beside the page.
func (p *poster) write(dist string) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dist, "poster.json"), data, 0o644)
}

// linkScript marks a page that a link opens before anything is drawn: what the build wrote into it
// may belong to another scenario, so it is hidden until site/src/page/shell.ts has decided.
const linkScript = `if(location.hash.length>1)document.documentElement.dataset.link=""`

// head is what replaces <!--poster-head-->. The JSON package escapes < as \u003c,
// so the data cannot end the element that holds them.
func (p *poster) head() (string, error) {
	data, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	var vars strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.Vars)) {
		fmt.Fprintf(&vars, "--%s:%s;", name, p.Vars[name])
	}
	return fmt.Sprintf(`<script>%s</script><script type="application/json" id="poster">%s</script><style>:root{%s}</style>`, linkScript, data, vars.String()), nil
}

// figures is what replaces <!--poster-figures-->: the picture of the scenario (embedposter.go), for
// narrow and for wide places, as site/src/page/builtpicture.ts shows that of any other.
func (p *poster) figures() string {
	wide, narrow := pagePictures(p.Name)[0], pagePictures(p.Name)[1]
	return fmt.Sprintf(`<picture class="built"><source media="(max-width: 700px)" srcset="%s" width="%d" height="%d"><img src="%s" width="%d" height="%d" alt="Blocks that both schemes read, and the bandwidth of the run"></picture>`,
		narrow.File, narrow.Width, narrow.Height, wide.File, wide.Width, wide.Height)
}
