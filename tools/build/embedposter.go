package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/metric"
	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/core/workload"
)

// postersFolder holds the posters of embeds. Other people's pages name these
// files, so they keep their names.
const postersFolder = "posters"

// embedPoster is the content of an embed before a click: a scenario's run as a picture with
// its numbers, for wide and for narrow places.
type embedPoster struct {
	Name     string            `json:"name"`
	Title    string            `json:"title"`
	Headline string            `json:"headline"`
	Version  string            `json:"version"`
	Hashes   map[string]string `json:"hashes"` // result hashes
	// Alt describes the picture in words.
	Alt    string      `json:"alt"`
	Wide   posterImage `json:"wide"`
	Narrow posterImage `json:"narrow"`

	Names [2]string       `json:"-"` // of the schemes
	Rows  []posterRow     `json:"-"`
	Built json.RawMessage `json:"-"` // the whole result (built.go)

	blocks   []blockPair
	perBlock int // bursts of a raw block
	at       sim.Cycle
	curves   [2][]float64 // bytes over equal steps of time
	cycles   int64        // of the longer run
	crops    []*image.Gray
	pictures map[string][]byte // by file
}

type posterImage struct {
	File   string `json:"file"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

// posterRow is one line of numbers: side A, side B, B against A.
type posterRow struct{ Name, A, B, Compared string }

// blockPair is a block that side B read, with side A's bursts of the same block.
type blockPair struct{ a, b blockRead }

type blockRead struct {
	cycle   sim.Cycle
	addr    uint64
	fetched int
	lossy   bool
}

// writeEmbedPosters runs every shipped scenario once and writes its pictures and
// posters/index.json.
func writeEmbedPosters(root, dist string) ([]*embedPoster, error) {
	files, err := filepath.Glob(filepath.Join(root, "assets", "scenarios", "*.yaml"))
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(dist, postersFolder)
	cache, err := posterCache(root)
	if err != nil {
		return nil, err
	}
	var all []*embedPoster
	for _, file := range files {
		p, err := cache.poster(file)
		if err != nil {
			return nil, fmt.Errorf("poster of %s: %w", filepath.Base(file), err)
		}
		for name, data := range p.pictures {
			if err := writeFile(filepath.Join(dist, filepath.FromSlash(name)), data); err != nil {
				return nil, err
			}
		}
		all = append(all, p)
	}
	data, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	return all, os.WriteFile(filepath.Join(folder, "index.json"), data, 0o644)
}

// posters caches posters under the hash of this program, which includes the simulator, and
// of the scenario: runs take seconds, and most builds change neither.
type posters struct{ folder, program string }

func posterCache(root string) (*posters, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	c := &posters{filepath.Join(root, ".cache", "posters"), hashOf(program)}
	return c, os.MkdirAll(c.folder, 0o755)
}

// keptPoster is the form of a poster in the cache.
type keptPoster struct {
	Poster   *embedPoster
	Names    [2]string
	Rows     []posterRow
	Built    json.RawMessage
	Pictures map[string][]byte
}

func (c *posters) poster(file string) (*embedPoster, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	at := filepath.Join(c.folder, hashOf([]byte(c.program + hashOf(source)))[:24]+".json")
	if data, err := os.ReadFile(at); err == nil {
		var kept keptPoster
		if json.Unmarshal(data, &kept) == nil && kept.Poster != nil {
			p := kept.Poster
			p.Names, p.Rows, p.Built, p.pictures = kept.Names, kept.Rows, kept.Built, kept.Pictures
			return p, nil
		}
	}
	name, s, err := readScenario(file)
	if err != nil {
		return nil, err
	}
	p, err := makeEmbedPoster(name, s)
	if err != nil {
		return nil, err
	}
	p.pictures = map[string][]byte{p.Wide.File: []byte(p.drawWide()), p.Narrow.File: []byte(p.drawNarrow())}
	for _, image := range pagePictures(name) {
		p.pictures[image.File] = []byte(p.drawForPage(image))
	}
	data, err := json.Marshal(keptPoster{p, p.Names, p.Rows, p.Built, p.pictures})
	if err != nil {
		return nil, err
	}
	return p, os.WriteFile(at, data, 0o644)
}

// makeEmbedPoster runs both sides of a scenario and keeps the data of its picture.
func makeEmbedPoster(name string, s *scenario.Scenario) (*embedPoster, error) {
	plan, err := experiment.PlanOf(s)
	if err != nil {
		return nil, err
	}
	study, err := experiment.NewStudy(plan)
	if err != nil {
		return nil, err
	}
	other := scheme.Default()
	if s.Compare != nil {
		other = s.Compare.Scheme
	}
	withA := *s
	withA.Scheme = other
	var sides [2]*side
	var reads [2][]blockRead
	p := &embedPoster{Name: name, Title: s.Title, Version: experiment.Version, Hashes: map[string]string{}}
	for i, one := range []struct {
		plan *experiment.Plan
		hash string
	}{{plan.With(other), withA.Hash()}, {plan, s.Hash()}} {
		one.plan.ScenarioHash = one.hash
		w := &burstWatch{}
		result, err := w.watch(study, one.plan)
		if err != nil {
			return nil, err
		}
		letter := string(rune('A' + i))
		sides[i] = &side{result, one.plan.Memory}
		reads[i], p.curves[i] = w.reads, w.curve()
		p.cycles = max(p.cycles, int64(result.Cycles))
		p.Hashes[letter] = result.ResultHash
	}
	a, b := sides[0], sides[1]
	p.Names[0], p.Names[1] = labels(a.memory, b.memory)
	isImage := isPicture(plan.Program) && b.result.ErrorMetric == imageMetric
	p.Headline = headline(p.Names[0], p.Names[1], a, b, isImage)
	p.Built, err = json.Marshal(builtResult{name, experiment.Version, isImage, map[string]*experiment.Result{"A": withoutTerms(a.result), "B": withoutTerms(b.result)}})
	if err != nil {
		return nil, err
	}
	p.perBlock = mem.LineBytes / max(b.memory.MAG(), 1)
	p.blocks = typicalBlocks(reads[0], reads[1])
	if len(p.blocks) > 0 {
		p.at = p.blocks[0].b.cycle
	}
	p.Rows = posterRows(a, b)
	if isImage {
		buffer := &plan.Program.Buffers[plan.Program.Outputs()[0]]
		p.crops = []*image.Gray{crop(middle(buffer, study.Exact()[0])), crop(middle(buffer, b.result.Outputs[0]))}
	}
	p.Wide = posterImage{postersFolder + "/" + name + ".svg", 960, 600}
	p.Narrow = posterImage{postersFolder + "/" + name + "-narrow.svg", 440, 760}
	p.Alt = p.describe()
	return p, nil
}

func posterRows(a, b *side) []posterRow {
	var rows []posterRow
	for i := range metric.Table {
		if m := &metric.Table[i]; m.Poster {
			rows = append(rows, posterRow{m.Row, a.figure(m.Name), b.figure(m.Name), compared(m, a, b)})
		}
	}
	return rows
}

// describe is the alternative text: the result in words, the numbers of the
// table, and the hashes that identify the run.
func (p *embedPoster) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s. %s", strings.TrimSuffix(p.Title, "."), p.Headline)
	for _, row := range p.Rows {
		fmt.Fprintf(&b, " %s: A %s, B %s.", strings.ToUpper(row.Name[:1])+row.Name[1:], row.A, row.B)
	}
	fmt.Fprintf(&b, " A is %s, B is %s. Computed by Burstscope %s; result hashes A %s, B %s.",
		p.Names[0], p.Names[1], p.Version, scenario.ShortHash(p.Hashes["A"]), scenario.ShortHash(p.Hashes["B"]))
	return b.String()
}

// burstWatch keeps the part of a run's events that a poster shows.
type burstWatch struct {
	reads []blockRead
	bins  []uint32 // bursts begun in each step of time
	last  sim.Cycle
}

const (
	// Few enough for a poster of some kilobytes, enough to see a pattern.
	posterBlocks = 40
	curvePoints  = 80
	binCycles    = 256
	// Events of one slice of a run; the tap is emptied after each.
	sliceCycles = 1 << 14
	sliceEvents = 1 << 22
)

// watch runs a plan to its end.
func (w *burstWatch) watch(study *experiment.Study, plan *experiment.Plan) (*experiment.Result, error) {
	tap := probe.NewTap(sliceEvents)
	run := study.Run(plan, experiment.Options{Tap: tap})
	for {
		done, err := run.Step(sliceCycles)
		if err != nil {
			return nil, err
		}
		tap.Take(w.take)
		if done {
			break
		}
	}
	if n := tap.Dropped(); n > 0 {
		return nil, fmt.Errorf("%d events did not fit", n)
	}
	slices.SortStableFunc(w.reads, func(a, b blockRead) int { return int(a.cycle) - int(b.cycle) })
	return run.Result(), nil
}

func (w *burstWatch) take(events []probe.Event) {
	for i := range events {
		e := &events[i]
		if e.Kind != probe.KindRead && e.Kind != probe.KindWrite {
			continue
		}
		bin := int(e.Cycle / binCycles)
		if bin >= len(w.bins) {
			w.bins = append(w.bins, make([]uint32, bin+1-len(w.bins))...)
		}
		w.bins[bin]++
		w.last = max(w.last, e.Cycle)
		metadata, index := e.B&1 != 0, e.A>>8&0xff
		if e.Kind == probe.KindRead && !metadata && index == 0 {
			w.reads = append(w.reads, blockRead{e.Cycle, e.Addr, int(e.A >> 16 & 0xff), probe.Mode(e.A>>24) == probe.ModeLossy})
		}
	}
}

// curve is the mean number of bursts a cycle, in steps of binCycles.
func (w *burstWatch) curve() []float64 {
	out := make([]float64, len(w.bins))
	for i, n := range w.bins {
		out[i] = float64(n) / binCycles
	}
	return out
}

// typicalBlocks are consecutive blocks read by side B, chosen so that the bursts of A and B
// are closest to the average of the run. Of equally close ones it takes the earliest.
func typicalBlocks(readsA, readsB []blockRead) []blockPair {
	first := make(map[uint64]blockRead, len(readsA))
	for _, r := range readsA {
		if _, ok := first[r.addr]; !ok {
			first[r.addr] = r
		}
	}
	var pairs []blockPair
	allA, allB := 0, 0
	for _, b := range readsB {
		if a, ok := first[b.addr]; ok {
			pairs = append(pairs, blockPair{a, b})
			allA, allB = allA+a.fetched, allB+b.fetched
		}
	}
	if len(pairs) <= posterBlocks {
		return pairs
	}
	// Distances from the average are compared as whole numbers.
	away := func(some, all int) int {
		return max(some*len(pairs)-all*posterBlocks, all*posterBlocks-some*len(pairs))
	}
	best, from, someA, someB := -1, 0, 0, 0
	for i, p := range pairs {
		someA, someB = someA+p.a.fetched, someB+p.b.fetched
		if i >= posterBlocks {
			old := pairs[i-posterBlocks]
			someA, someB = someA-old.a.fetched, someB-old.b.fetched
		}
		if i < posterBlocks-1 {
			continue
		}
		if d := away(someA, allA) + away(someB, allB); best < 0 || d < best {
			best, from = d, i-posterBlocks+1
		}
	}
	return pairs[from : from+posterBlocks]
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

// imageMetric is the error metric of programs whose output is a picture. Other outputs
// could be drawn, but they are matrices.
const imageMetric = "image-diff"

// cropSide is the side of the squares of the output in a poster, in its pixels.
const cropSide = 64

// crop is the middle of a picture.
func crop(g *image.Gray) *image.Gray {
	side := min(cropSide, g.Rect.Dx(), g.Rect.Dy())
	from := g.Rect.Min.Add(image.Pt((g.Rect.Dx()-side)/2, (g.Rect.Dy()-side)/2))
	return g.SubImage(image.Rectangle{Min: from, Max: from.Add(image.Pt(side, side))}).(*image.Gray)
}

// dataURL is a picture inside an SVG, which as an image may fetch nothing.
func dataURL(g *image.Gray) string {
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, g); err != nil {
		panic(err) // a buffer takes everything
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(out.Bytes())
}
