package claim

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// buddyPaper is the name of Buddy Compression in the table of claims.
const buddyPaper = "BUDDY"

// buddySize is the size of the proxies in MB [ours]: three times L2, at which a run takes some four
// seconds.
const buddySize = 12

// buddyWorkload returns the proxy of a program of Buddy Compression.
func buddyWorkload(id string) (scenario.Workload, error) {
	name, data, known := programs.Proxy(id)
	if !known {
		return scenario.Workload{}, fmt.Errorf("program %s does not exist here", id)
	}
	return scenario.Workload{Name: name, Size: buddySize, Data: data}, nil
}

// backingSystems are those of Buddy Compression's rows: the entry of the group backing.
var backingSystems = map[string]string{"IDEAL": system.None, "BWONLY": "bandwidth", buddyPaper: "buddy", "PINNED": "pinned", "UM": "unified"}

// backingSettings are settings of predicates about memory behind a link. 0 and "" are those of
// the paper.
type backingSettings struct {
	link      int    // GB/s
	threshold int    // Buddy Threshold in percent
	profile   string // how targets are chosen
	metadata  int    // KB of the metadata cache on the paper's data, which are 64 MB; -1 always hits
	latency   int    // of buddy memory, in reads of device memory
	instant   bool   // the codec takes no time
	beyond    int    // percent of the data that device memory does not hold, of UM
	copies    bool   // of the host, beside IDEAL
}

// hostCopyKB is what the host copies between two launches of a program, so much that it takes a fifth of the
// program's time at 150 GB/s [ours; the paper says that FF_HPGMG depends on the link for such copies].
var hostCopyKB = map[string]int{"FF_HPGMG": 571}

// linkOfBase gives the base of a system without compression the paper's link, if the system has another: then
// both have the copies of the host, which are all that IDEAL has on the link.
func (r *request) linkOfBase() {
	const ideal = "IDEAL"
	if r.system == ideal && r.on.backing.link != 0 {
		r.on.backing.copies = true
		r.of.backing.copies = r.base == ideal
	}
}

// The paper's values (table I, sections III and IV).
const (
	buddyLink, buddyThreshold, buddyMetadataKB, buddyLatency = 150, 30, 64, 2
	perfectMetadata                                          = -1
)

// buddyProfiles are the words of opt=.
var buddyProfiles = map[string]string{"naive": "naive", "alloc": "per-allocation", "zero": ""}

// set gives a setting its value; ok is false if there is none of that name and value.
func (b *backingSettings) set(key string, value any) (ok bool) {
	n, number := value.(int)
	word, _ := value.(string)
	profile, known := buddyProfiles[word]
	other := func(n, usual int) int {
		if n == usual {
			return 0
		}
		return n
	}
	switch {
	case key == "link" && number && n > 0:
		b.link = other(n, buddyLink)
	case key == "bt" && number && n > 0 && n <= 100:
		b.threshold = other(n, buddyThreshold)
	case key == "opt" && known:
		b.profile = profile
	case key == "mdc" && number && n > 0:
		b.metadata = other(n, buddyMetadataKB)
	case key == "mdc" && word == "perfect":
		b.metadata = perfectMetadata
	case key == "lat_factor" && number && n > 0:
		b.latency = other(n, buddyLatency)
	case key == "oversub" && value == 0.5, key == "oversub" && number && n > 0 && n < 100:
		if b.beyond = n; !number {
			b.beyond = 50
		}
	case key == "codec_lat" && number && n == 0:
		b.instant = true
	default:
		return false
	}
	return true
}

// proxyL2Sets make an L2 of 1 MB of the machine's 4 MB, for proxies of 12 MB [ours]. The paper's programs
// have gigabytes, of which no L2 holds a part that matters.
const proxyL2Sets = 16

// proxyScaleMB is the data that the paper's metadata cache stands for [ours]: 64 KB hold the metadata of
// 16 MB, a quarter of them. A proxy's cache is smaller in proportion to its data.
const proxyScaleMB = 64

