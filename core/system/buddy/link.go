package buddy

import (
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/core/mem"
	"github.com/burstscope/burstscope/core/memctrl"
	"github.com/burstscope/burstscope/core/stat"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/buddy/storage"
)

// linkSettings describe a link to a slower memory.
var linkSettings = []system.Setting{
	{Name: "gbPerSecond", Title: "link bandwidth", Unit: "GB/s in each direction", Low: 1, High: 4000, Default: 150,
		About: "Bandwidth of the link in each direction. Buddy Compression has 150 and studies 50 to 200 (table I, section " +
			"IV-B)."},
	{Name: "channels", Title: "link channels", Unit: "channels", Low: 1, High: 64, Default: 6,
		About: "Channels that share this bandwidth: six of NVLink2 (table I). A packet takes one channel."},
	{Name: "header", Title: "packet header", Unit: "bytes", High: 1024, Default: 32,
		About: "Bytes in front of each packet of the link (section IV-B: 32 at worst)."},
	{Name: "latency", Title: "latency factor", Unit: "times device memory", Low: 1, High: 100, Default: 2,
		About: "Time of an unloaded read through the link, in reads of device memory (section IV-A: 2)."},
}

// linkSetting is a setting of links with another default, and another sentence unless that is empty.
func linkSetting(name string, value int, about string) system.Setting {
	for _, s := range linkSettings {
		if s.Name == name {
			s.Default = value
			if about != "" {
				s.About = about
			}
			return s
		}
	}
	panic("buddy: no setting of links is called " + name)
}

// sentNothing says why nothing crossed the link of a run; empty if something did.
func sentNothing(r *system.Counts, why string) string {
	switch {
	case r.Sum("linkOutBytes", "linkInBytes") > 0:
		return ""
	case r.Moved() == 0:
		why = system.NothingMoved
	}
	if why == "" {
		return ""
	}
	return "sent nothing over its link: " + why // the room that it saves is another matter
}

// newLink returns the link that a part describes, for controllers like cfg.
func newLink(p system.Part, cfg *memctrl.Config) (*memctrl.Link, error) {
	return memctrl.NewLink(memctrl.LinkConfig{
		Channels: p.Int("channels"), MBPerSecond: 1000 * p.Int("gbPerSecond"), HeaderBytes: p.Int("header"),
		LatencyFactor: p.Int("latency"), Counters: storage.Crossing,
	}, cfg)
}

// linked gives each controller a storage, and its channels ports of one link.
func linked(p system.Part, newStorage func(c *memctrl.Config, image *mem.Image) memctrl.Storage) machine.Backing {
	return func(first *memctrl.Config, image *mem.Image) (machine.Attach, error) {
		link, err := newLink(p, first)
		if err != nil {
			return nil, err
		}
		return func(c *memctrl.Config) (memctrl.Storage, machine.Link) {
			own := *c
			return newStorage(c, image), func(_ int, f memctrl.Front, s *stat.Set) memctrl.Backing {
				return link.Port(f, s, &own)
			}
		}, nil
	}
}
