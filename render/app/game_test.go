package app

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/burstscope/burstscope/core/probe"
	"github.com/burstscope/burstscope/core/sim"
	"github.com/burstscope/burstscope/render/draw"
	"github.com/burstscope/burstscope/render/model"
	"github.com/hajimehoshi/ebiten/v2"
)

// What is drawn can be read only while Ebiten runs, so the tests run inside its
// first update. Without a display those that draw are skipped.

var hasDisplay = runtime.GOOS != "linux" || os.Getenv("DISPLAY") != ""

type testGame struct {
	m    *testing.M
	code int
}

func (g *testGame) Update() error {
	g.code = g.m.Run()
	return ebiten.Termination
}
func (g *testGame) Draw(*ebiten.Image)         {}
func (g *testGame) Layout(int, int) (int, int) { return 64, 64 }

func TestMain(m *testing.M) {
	if !hasDisplay {
		os.Exit(m.Run())
	}
	g := &testGame{m: m}
	if err := ebiten.RunGame(g); err != nil {
		fmt.Fprintln(os.Stderr, "app: Ebiten does not run here:", err)
		os.Exit(1)
	}
	os.Exit(g.code)
}

type boxes struct{}

func (boxes) Glyph(_ rune, size float64, _ bool) draw.Glyph { return draw.Glyph{Advance: size * 0.6} }

// recorder keeps what the page would have been told.
type recorder struct {
	states     []State
	picks      []model.Pick
	thresholds []int
	colours    []string
	sought     []float64
}

func (r *recorder) Pick(p model.Pick)   { r.picks = append(r.picks, p) }
func (r *recorder) State(s State)       { r.states = append(r.states, s) }
func (r *recorder) Threshold(bytes int) { r.thresholds = append(r.thresholds, bytes) }
func (r *recorder) Seek(cycle float64)  { r.sought = append(r.sought, cycle) }
func (r *recorder) Colour(name string)  { r.colours = append(r.colours, name) }

var machine = model.Topology{SMs: 2, WarpsPerSM: 8, Slices: 2, Controllers: 1, Channels: 2, Banks: 4, MAGBytes: 32, PeakBytesPerCycle: 64.0 / 3}

// reads returns records of blocks of two bursts, six cycles apart.
func reads(n int) (b []byte) {
	for i := range n {
		for k := range 2 {
			e := probe.Event{Kind: probe.KindRead, Cycle: sim.Cycle(100 + 6*i + 3*k), Addr: uint64(i) * 128, Req: uint32(i + 1),
				A: uint32(k)<<8 | 2<<16 | uint32(probe.ModeLossless)<<24, B: 3 << 16}
			b = e.Append(b)
		}
	}
	return b
}

func game(t *testing.T, blocks int) (*Game, *recorder) {
	t.Helper()
	r := &recorder{}
	g := New(r, boxes{})
	at := time.Unix(1_800_000_000, 0)
	g.now = func() time.Time { // as with graphics hardware
		at = at.Add(time.Second / 60)
		return at
	}
	g.Do(func(g *Game) {
		g.SetScene(1, [2]*model.Topology{&machine, nil}, [2]string{"A"})
		g.AddEvents(0, reads(blocks))
		g.SetCursor(200, 10, false)
	})
	g.LayoutF(400, 300)
	if err := g.Update(); err != nil {
		t.Fatal(err)
	}
	return g, r
}

func TestFloodOfRecordsIsIndexedOverSeveralFrames(t *testing.T) {
	g, _ := game(t, 30_000)
	first := g.view.Sides[0].Kept()
	if first == 0 || first > recordsPerFrame {
		t.Fatalf("%d records in the first frame", first)
	}
	for range 5 {
		if err := g.Update(); err != nil {
			t.Fatal(err)
		}
	}
	if got := g.view.Sides[0].Kept(); got != 60_000 {
		t.Errorf("%d of 60,000 records after six frames", got)
	}
}

// A picture is drawn when both sides are indexed up to the cursor, never an idle machine beside a busy one.
func TestPictureWaitsForBothSides(t *testing.T) {
	g, _ := game(t, 1)
	g.Do(func(g *Game) {
		g.SetScene(2, [2]*model.Topology{&machine, &machine}, [2]string{"A", "B"})
		g.AddEvents(0, reads(20_000))
		g.AddEvents(1, reads(20_000))
		g.SetCursor(200, 10, false)
	})
	waited := 0
	for g.update(t); g.behind(); g.update(t) {
		if waited++; waited > 10 {
			t.Fatal("the picture waits forever")
		}
	}
	if waited == 0 || g.view.Sides[1].LastCycle() < 200 {
		t.Errorf("the picture waited %d frames, B is indexed up to cycle %g", waited, g.view.Sides[1].LastCycle())
	}
}

func (g *Game) update(t *testing.T) {
	t.Helper()
	if err := g.Update(); err != nil {
		t.Fatal(err)
	}
}

func TestNewRunForgetsTheOldOne(t *testing.T) {
	g, _ := game(t, 30_000)
	g.Do(func(g *Game) {
		g.SetBlocks(0, model.Blocks{})
		g.SetScene(1, [2]*model.Topology{&machine, &machine}, [2]string{"A", "B"})
		g.AddEvents(1, reads(1)[:40])
	})
	if err := g.Update(); err != nil {
		t.Fatal(err)
	}
	if g.view.Sides[0].Kept() != 0 || g.view.Sides[1].Kept() != 1 || g.view.Blocks[0] != nil {
		t.Error("something of the old run is left")
	}
}

