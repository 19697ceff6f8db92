package convert

import (
	"strings"
	"testing"
)

// gddr5x has what files of DRAMsim3 have: a remark after a number, a setting without a value, devices side by side.
const gddr5x = `[dram_structure]
protocol = GDDR5X
bankgroups = 4
banks_per_group = 4
columns = 64
device_width = 32
BL = 16
bankgroup_enable = false
[timing]
tCK = 0.666 (1/1.5)
CL = 24
tRFC =
[system]
channels = 2
bus_width = 128
`

// Four devices of 32 bits move 128 bytes in a clock. A channel here moves 32 at most, so each device is a channel,
// with the same bandwidth and the same rows together.
func TestDRAMsim3DevicesSideBySide(t *testing.T) {
	m, err := File("g.ini", []byte(gddr5x), "")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"controllers": "8", "channels": "1", "dram.bytesPerCommandClock": "32", "dram.burstBytes": "64",
		"dram.rowBytes": "4096", "dramMHz": "1502", "dram.cl": "24", "dram.rfc": "",
	} {
		if got := m.value(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if !m.leftWith("timing.tRFC: it has no value") {
		t.Errorf("%+v", m.Left)
	}
	for _, v := range m.Values {
		if v.Path == "dram.bytesPerCommandClock" && !strings.Contains(v.Note, "4 channels here") {
			t.Errorf("the report does not say that a channel was divided: %q", v.Note)
		}
	}
}

// ramulator21 is a file in the form that Ramulator 2.1 exports, shortened: HBM3 counts half clocks, and has two pseudo
// channels and two stacks.
const ramulator21 = `frontend:
  impl: LoadStoreTrace
memory_system:
  impl: GenericDRAM
  controllers:
    - impl: HBM34
      read_buffer_size: 32
      dram:
        impl: HBM3
        org:
          dq: 32
          count: [1, 2, 2, 4, 4, 16384, 256]
        timing: [6400, 4, 40, 62, 30, 52, 90, 143, 66, 18, 20, 4, 8, 6, 8, 10, 14, 20, 40, 48, 4, 1120, 640, 1120, 640,
          16, 12480, 390, 312]
        channel_width: 32
        read_latency: 44
`

func TestRamulator21(t *testing.T) {
	m, err := File("r.yaml", []byte(ramulator21), "")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"dram.standard": "hbm", "dram.banks": "16", "dram.rowBytes": "1024", "dramMHz": "1603", "controllers": "2",
		// 32 bits, four beats in a clock, bursts of eight.
		"dram.bytesPerCommandClock": "16", "dram.burstBytes": "32",
		"dram.cl": "20", "dram.rc": "72", "dram.rcdwr": "15", "dram.refi": "6240", "dram.rfc": "560", "dram.rtp": "9",
	} {
		if got := m.value(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if m.Preset != "h100" || m.Kind != "Ramulator 2.1 YAML" {
		t.Errorf("%s on %s", m.Kind, m.Preset)
	}
	for _, want := range []string{"org.sid = 2: ranks", "read_latency: it follows", "frontend: Ramulator's",
		"timing.nRFMab = 560: refresh management"} {
		if !m.leftWith(want) {
			t.Errorf("not among the settings without a counterpart: %s\n%+v", want, m.Left)
		}
	}
	for old, c := range map[string]struct{ new, want string }{
		"impl: HBM3\n":     {"impl: DDR5\n", `controllers.dram.impl is "DDR5"`},
		"[1, 2, 2, 4, 4,":  {"[1, 2, 4, 4,", "dram.org.count has 6 numbers"},
		"[1, 2, 2,":        {"[1, 99, 2,", "99 pseudo channels"},
		"  controllers:":   {"  others:", "has 0 controllers"},
		" 4, 16384, 256]":  {" 4, 16384, 3]", "a channel has powers of two"},
		"frontend:\n":      {"frontend: [", "r.yaml: "},
		"channel_width: 3": {"channel_width: -3", "no number from 0"},
	} {
		text := strings.Replace(ramulator21, old, c.new, 1)
		if m, err := File("r.yaml", []byte(text), ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v %+v, want %q", c.new, err, m, c.want)
		}
	}
	first := ramulator21[strings.Index(ramulator21, "    - impl"):]
	second := ramulator21 + strings.Replace(first, "[6400,", "[6000,", 1)
	if _, err := File("r.yaml", []byte(second), ""); err == nil || !strings.Contains(err.Error(),
		"controllers[1] has another DRAM") {
		t.Error(err)
	}
}
