package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
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

	rows     string // of the result table, as HTML
	pictures []picture
}

// picture is one of the images under the headline.
type picture struct {
	file, caption, description string
	image                      *image.Gray
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
	p.Text, p.Vars = posterText(sides[0], sides[1], isPicture(plan.Program))
	p.pictures = pictures(plan.Program, study.Exact(), sides[1])
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

func pictures(program *workload.Program, exact [][]byte, b *side) []picture {
	if !isPicture(program) {
		return nil
	}
	buffer := &program.Buffers[program.Outputs()[0]]
	return []picture{
		{"poster-exact.png", "exact (detail)", "What the program computes without any approximation", middle(buffer, exact[0])},
		{"poster-approximated.png", memoryLabel(b.memory) + " (detail)", "What it computes from approximated memory", middle(buffer, b.result.Outputs[0])},
	}
}

// middle is the middle of an output as a picture of eight bits.
func middle(b *workload.Buffer, data []byte) *image.Gray {
	whole := &image.Gray{Pix: b.Pixels(data), Stride: b.Width, Rect: image.Rect(0, 0, b.Width, b.Height)}
	side := image.Pt(min(detail, b.Width), min(detail, b.Height))
	from := image.Pt((b.Width-side.X)/2, (b.Height-side.Y)/2)
	return whole.SubImage(image.Rectangle{Min: from, Max: from.Add(side)}).(*image.Gray)
}

// write puts poster.json and the pictures beside the page.
func (p *poster) write(dist string) error {
	data, err := json.Marshal(p)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dist, "poster.json"), data, 0o644); err != nil {
		return err
	}
	for _, picture := range p.pictures {
		var out bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		if err := encoder.Encode(&out, picture.image); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dist, picture.file), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

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
	return fmt.Sprintf(`<script type="application/json" id="poster">%s</script><style>:root{%s}</style>`, data, vars.String()), nil
}

// figures is what replaces <!--poster-figures-->.
func (p *poster) figures() string {
	var b strings.Builder
	for _, picture := range p.pictures {
		size := picture.image.Bounds().Size()
		fmt.Fprintf(&b, `<figure><img src="%s" width="%d" height="%d" alt="%s"><figcaption>%s</figcaption></figure>`,
			picture.file, size.X, size.Y, picture.description, picture.caption)
	}
	return b.String()
}
