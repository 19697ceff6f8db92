package convert

import (
	"slices"
	"strings"
	"testing"
)

// tesla is a small machine with every kind of option of GPGPU-Sim 4.
const tesla = `# a machine of the tests
-gpgpu_compute_capability_major 7
-gpgpu_compute_capability_minor 0
-gpgpu_n_clusters 20   # of one SM
-gpgpu_n_cores_per_cluster 2
-gpgpu_n_mem 8
-gpgpu_n_sub_partition_per_mchannel 2
-gpgpu_clock_domains 1132.5:1132.5:1000.0:850.0
-gpgpu_shader_core_pipeline 2048:32
-gpgpu_shader_cta 16
-gpgpu_num_sched_per_core 4
-gpgpu_num_sp_units 4
-gpgpu_num_sfu_units 4
-gpgpu_num_dp_units 0
-gpgpu_scheduler two_level_active:8:0:1
-ptx_opcode_latency_int 4,13,4,5,145,21
-ptx_opcode_initiation_int 2,2,2,2,8,4
-ptx_opcode_latency_fp 4,13,4,5,39
-ptx_opcode_initiation_fp 2,2,2,2,4
-ptx_opcode_latency_sfu 100
-ptx_opcode_initiation_sfu 8
-gpgpu_cache:dl1 S:1:128:512,L:L:s:N:L,A:256:32,16:0,32
-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32
-gpgpu_cache:il1 N:64:128:16,L:R:f:N:L,S:2:48,4
-gpgpu_dram_partition_queues 64:32:64:16
-gpgpu_frfcfs_dram_sched_queue_size 48
-gpgpu_dram_buswidth 16
-gpgpu_dram_burst_length 2
-gpgpu_mem_addr_mapping dramid@8;00000000.00000000.00000000.00000000.0000RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS
-gpgpu_memory_partition_indexing 2
-gpgpu_dram_timing_opt "nbk=16:CCD=1:RRD=3:RCD=13:RAS=28:RP=12:RC=40:
                        CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3:XYZ=7"
-gpgpu_shader_cta 32
-gpgpu_runtime_stat 500
-gpgpu_l1_banks 4
-gpgpu_new_feature 1
`

// value is the value of a path in a conversion, or "".
func (m *Machine) value(path string) string {
	for _, v := range m.Values {
		if v.Path == path {
			return v.Text
		}
	}
	return ""
}

func (m *Machine) leftWith(words string) bool {
	return slices.ContainsFunc(m.Left, func(l Left) bool { return strings.Contains(l.Setting+": "+l.Why, words) })
}

// Every option of a machine becomes a value, a setting without a counterpart, or one without effect: none is lost.
func TestGPGPUSim(t *testing.T) {
	m, err := File("gpgpusim.config", []byte(tesla), "")
	if err != nil {
		t.Fatal(err)
	}
	if m.Preset != "v100" || m.Kind != "gpgpusim.config" {
		t.Errorf("%s on %s", m.Kind, m.Preset)
	}
	for path, want := range map[string]string{
		"sms": "40", "coreMHz": "1133", "xbarMHz": "0", "l2MHz": "1000", "dramMHz": "850", "controllers": "8",
		"channels": "1",
		"sm.warps": "64", "sm.ctas": "32", "sm.policy": "two-level", "sm.activeWarps": "8",
		// Four special-function units share the interval of 8; without units of their own, double precision has them too.
		"sm.timing.special.initiationCycles": "2", "sm.timing.intMax.latencyCycles": "13",
		"sm.timing.shuffle.latencyCycles":     "21",
		"sm.timing.floatDiv.initiationCycles": "1", "sm.timing.intAdd.initiationCycles": "2",
		// 512 ways are more than a set has: the same 64 KB in two sets.
		"sm.l1.sets": "2", "sm.l1.ways": "256", "sm.l1.merges": "16", "sm.l1.mshrs": "256",
		// Two slices of a channel are one.
		"l2.sets": "64", "l2.ways": "24", "l2.mshrs": "384", "l2.sectorFill": "on", "l2.index": "fold",
		"l2.writeMiss":           "allocate",
		"l2.requestQueuePackets": "64", "l2.dramQueueBlocks": "32", "l2.replyQueuePackets": "16",
		"controller.schedule": "joint", "controller.queueBlocks": "48", "dram.bytesPerCommandClock": "32",
		"dram.burstBytes": "32",
		"dram.rcd":        "13", "dram.rtp": "3", "dram.refi": "0", "dram.rowBytes": "2048", "addressHash": "channel",
		"addressMap": "dramid@8; RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS", "sm.fetch.cache.sets": "64",
	} {
		if got := m.value(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	for _, want := range []string{
		"XYZ=7: this converter does not know", "gpgpu_new_feature 1: this converter does not know",
		"gpgpu_l1_banks 4: L1 takes one line",
	} {
		if !m.leftWith(want) {
			t.Errorf("not among the settings without a counterpart: %s\n%+v", want, m.Left)
		}
	}
	if !slices.Contains(m.Quiet, "-gpgpu_runtime_stat 500") {
		t.Error(m.Quiet)
	}
	all := len(m.Quiet)
	for line := range strings.Lines(tesla) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "-"), " ")
		if line[0] == '-' && strings.Contains(said(m), name) {
			all++
		} else if line[0] == '-' && !slices.Contains(silent, name) {
			t.Errorf("the report does not name %s", name)
		}
	}
	for _, v := range m.Overrides() {
		if v.Note == "as in the preset" {
			t.Errorf("%s is no change: %+v", v.Path, v)
		}
	}
}