// applyBacking gives a scenario a system of Buddy Compression and its settings.
func applyBacking(s *scenario.Scenario, kind string, b *backingSettings, overrides scenario.Overrides) error {
	overrides["l2.sets"] = int64(proxyL2Sets)
	if kind == system.None && !b.copies {
		return nil
	}
	if kind == system.None {
		kind = "copies"
	}
	changes := []string{"backing.kind", kind}
	put := func(path string, n int) { changes = append(changes, "backing."+path, strconv.Itoa(n)) }
	if kind == "copies" {
		name, size := "", 0
		for _, id := range slices.Sorted(maps.Keys(hostCopyKB)) {
			if w, err := buddyWorkload(id); err == nil && w.Name == s.Workload.Name && w.Data == s.Workload.Data {
				name, size = id, hostCopyKB[id]
			}
		}
		if name == "" {
			return missing{"copies of the host of " + s.Workload.Data}
		}
		put("copyKB", size)
	}
	if kind == "unified" && b.beyond != 0 {
		put("share", 100-b.beyond)
	}
	if kind == "buddy" || kind == "bandwidth" {
		s.Memory.Put("codec", "bpc")
		if b.instant {
			s.Memory.Put("latency", "0/0")
		}
		kilobytes := max(0, b.metadata)
		if b.metadata == 0 {
			kilobytes = buddyMetadataKB
		}
		put("metadataKB", kilobytes*s.Workload.Size/proxyScaleMB)
	}
	if kind != "bandwidth" && b.link != 0 {
		put("gbPerSecond", b.link)
	}
	if kind != "bandwidth" && kind != "copies" && b.latency != 0 {
		put("latency", b.latency)
	}
	if kind == "buddy" && b.threshold != 0 {
		put("threshold", b.threshold)
	}
	if kind == "buddy" && b.profile != "" {
		changes = append(changes, "backing.profile", b.profile)
	}
	for i := 0; i < len(changes); i += 2 {
		if err := s.Set(changes[i], changes[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// backingWords describes the backing of a job.
func backingWords(s *scenario.Scenario) string {
	kind, _ := s.Backing["kind"].(string)
	if kind == "" || kind == system.None {
		return ""
	}
	text := ", " + kind
	for _, name := range []string{"gbPerSecond", "latency", "threshold", "profile", "metadataKB", "share", "copyKB"} {
		if v, there := s.Backing[name]; there {
			text += fmt.Sprintf(" %s %v", name, v)
		}
	}
	return text
}

// buddyCircular are the rows whose statement the proxies were made to fit, with what was made. They are
// no evidence.
var buddyCircular = []analysis{
	{[]string{"BUDDY-05", "BUDDY-06", "BUDDY-07"}, "the sizes of the proxies' entries were tuned to the mean ratios of figure 3"},
	{[]string{"BUDDY-08", "BUDDY-96"}, "the proxy of 355.seismic fills fields of zeros with entries of 64 bytes"},
	{[]string{"BUDDY-09"}, "the proxies of networks draw the sizes of their entries anew in each step, with the same shares"},
	{[]string{"BUDDY-14"}, "the words of the proxies have so many random bits as give a size under BPC: other codecs do not suit them"},
	{[]string{"BUDDY-15"}, "the proxies were given these sizes"},
	{[]string{"BUDDY-38"}, "the proxies of 352.ep and VGG16 have an allocation that stays zero"},
	{[]string{"BUDDY-44"}, "the proxies of HPC have regions of one size, those of networks mix sizes entry by entry"},
	{[]string{"BUDDY-45", "BUDDY-51"}, "the proxy of FF_HPGMG has stripes of eight entries, seven of which exceed 32 bytes"},
	{[]string{"BUDDY-59", "BUDDY-60"}, "the proxies of 354.cg and 360.ilbdc gather single words, and L2 has 1 MB in place of 4: with 4 MB 354.cg gets faster"},
	{[]string{"BUDDY-58"}, "the patterns of the proxies of HPC were chosen: two of them gather single words, which costs them the gain"},
	{[]string{"BUDDY-61"}, "the proxy of FF_Lulesh was made to wait for latency"},
	{[]string{"BUDDY-68"}, "the share of entries of AlexNet's proxy that need the link was chosen"},
	{[]string{"BUDDY-72"}, "the host of FF_HPGMG's proxy copies so much that it takes a fifth of the time at 150 GB/s"},
	{[]string{"BUDDY-95"}, "the arrays of the proxies have one size of entries each"},
}

// circular returns what was made so that a row holds, or "".
func circular(id string) string {
	for _, a := range buddyCircular {
		if slices.Contains(a.ids, id) {
			return a.text
		}
	}
	return ""
}
