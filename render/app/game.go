package app

import (
	"sync"
	"time"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/render/draw"
	"github.com/burstscope/burstscope/render/model"
	"github.com/hajimehoshi/ebiten/v2"
)

// Shell is the page, as the program sees it.
type Shell interface {
	Pick(p model.Pick)
	State(s State)
	Threshold(bytes int)
	Colour(name string)
	Seek(cycle float64)
}

// State is what the program last drew.
type State struct {
	Tick   int
	Run    int // of the page, on the picture
	Cycle  float64
	Window float64 // cycles that the strips show
	Counts model.Counts
	FPS    float64
}

// Game is the ebiten.Game.
type Game struct {
	shell   Shell
	source  draw.GlyphSource
	painter *draw.Painter
	view    model.View
	scene   model.Scene
	dark    bool

	mu    sync.Mutex
	tasks []func(*Game)

	pending     [2][][]byte        // records not yet indexed
	whole       [2]*model.Timeline // of the run from its beginning
	windows     [2]window
	interactive bool
	dirty       bool
	pace        pace
	now         func() time.Time
	tick        int
	run, drawn  int // runs of the page: the one of the scene, the one on the picture
	made        int // Blocks made so far
	failure     error

	width, height float64 // logical pixels
	scale         float64
	pointer       pointer
	focus         model.Focus
	hasFocus      bool
}

// New returns a program that speaks to shell and takes its letters from source.
func New(shell Shell, source draw.GlyphSource) *Game {
	g := &Game{shell: shell, source: source, dirty: true, scale: 1, now: time.Now}
	g.view.Divider = 0.5
	g.view.ThresholdBytes = 16
	g.view.CyclesPerSecond = 64
	return g
}

// Do runs f before the next picture. It may be called from anywhere, also while
// a picture is being made.
func (g *Game) Do(f func(*Game)) {
	g.mu.Lock()
	g.tasks = append(g.tasks, f)
	g.mu.Unlock()
}

func (g *Game) runTasks() {
	for {
		g.mu.Lock()
		tasks := g.tasks
		g.tasks = nil
		g.mu.Unlock()
		if len(tasks) == 0 {
			return
		}
		for _, f := range tasks {
			f(g)
		}
	}
}

// recordsPerFrame bounds the indexing done between two pictures, so that a
// flood of records does not stop the motion.
const recordsPerFrame = 24_000

func (g *Game) index() {
	left := recordsPerFrame
	for side := range g.pending {
		t := g.whole[side]
		if t == nil {
			continue
		}
		for left > 0 && len(g.pending[side]) > 0 {
			b := g.pending[side][0]
			n := min(len(b), left*probe.RecordBytes)
			t.Add(b[:n])
			left -= n / probe.RecordBytes
			g.dirty = true
			if n == len(b) {
				g.pending[side] = g.pending[side][1:]
			} else {
				g.pending[side][0] = b[n:]
			}
		}
	}
}

// behind reports whether records that came are still to be indexed before a side can be drawn at
// the cursor. Until then the picture stays: it would show an idle machine beside a busy one.
func (g *Game) behind() bool {
	for side, t := range g.whole {
		if t != nil && g.view.Sides[side] == t && len(g.pending[side]) > 0 && t.LastCycle() < g.view.Cycle {
			return true
		}
	}
	return false
}

// Update implements ebiten.Game.
func (g *Game) Update() error {
	if g.failure != nil {
		return g.failure
	}
	g.tick++
	g.pace.begin(g.now())
	g.runTasks()
	g.index()
	if g.interactive {
		g.readPointer()
		g.readKeys()
	}
	if g.view.Glide(g.pace.seconds()) {
		g.dirty = true
	}
	return nil
}

// Draw implements ebiten.Game. When nothing has changed, or the picture takes long and was
// drawn a moment ago, it draws nothing, and the picture stays.
func (g *Game) Draw(screen *ebiten.Image) {
	if g.painter == nil {
		p, err := draw.NewPainter(g.source)
		if err != nil {
			g.failure = err
			return
		}
		g.painter = p
		g.scene.Measure = p.Measure
	}
	if !g.dirty || !g.pace.due() || g.behind() {
		if g.tick%stateEvery == 0 {
			g.report()
		}
		return
	}
	g.dirty = false
	g.drawn = g.run
	g.pace.drawn()
	g.painter.SetScale(g.scale)
	g.view.Build(&g.scene, g.width, g.height)
	g.tooltip()
	g.painter.Paint(screen, &g.scene, draw.PaletteFor(g.dark))
	g.report()
}

// stateEvery is how often, in frames, a picture that stands still is reported.
const stateEvery = 30

func (g *Game) report() {
	g.shell.State(State{
		Tick: g.tick, Run: g.drawn, Cycle: g.view.Cycle, Window: g.view.Window(), Counts: g.scene.Counts,
		FPS: ebiten.ActualFPS(),
	})
}

// LayoutF implements ebiten.LayoutFer: the picture has a pixel for each of the device's.
func (g *Game) LayoutF(outsideWidth, outsideHeight float64) (float64, float64) {
	scale := 1.0
	if m := ebiten.Monitor(); m != nil {
		scale = m.DeviceScaleFactor()
	}
	w, h := max(outsideWidth, 1), max(outsideHeight, 1)
	if w != g.width || h != g.height || scale != g.scale {
		g.width, g.height, g.scale = w, h, scale
		g.dirty = true
	}
	return w * scale, h * scale
}

// Layout implements ebiten.Game; LayoutF is used in its place.
func (g *Game) Layout(outsideWidth, outsideHeight int) (int, int) {
	w, h := g.LayoutF(float64(outsideWidth), float64(outsideHeight))
	return int(w), int(h)
}
