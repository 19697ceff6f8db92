package claim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/machine/parameter"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scheme"
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/workload/programs"
)

// lattePaper is the paper's name in the table of claims.
const lattePaper = "LATTE"

// latteWorkload returns a program of LATTE-CC, on the data of its suite. KM has its own
// layout there.
func (r Reading) latteWorkload(id string, info *programs.Info) scenario.Workload {
	w := scenario.Workload{Name: info.Name, Size: info.StudySize, Data: info.DataModes[0]}
	switch {
	case id == "KM":
		w.Data = "connections"
	case r.Data != Natural && slices.Contains(info.DataModes, string(Suite)):
		w.Data = string(Suite)
	}
	if s, known := latteSizes[id]; known && r.Word("sizes") == string(StudySizes) {
		w.Size = s.size
	}
	return w
}

// l1System is a system that changes what L1 stores, or its size.
type l1System struct {
	name  string
	store string   // the entry of the scheme's group l1
	sets  []string // further settings of the group: path, value ...
	times int      // the L1 has as many times the sets; 0 = 1
}

// l1Systems are those of LATTE-CC's rows.
var l1Systems = []l1System{
	{name: "L1-NONE", store: system.None},
	// An L1 whose lines stay as they are, with measurements. Its result is that of L1-NONE.
	{name: l1Measured, store: "raw", sets: []string{"ratios", "on"}},
	{name: "L1-BDI", store: "static-bdi"},
	{name: "L1-SC", store: "static-sc"},
	{name: "LATTE", store: "latte"},
	{name: "LATTE-BPC", store: "latte-bpc"},
	{name: "AHC", store: "adaptive-hit-count"},
	{name: "ACMP", store: "adaptive-cmp"},
	{name: "KOPT", store: "kernel-opt"},
	{name: "L1LAT", store: "delayed"},
	{name: "L1X4", store: system.None, times: 4},
}

// l1Measured is the system whose runs have the ratios of lines in L1.
const l1Measured = "L1-MEASURED"

func l1SystemOf(name string) *l1System {
	for i := range l1Systems {
		if l1Systems[i].name == name {
			return &l1Systems[i]
		}
	}
	return nil
}

// l1Settings are settings of predicates about L1.
type l1Settings struct {
	kilobytes int  // the size of L1; 0 = that of the machine
	extra     int  // cycles that every hit takes longer
	whole     bool // a compressed line takes the room of a whole line
}

// set gives a setting its value; ok is false if there is none of that name and value.
func (l *l1Settings) set(key string, value any) (ok bool) {
	n, number := value.(int)
	switch {
	case key == "l1" && number && n == 48:
		l.kilobytes = n
	case key == "extra" && number && n >= 0:
		l.extra = n
	case key == "capacity" && (value == "on" || value == "off"):
		l.whole = value == "off"
	default:
		return false
	}
	return true
}

// apply gives a scenario the system and its settings. What belongs to the machine goes to its overrides.
func (y *l1System) apply(s *scenario.Scenario, m *parameter.GPU, set *settings, overrides scenario.Overrides) error {
	put := func(path, value string) error { return s.Set("l1."+path, value) }
	if err := put("store", y.store); err != nil {
		return err
	}
	changes := slices.Clone(y.sets)
	if set.l1.extra > 0 {
		changes = append(changes, "extraLatency", strconv.Itoa(set.l1.extra))
	}
	if set.l1.whole {
		changes = append(changes, "capacity", "off")
	}
	if set.decomp >= 0 {
		for _, name := range []string{"lowDecompress", "highDecompress"} {
			if _, there := s.L1[name]; there {
				changes = append(changes, name, strconv.Itoa(set.decomp))
			}
		}
	}
	for i := 0; i < len(changes); i += 2 {
		if err := put(changes[i], changes[i+1]); err != nil {
			return err
		}
	}
	if y.times > 1 {
		overrides["sm.l1.sets"] = int64(m.SM.L1.Sets * y.times)
	}
	if set.l1.kilobytes == 48 {
		// Fermi gives L1 48 KB of its 64 as 64 sets of six ways (GPGPU-Sim 3.2.1, gpgpu_cache:dl1PrefL1
		// 64:128:6), and leaves 16 KB to shared memory (gpgpu_shmem_size_PrefL1).
		overrides["sm.l1.sets"], overrides["sm.l1.ways"], overrides["sm.sharedBytes"] = int64(64), int64(6), int64(16<<10)
	}
	return nil
}

// l1Words describes the L1 of a job that is not the machine's own.
func l1Words(s *scenario.Scenario) string {
	text := ""
	if store := s.L1.Choice(scheme.Find("l1")); store != system.None {
		text = ", L1 " + store
		if n := s.L1.Int("extraLatency"); n > 0 {
			text += fmt.Sprintf(" +%d cycles", n)
		}
		if s.L1.Word("capacity") == "off" {
			text += " without capacity"
		}
		if n, low := s.L1["lowDecompress"].(int64); low && n == 0 {
			text += " BDI in 0 cycles"
		}
		if n, high := s.L1["highDecompress"].(int64); high && n == 0 {
			text += " SC in 0 cycles"
		}
	}
	if _, sets := s.Machine.Overrides["sm.l1.sets"]; sets {
		if spec, err := s.Machine.Spec(); err == nil {
			text += fmt.Sprintf(", L1 of %d KB", spec.SM.L1.Bytes()>>10)
		}
	}
	return text
}

// lowered is a system's name in the names of metrics.
func lowered(system string) string { return strings.ToLower(system) }