// silent are options that others use: their own line in the report would say nothing.
var silent = []string{
	"gpgpu_compute_capability_major", "gpgpu_compute_capability_minor", "gpgpu_n_cores_per_cluster", "gpgpu_num_sfu_units",
	"gpgpu_n_sub_partition_per_mchannel", "gpgpu_num_sp_units", "gpgpu_num_dp_units", "gpgpu_dram_burst_length",
}

func said(m *Machine) string {
	var b strings.Builder
	for _, v := range m.Values {
		b.WriteString(v.From + "\n")
	}
	for _, l := range m.Left {
		b.WriteString(l.Setting + "\n")
	}
	return b.String() + strings.Join(m.Quiet, "\n")
}

// The files of GPGPU-Sim 3 and Accel-Sim differ in form.
func TestGPGPUSimForms(t *testing.T) {
	m, err := File("a.config", []byte("-gpgpu_cache:dl1 64:128:6,L:L:m:N:H,A:32:8,8\n-gpgpu_dram_timing_opt "+
		"16:2:6:12:28:12:40:12:4:5:12:4:3:2\n-rop_latency 120\n-gmem_skip_L1D 1\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"sm.l1.sets": "64", "sm.l1.ways": "6", "sm.l1.index": "fermi", "sm.l1.local": "back", "dram.ccd": "2",
		"dram.rtp": "2", "l2LatencyCycles": "120", "sm.l1Loads": "off",
	} {
		if got := m.value(path); got != want || m.Preset != "gtx480" {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	m, err = File("trace.config", []byte("-gpgpu_compute_capability_major 8\n-trace_opcode_latency_initiation_int "+
		"4,2\n"), "")
	if err != nil || m.Preset != "a100" || m.value("sm.timing.intMad.latencyCycles") != "4" {
		t.Errorf("%v %+v", err, m)
	}
}

const hbm = `; a comment
[dram_structure]
protocol = HBM2
bankgroups = 4
banks_per_group = 4
columns = 64 ; of two beats
device_width = 128
BL = 4
[timing]
tCK = 1.25
CL = 14
CWL = 4
tRCDRD = 14
tRCDWR = 10
tRP = 14
tRAS = 34
tREFI = 3900
tCCD_S = 1
tXS = 268
[power]
VDD = 1.2
[system]
channels = 4
bus_width = 128
row_buf_policy = CLOSE_PAGE
`

func TestDRAMsim3(t *testing.T) {
	m, err := File("HBM2.ini", []byte(hbm), "")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"dram.standard": "hbm", "dram.banks": "16", "dram.rowBytes": "2048", "dram.bytesPerCommandClock": "32",
		"dram.burstBytes": "64",
		"dramMHz":         "800", "dram.rcd": "14", "dram.rcdwr": "10", "dram.rc": "48", "controller.rowPolicy": "close",
		"dram.refresh": "allBanks",
	} {
		if got := m.value(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if !m.leftWith("timing.tXS = 268: power-down") || !slices.Contains(m.Quiet, "power.VDD = 1.2") || m.Preset != "v100" {
		t.Errorf("%s: %+v %v", m.Preset, m.Left, m.Quiet)
	}
	// A chip of GDDR5: a column is a burst, and four beats come in a clock.
	m, err = File("g.ini", []byte("[dram_structure]\nprotocol = GDDR5\nbankgroups = 4\nbanks_per_group = "+
		"4\nbankgroup_enable = false\n"+
		"columns = 128\ndevice_width = 32\nBL = 8\n[system]\nbus_width = 32\n"), "")
	if err != nil || m.value("dram.rowBytes") != "4096" || m.value("dram.bankGroups") != "1" ||
		m.value("dram.bytesPerCommandClock") != "16" {
		t.Errorf("%v %+v", err, m)
	}
}

const ramulator = `Frontend: {impl: SimpleO3}
MemorySystem:
  impl: GenericDRAM
  DRAM:
    impl: GDDR6
    org: {preset: GDDR6_8Gb_x16, channel: 2, rank: 1}
    timing: {preset: GDDR6_2000_1350mV_double, nRRDS: 9}
`

func TestRamulator(t *testing.T) {
	m, err := File("r.yaml", []byte(ramulator), "")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"dram.standard": "gddr6", "dram.banks": "16", "dram.rowBytes": "2048", "dramMHz": "1754", "dram.rrd": "9",
		"dram.rcdwr":                "16",
		"dram.bytesPerCommandClock": "16", "controllers": "2",
	} {
		if got := m.value(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if !m.leftWith("org.rank = 1: ranks") || !m.leftWith("Frontend: ") {
		t.Errorf("%+v", m.Left)
	}
}

// What cannot be read is refused with its place; what no machine can be, is refused too.
func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.txt", "hello", "it is none of gpgpusim.config, DRAMsim3 ini, Ramulator 2 YAML, Ramulator 2.1"},
		{"a.config", "-gpgpu_n_clusters many\n", `a.config:1: -gpgpu_n_clusters: "many" is no number`},
		{"a.config", "\n\n-gpgpu_n_clusters -1\n", `a.config:3: -gpgpu_n_clusters: "-1" is no number`},
		{"a.config", "-gpgpu_n_clusters\n", "it has 0 numbers, and 1 are needed"},
		{"a.config", "-gpgpu_clock_domains 1:2\n", "it has 2 numbers, and 4 are needed"},
		{"a.config", "-gpgpu_dram_timing_opt \"nbk=16:CCD\n", "a.config:1: a quotation mark without its end"},
		{"a.config", "-gpgpu_dram_timing_opt nbk=16:CCD\n", "no list of name=number"},
		{"a.config", "-gpgpu_cache:dl1 N:32:128\n", "1 groups between commas"},
		{"a.config", "-gpgpu_cache:dl1 N:32:128:4,L,S:64:8,8\n", "fewer than four letters"},
		{"a.config", "hello -gpgpu_n_clusters 4\n", `"hello" stands before the first option`},
		{"a.config", "-gpgpu_cache:dl1 N:33:128:4,L:L:m:N:H,S:64:8,8\n", "a.config: machine.overrides.sm.l1.sets: 33 sets"},
		{"a.config", strings.Repeat("-gpgpu_x\n", maxOptions+1), "more than 4096 options"},
		{"a.ini", "[dram_structure]\nprotocol = DDR4\n", `dram_structure.protocol is "DDR4", and no machine here has it`},
		{"a.ini", "[dram_structure\n", "a.ini:1: a section without its ]"},
		{"a.ini", "[dram_structure]\nhello\n", `a.ini:2: "hello" is no setting`},
		{"a.ini", strings.Replace(hbm, "CL = 14", "CL = x", 1), `timing.CL is "x", and no number`},
		{"a.ini", strings.Replace(hbm, "columns = 64", "columns = 65", 1), "a channel has powers of two"},
		{"a.yaml", "MemorySystem: {DRAM: {impl: DDR5}}", `MemorySystem.DRAM.impl is "DDR5"`},
		{"a.yaml", strings.Replace(ramulator, "1350mV", "1mV", 1), `timing.preset "GDDR6_2000_1mV_double" is not known`},
		{"a.yaml", strings.Replace(ramulator, "GDDR6_8Gb", "GDDR6_9Gb", 1), "org.preset"},
		{"a.yaml", "MemorySystem: [", "a.yaml: "},
	} {
		if m, err := File(c.name, []byte(c.text), ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v %+v, want %q", c.text, err, m, c.want)
		}
	}
	if _, err := File("a.config", []byte(tesla), "v1000"); err == nil {
		t.Error("took a preset that does not exist")
	}
}

// Any text gives a machine or an error.
func FuzzFile(f *testing.F) {
	for _, text := range []string{tesla, hbm, ramulator, ramulator21, gddr5x, "-gpgpu_n_mem 0",
		"-gpgpu_mem_addr_mapping dramid@8;RRSSSS\n-gpgpu_n 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{"a.config", "a.ini", "a.yaml"} {
			if m, err := File(name, []byte(text), ""); (m == nil || err != nil) && err == nil {
				t.Error("no machine and no error")
			}
		}
	})
}
