package fit

import (
	"strings"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/machine/preset"
	"github.com/burstscope/burstscope/core/mem"
)

// Link is a link from a GPU to a slower memory.
type Link struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// MBPerSecond is the bandwidth of all channels in one direction, after what the link itself
	// adds to every flit.
	MBPerSecond int `json:"mbPerSecond"`
	// Channels carry one packet each at a time.
	Channels int `json:"channels"`
	// HeaderBytes precede every packet.
	HeaderBytes     int    `json:"headerBytes"`
	BandwidthSource string `json:"bandwidthSource"`
	HeaderSource    string `json:"headerSource"`
}

// Latency of every link, in unloaded reads of device memory, and its source.
const (
	LatencyFactor = 2
	LatencySource = "Buddy Compression, section IV-A, for NVLink2: twice a read of device memory. No public source " +
		"gives a GPU's latency over the other links, which have the same value here [ours]"
)

const (
	sourceHeader = "Buddy Compression, section IV-B: 32 bytes at worst"
	sourceTLP    = "PCI Express Base Specification: a start token of 4 bytes, a header of 16 for addresses of 64 bits, " +
		"a check sum of 4"
	sourceSlot = "Compute Express Link specification: a message takes a slot of 16 bytes"
)

// links are the links that the answers name, slowest first. Each has 16 lanes, or all links of its GPU.
var links = []Link{
	{"pcie4", "PCIe 4.0 x16", 31_508, 1, 24, "PCI Express Base Specification 4.0: 16 GT/s, 16 lanes, 128b/130b",
		sourceTLP},
	{"cxl2", "CXL 2.0 x16", 59_308, 1, 16,
		"Compute Express Link specification 2.0: PCIe 5.0 lanes, flits of 68 bytes for 64", sourceSlot},
	{"pcie5", "PCIe 5.0 x16", 63_015, 1, 24, "PCI Express Base Specification 5.0: 32 GT/s, 16 lanes, 128b/130b",
		sourceTLP},
	{"cxl3", "CXL 3.0 x16", 120_000, 1, 16,
		"Compute Express Link specification 3.0: 64 GT/s, 16 lanes, flits of 256 bytes for 240", sourceSlot},
	{"nvlink2", "NVLink 2, six links", 150_000, 6, 32, "NVIDIA V100 whitepaper: six links of 25 GB/s in each direction",
		sourceHeader},
	{"nvlink3", "NVLink 3, twelve links", 300_000, 12, 32,
		"NVIDIA A100 whitepaper: twelve links of 25 GB/s in each direction", sourceHeader +
			", for NVLink2; no public source for NVLink 3"},
	{"nvlink4", "NVLink 4, eighteen links", 450_000, 18, 32,
		"NVIDIA H100 whitepaper: eighteen links of 25 GB/s in each direction", sourceHeader +
			", for NVLink2; no public source for NVLink 4"},
}

// Links returns the links, slowest first.
func Links() []Link { return links }

// FindLink returns the link of a name, or nil.
func FindLink(name string) *Link {
	for i := range links {
		if links[i].Name == name {
			return &links[i]
		}
	}
	return nil
}

// GPU is the memory of a machine.
type GPU struct {
	Name           string  `json:"name"`
	MemoryBytes    uint64  `json:"memoryBytes"`
	MemorySource   string  `json:"memorySource"`
	BytesPerSecond float64 `json:"bytesPerSecond"` // peak of its DRAM
	// L2BytesPerSecond is what the slices of L2 give the crossbar at most, a flit a clock each. Data
	// have their full size there.
	L2BytesPerSecond float64 `json:"l2BytesPerSecond"`
	ClockSource      string  `json:"clockSource"`
	// Public reports whether both values have a public source.
	Public bool `json:"public"`
}

// gpuNames are the machines that the answers name.
var gpuNames = []string{"p100", "v100", "a100", "h100"}

// GPUNames returns the names of the GPUs.
func GPUNames() []string { return gpuNames }

// FindGPU returns the GPU of a name, or nil.
func FindGPU(name string) *GPU {
	for _, n := range gpuNames {
		if n == name {
			spec, err := preset.GPU(n)
			if err != nil {
				panic(err) // every name is a preset
			}
			return gpuOf(spec)
		}
	}
	return nil
}

func gpuOf(spec *parameter.GPU) *GPU {
	g := &GPU{Name: spec.Name, MemoryBytes: spec.MemoryBytes, BytesPerSecond: float64(spec.PeakBytesPerSecond()),
		L2BytesPerSecond: l2BytesPerSecond(spec)}
	for _, f := range preset.Describe(spec) {
		switch f.Path {
		case "memoryBytes":
			g.MemorySource = f.Source
		case "dramMHz":
			g.ClockSource = f.Source
		}
	}
	g.Public = !strings.Contains(g.MemorySource, "[ours]") && !strings.Contains(g.ClockSource, "[ours]")
	return g
}

func l2BytesPerSecond(spec *parameter.GPU) float64 {
	clock := spec.XbarClock()
	perSecond := float64(spec.CoreMHz) * 1e6 * float64(clock.Num) / float64(clock.Den)
	return float64(spec.Slices()) * mem.LineBytes / float64(mem.Flits(mem.LineBytes, spec.L2.FlitBytes)) * perSecond
}
