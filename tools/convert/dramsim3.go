package convert

import (
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/mem"
)

func sorted[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// setting is a value of a file with the line it stands in.
type setting struct {
	value string
	line  int
}

// dramFile is a file of DRAM settings: what was read of it, and what of that was used.
type dramFile struct {
	*Machine
	name     string
	settings map[string]setting // by section.key
	used     map[string]bool
	fault    error
}

// parseINI reads sections and keys; ; and # begin comments (inih, as DRAMsim3 uses it).
func parseINI(name string, text []byte) (map[string]setting, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%s: %d bytes, and at most %d are read: give a file of DRAMsim3", name, len(text), maxBytes)
	}
	list := map[string]setting{}
	section, number := "", 0
	for line := range strings.Lines(string(text)) {
		number++
		if i := strings.IndexAny(line, ";#"); i >= 0 {
			line = line[:i]
		}
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if inside, ok := strings.CutPrefix(line, "["); ok {
			if section, ok = strings.CutSuffix(inside, "]"); !ok {
				return nil, fmt.Errorf("%s:%d: a section without its ]: write [name]", name, number)
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || section == "" {
			return nil, fmt.Errorf("%s:%d: %s is no setting of a section: write name = value below [section]",
				name, number, fault.Quote(line))
		}
		list[section+"."+strings.TrimSpace(key)] = setting{strings.TrimSpace(value), number}
	}
	return list, nil
}

// real reads a number that is not negative. Words after it are a remark, as DRAMsim3's files have them; a setting
// without a value is none, and there has the simulator's own value.
func (f *dramFile) real(key string) (x float64, ok bool) {
	s, ok := f.settings[key]
	if !ok || f.fault != nil {
		return 0, false
	}
	word, _, _ := strings.Cut(s.value, " ")
	if word == "" {
		f.used[key] = true
		f.leave(key, "it has no value: that of the preset stays")
		return 0, false
	}
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(x >= 0 && x <= math.MaxInt32) {
		f.fault = fmt.Errorf("%s:%d: %s is %s, and no number from 0 to %d: correct it, or delete the line",
			f.name, s.line, key, fault.Quote(s.value), math.MaxInt32)
		return 0, false
	}
	f.used[key] = true
	return x, true
}

func (f *dramFile) whole(key string, otherwise int) int {
	if x, ok := f.real(key); ok {
		return int(math.Ceil(x))
	}
	return otherwise
}

// time gives a constant of DRAM a number of the file.
func (f *dramFile) time(path, key string) {
	if x, ok := f.real(key); ok {
		f.number("dram."+path, int(math.Ceil(x)), key, "")
	}
}

func (f *dramFile) text(key string) string {
	s, ok := f.settings[key]
	if ok {
		f.used[key] = true
	}
	return s.value
}

// finish leaves the settings that nothing has used; why has the reasons by the beginnings of keys.
func (f *dramFile) finish(quiet []string, why map[string]string) (*Machine, error) {
	for _, key := range sorted(f.settings) {
		if f.used[key] {
			continue
		}
		one := key + " = " + f.settings[key].value
		if slices.ContainsFunc(quiet, func(p string) bool { return strings.HasPrefix(key, p) }) {
			f.Quiet = append(f.Quiet, one)
			continue
		}
		reason := "this converter does not know the setting"
		for _, prefix := range sorted(why) {
			if strings.HasPrefix(key, prefix) {
				reason = why[prefix]
			}
		}
		f.leave(one, reason)
	}
	return f.Machine, f.fault
}

// geometry sets rows, banks and the map of a channel. from says where they come from.
func (f *dramFile) geometry(rowBytes, groups, banks int, from string) {
	if !powerOfTwo(rowBytes) || !powerOfTwo(banks) || banks > 32 {
		f.fault = fmt.Errorf("%s: rows of %d bytes in %d banks: a channel has powers of two, and at most 32 banks", f.name,
			rowBytes, banks)
		return
	}
	f.number("dram.banks", banks, from, "")
	f.number("dram.bankGroups", groups, from, "")
	f.number("dram.rowBytes", rowBytes, from, "")
	columns := bits.TrailingZeros(uint(rowBytes))
	if columns < 7 {
		f.fault = fmt.Errorf("%s: rows of %d bytes: a row here has at least 128", f.name, rowBytes)
		return
	}
	// Rows on top, banks below them, columns at the bottom; 5 bits are those of a sector.
	fields := strings.Repeat("R", 13) + strings.Repeat("B", bits.TrailingZeros(uint(banks))) +
		strings.Repeat("C", columns-5) + strings.Repeat("S", 5)
	f.set("addressMap", "dramid@8; "+fields, from, "the map of this converter: channels change every 256 bytes, "+
		"banks every row")
}

func powerOfTwo(n int) bool { return n > 0 && n&(n-1) == 0 }

// standards are the protocols of other simulators: the name here, beats of the data bus in a command clock, the
// factor from columns to widths of a device (DRAMsim3, configuration.cc), and the preset with the nearest other
// values.
var standards = map[string]struct {
	standard, preset string
	beats            int
}{
	"GDDR5": {"gddr5", "gtx480", 4}, "GDDR5X": {"gddr5", "gtx480", 8}, "GDDR6": {"gddr6", "rtx2060", 8},
	"HBM": {"hbm", "p100", 2}, "HBM2": {"hbm", "v100", 2}, "HBM3": {"hbm", "h100", 4},
}

func standardsText() string { return strings.Join(sorted(standards), ", ") }

// readDRAMsim3 reads a file of DRAMsim3's configs.
func readDRAMsim3(name string, text []byte, base string) (*Machine, error) {
	settings, err := parseINI(name, text)
	if err != nil {
		return nil, err
	}
	f := &dramFile{name: name, settings: settings, used: map[string]bool{}}
	protocol := f.text("dram_structure.protocol")
	s, ok := standards[protocol]
	if !ok {
		return nil, fmt.Errorf("%s: dram_structure.protocol is %s, and no machine here has it: use one of %s",
			name, fault.Quote(protocol), standardsText())
	}
	if base == "" {
		base = s.preset
	}
	if f.Machine, err = start("DRAMsim3 ini", base); err != nil {
		return nil, err
	}
	f.set("dram.standard", s.standard, "dram_structure.protocol "+protocol, "")
	f.dramsim3(protocol, s.beats)
	return f.finish([]string{"power.", "other.", "thermal."}, map[string]string{
		"system.":           "queues and policies of DRAMsim3: those of the controller here have values of their own",
		"system.address":    "channels change every 256 bytes here; addressMap can be changed by hand",
		"system.channel_si": "ranks are not modelled: a channel has one",
		"timing.tX":         "power-down and self-refresh are not modelled",
		"timing.tCK":        "power-down is not modelled",
		"timing.tRPRE":      "preambles are not modelled", "timing.tWPRE": "preambles are not modelled",
		"timing.tRTRS": "ranks are not modelled", "timing.tPPD": "precharges may follow each other at once",
		"timing.tREFIb":           "refreshes of one bank come every tREFI / banks",
		"dram_structure.rows":     "memoryBytes of the preset stays",
		"dram_structure.num_dies": "dies are not modelled", "dram_structure.hbm_dual": "see dram.separateRowBus",
	})
}

// narrowed divides a channel whose devices together move more than a sector in a clock into channels of fewer devices.
func narrowed(bus, width, beats int) (narrow, channels int) {
	channels = 1
	for bus/8*beats > mem.SectorBytes && bus%2 == 0 && bus/2 >= width {
		bus, channels = bus/2, channels*2
	}
	return bus, channels
}

func (f *dramFile) dramsim3(protocol string, beats int) {
	gddr := strings.HasPrefix(protocol, "GDDR")
	groups, each := f.whole("dram_structure.bankgroups", 2), f.whole("dram_structure.banks_per_group", 2)
	banks := groups * each
	if v := strings.ToLower(f.text("dram_structure.bankgroup_enable")); v == "false" || v == "0" || v == "no" {
		groups = 1
	}
	width, bus := f.whole("dram_structure.device_width", 8), f.whole("system.bus_width", 64)
	length := f.whole("dram_structure.BL", 8)
	columns := f.whole("dram_structure.columns", 1<<10)
	if f.fault != nil {
		return
	}
	if width < 1 || bus < width || bus > 4096 || length > 64 || columns > 1<<16 {
		f.fault = fmt.Errorf("%s: a bus of %d bits of devices of %d, bursts of %d, %d columns: correct dram_structure "+
			"and system",
			f.name, bus, width, length, columns)
		return
	}
	if length == 0 { // configuration.cc: perfect bandwidth
		f.leave("dram_structure.BL = 0", "a bus of endless bandwidth; bursts of 8 are used")
		length = 8
	}
	if gddr { // a column is a burst; of HBM it is two beats
		columns *= length
	} else {
		columns *= 2
	}
	bus, split := narrowed(bus, width, beats)
	note := ""
	if split > 1 {
		note = fmt.Sprintf("; its devices are those of %d channels here, because a channel moves at most a sector in a clock",
			split)
	}
	f.geometry(columns*bus/8, groups, banks, "dram_structure, system.bus_width")
	f.number("dram.bytesPerCommandClock", bus/8*beats, "system.bus_width", fmt.Sprintf("%d beats in a clock of %s%s",
		beats, protocol, note))
	f.number("dram.burstBytes", bus/8*length, "dram_structure.BL", "")
	if tck, ok := f.real("timing.tCK"); ok && tck > 0 {
		f.number("dramMHz", int(math.Round(1000/tck)), "timing.tCK", "rounded to whole MHz")
	}
	if n := f.whole("system.channels", 1); n > 0 {
		(&gpgpusim{Machine: f.Machine}).channels(n*split, "system.channels")
	}
	for _, t := range []struct{ path, key string }{
		{"cl", "CL"}, {"wl", "CWL"}, {"rcd", "tRCD"}, {"rcd", "tRCDRD"}, {"rcdwr", "tRCDWR"}, {"rp", "tRP"}, {"ras",
			"tRAS"}, {"rfc", "tRFC"},
		{"refi", "tREFI"}, {"rrd", "tRRD_S"}, {"rrdl", "tRRD_L"}, {"cdlr", "tWTR_S"}, {"cdlrl", "tWTR_L"}, {"faw", "tFAW"},
		{"wr", "tWR"}, {"ccd", "tCCD_S"}, {"ccdl", "tCCD_L"}, {"rtp", "tRTP"}, {"rtp", "tRTP_S"}, {"rtpl", "tRTP_L"},
		{"aw32", "t32AW"}, {"rfcpb", "tRFCb"},
	} {
		f.time(t.path, "timing."+t.key)
	}
	f.number("dram.rc", f.whole("timing.tRAS", f.gpu.DRAM.RAS)+f.whole("timing.tRP", f.gpu.DRAM.RP),
		"timing.tRAS, timing.tRP", "their sum")
	switch strings.ToUpper(f.text("system.row_buf_policy")) {
	case "OPEN_PAGE":
		f.set("controller.rowPolicy", "open", "system.row_buf_policy", "")
	case "CLOSE_PAGE":
		f.set("controller.rowPolicy", "close", "system.row_buf_policy", "")
	}
	if f.text("system.refresh_policy") == "BANK_LEVEL_STAGGERED" {
		f.set("dram.refresh", "perBank", "system.refresh_policy", "")
	} else {
		f.set("dram.refresh", "allBanks", "system.refresh_policy", "all banks of a channel")
	}
}
