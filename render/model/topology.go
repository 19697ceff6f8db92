package model

// Topology says how many of each part a machine has. It comes from the engine.
type Topology struct {
	SMs               int
	WarpsPerSM        int
	Slices            int
	Controllers       int
	Channels          int
	Banks             int
	MAGBytes          int
	PeakBytesPerCycle float64 // of all channels together, per base cycle
	Allocations       []Allocation
}

// Bounds of a topology: a message from outside must not make us reserve memory
// without end. They exceed every preset several times over.
const (
	maxSMs      = 256
	maxWarps    = 256
	maxSlices   = 256
	maxChannels = 256
	maxBanks    = 64
)

// Normalized returns t with every count in bounds, so that whoever reads it
// needs no checks.
func (t Topology) Normalized() Topology {
	t.SMs = clampInt(t.SMs, 1, maxSMs)
	t.WarpsPerSM = clampInt(t.WarpsPerSM, 1, maxWarps)
	t.Slices = clampInt(t.Slices, 1, maxSlices)
	t.Channels = clampInt(t.Channels, 1, maxChannels)
	t.Controllers = clampInt(t.Controllers, 1, t.Channels)
	t.Banks = clampInt(t.Banks, 1, maxBanks)
	if t.MAGBytes != 16 && t.MAGBytes != 64 {
		t.MAGBytes = 32
	}
	if !(t.PeakBytesPerCycle > 0) {
		t.PeakBytesPerCycle = float64(t.MAGBytes * t.Channels)
	}
	return t
}

// BurstsPerBlock is what a raw block costs.
func (t *Topology) BurstsPerBlock() int { return LineBytes / t.MAGBytes }

// BurstCycles is how long a burst is on its channel's data bus, in base cycles.
func (t *Topology) BurstCycles() float64 {
	return float64(t.MAGBytes*t.Channels) / t.PeakBytesPerCycle
}