func TestKeysPickBlocksAndTellThePage(t *testing.T) {
	g, r := game(t, 50)
	g.move(model.Later)
	g.move(model.Earlier)
	if len(r.picks) != 2 || r.picks[0].Addr != 16*128 || r.picks[1].Addr != 15*128 || r.picks[1].Side != 0 {
		t.Fatalf("picked %+v", r.picks)
	}
	if !g.view.HasSelected || g.view.Selected != r.picks[1].Addr {
		t.Error("what was picked is not marked")
	}
	g.Do(func(g *Game) {
		g.Show(model.TabMAG, model.BothSides, -1)
		g.SetThreshold(16)
		g.move(model.Later)
	})
	if err := g.Update(); err != nil {
		t.Fatal(err)
	}
	if len(r.thresholds) != 1 || r.thresholds[0] != 17 {
		t.Errorf("thresholds told: %v", r.thresholds)
	}
}

func TestPictureThatHasNotChangedIsNotDrawnAgain(t *testing.T) {
	if !hasDisplay {
		t.Skip("no display: set DISPLAY or run under xvfb-run to test drawing")
	}
	g, r := game(t, 50)
	screen := ebiten.NewImage(400, 300)
	red := color.RGBA{255, 0, 0, 255}
	drawn := func() bool {
		screen.Fill(red)
		if err := g.Update(); err != nil {
			t.Fatal(err)
		}
		g.Draw(screen)
		return screen.At(200, 150) != red
	}
	if !drawn() {
		t.Fatal("nothing was drawn")
	}
	if s := r.states[len(r.states)-1]; s.Cycle != 200 || s.Counts.Bursts == 0 || s.Counts.Saved == 0 {
		t.Errorf("the page was told %+v", s)
	}
	if drawn() {
		t.Error("drawn again without a change")
	}
	g.Do(func(g *Game) { g.SetCursor(200, 10, false) })
	if drawn() {
		t.Error("drawn again for a cursor that did not move")
	}
	g.Do(func(g *Game) { g.SetCursor(201, 10, false) })
	if !drawn() {
		t.Error("not drawn when the cursor moved")
	}
	g.LayoutF(401, 300)
	if !drawn() {
		t.Error("not drawn when the size changed")
	}
}

// TestWalkThroughTime: wheel, keys, drag, two fingers and a double tap move cursor and window, and the page is told.
func TestWalkThroughTime(t *testing.T) {
	g, r := game(t, 200)
	frame := func() {
		_ = g.Update()
		g.view.Build(&g.scene, 1000, 500)
	}
	g.Do(func(g *Game) { g.SetCursor(600, 10, false); g.SetInteractive(true); g.Finish(0, 1300) })
	g.width, g.height = 1000, 500
	for range 40 {
		frame()
	}
	at, window := g.view.Cycle, g.view.Window()
	expect := func(what string, cycle, cycles float64) {
		t.Helper()
		g.view.Build(&g.scene, 1000, 500)
		if math.Abs(g.view.Cycle-cycle) > 0.01 || math.Abs(g.view.Window()-cycles) > 0.01*cycles {
			t.Errorf("%s: %.2f cycles up to %.2f, want %.2f up to %.2f",
				what, g.view.Window(), g.view.Cycle, cycles, cycle)
		}
		if n := len(r.sought); cycle != at && (n == 0 || r.sought[n-1] != g.view.Cycle) {
			t.Errorf("%s: the page was told %v", what, r.sought)
		}
		at, window = g.view.Cycle, g.view.Window()
	}
	g.pointer.x = 2000 // right of the strips: the cursor stays
	g.turnWheel(0, -100, false)
	expect("wheel towards the reader", at, window*math.Exp(0.18))
	g.turnWheel(0, 100, false)
	expect("and away", at, window*math.Exp(-0.18))
	g.turnWheel(50, 0, false)
	expect("a wheel that moves sideways", at-50/g.view.StripWidth()*window, window)
	g.step(keyZoom, 0)
	expect("W", at, window*keyZoom)
	g.step(1, keyPan)
	expect("A", at-keyPan*window, window)
	g.spreadTo(100, 2000)
	g.spreadTo(200, 2000)
	expect("two fingers apart", at, window/2)
	p := &g.pointer
	p.x, p.y, p.pressedX, p.pressedY, p.cycle, p.first, p.panned = 500, 100, 500, 100, at, 0, false
	p.x = 503
	g.pan()
	expect("a press that shakes", at, window)
	p.x = 540
	g.pan()
	expect("a drag", at-40/g.view.StripWidth()*window, window)
	p.panned, p.held = false, false
	g.tick, p.lastTap = 100, 95
	g.release()
	expect("a double tap", 1300, 1300)
	g.Do(func(g *Game) {
		g.SetScene(2, [2]*model.Topology{&machine, nil}, [2]string{"A"})
		g.SetCursor(10, 10, false)
	})
	frame()
	if frame(); g.view.Window() == 1300 {
		t.Error("the window of the run before is kept")
	}
}
