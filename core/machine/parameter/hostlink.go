package parameter

// HostLink is a link between the host and the GPU.
type HostLink uint8

// hostLinks are the links, with what copies of page-locked memory reach. A transfer of a few bytes takes 5 to 7
// microseconds from cudaMemcpyAsync to its end (Wu et al., DualPath, 2026, arXiv:2602.21548, section 5.2); no
// measurement of it on NVLink-C2C is known to us, so it has the same [ours].
var hostLinks = []struct {
	name               string
	bytesPerSecond     uint64
	latencyNanoseconds uint64
	source             string
}{
	{"none", 0, 0, "copies take no time"},
	{"pcie4", 26_300_000_000, 6000, "nvbandwidth issue 15, host_to_device_memcpy_ce on an RTX 4090: 26.3 GB/s"},
	{"pcie5", 52_770_000_000, 6000, "nvbandwidth issue 24, device_to_host_memcpy_sm on an H100: 52.8 GB/s"},
	{"nvlinkc2c", 450_000_000_000, 6000, "NVIDIA Grace Hopper Superchip architecture: 450 GB/s in a direction, the " +
		"peak"},
}

func hostLinkNames() []string {
	var names []string
	for i := range hostLinks {
		names = append(names, hostLinks[i].name)
	}
	return names
}

// Link returns the time of the link to the host in core cycles: its latency, and the bytes of 1000 cycles; 0 = no time.
func (s *GPU) Link() (latencyCycles, bytesPerKilocycles uint64) {
	l := &hostLinks[s.HostLink]
	return l.latencyNanoseconds * s.CoreMHz / 1000, l.bytesPerSecond / (s.CoreMHz * 1000)
}
