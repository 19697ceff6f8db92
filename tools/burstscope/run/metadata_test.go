package run

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// blockPTX writes the threads of a block and the bytes of dynamic shared memory.
func blockPTX(bound string) string {
	return ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry add(.param .u64 o)\n" + bound + `
{
	.reg .b32 %r<5>; .reg .b64 %rd;
	ld.param.u64 %rd, [o]; mov.u32 %r1, %ntid.x; mov.u32 %r2, %ntid.y; mov.u32 %r3, %dynamic_smem_size;
	st.global.v2.u32 [%rd], {%r1, %r2}; st.global.u32 [%rd+8], %r3;
	ret;
}
.visible .entry other(.param .u64 o) { ret; }
`
}

// tritonJSON is what Triton 3.4 writes for a kernel, without fields of the compiler.
const tritonJSON = `{"hash": "00ff", "target": {"backend": "cuda", "arch": 80, "warp_size": 32}, "num_warps": 4,
"num_stages": 3, "num_ctas": 1, "cluster_dims": [1, 1, 1], "maxnreg": null, "enable_fp_fusion": true,
"launch_cooperative_grid": false, "launch_pdl": false, "debug": false, "backend_name": "cuda", "shared": 2048,
"tmem_size": 0, "global_scratch_size": 0, "global_scratch_align": 1, "name": "add"}`

type metadataCase struct {
	name, bound, json string
	args              []string
	x, y, shared      uint32
	filled            string // in the report
	fault             string
}

// Run makes a run in a folder with k.ptx and k.json.
func (c *metadataCase) run(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("k.ptx", []byte(blockPTX(c.bound)), 0o600); err != nil {
		t.Fatal(err)
	}
	if c.json != "" {
		if err := os.WriteFile("k.json", []byte(c.json), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := append([]string{"exec", "k.ptx", "--arg", "out:o.bin:12", "--functional"}, c.args...)
	status, out, errs := call(args...)
	if c.fault != "" {
		if status == 0 || !strings.Contains(errs, c.fault) {
			t.Errorf("%d: %s, want %q", status, errs, c.fault)
		}
		return
	}
	if status != 0 || !strings.Contains(out, c.filled) || strings.Contains(out, "Filled in") != (c.filled != "") {
		t.Fatalf("%d: %s %s, want %q", status, out, errs, c.filled)
	}
	b, err := os.ReadFile("o.bin")
	if err != nil {
		t.Fatal(err)
	}
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(b[i:]) }
	got := fmt.Sprint(word(0), word(4), word(8))
	if want := fmt.Sprint(c.x, c.y, c.shared); got != want {
		t.Errorf("block and shared memory %s, want %s", got, want)
	}
}

// TestMetadata: what options leave out comes from .reqntid, the metadata or .maxntid, and a given option wins.
func TestMetadata(t *testing.T) {
	for _, c := range []metadataCase{
		{"all of it", "", tritonJSON, nil, 128, 1, 2048,
			"Filled in: --entry add --shared 2048 from k.json, --block 128 from k.json.", ""},
		{"older form", "", `{"num_warps": 2, "num_stages": 3, "shared": 0, "name": "add", "target": ["cuda", 80]}`, nil,
			64, 1, 0, "Filled in: --entry add from k.json, --block 64 from k.json.", ""},
		{"options win", "", tritonJSON, []string{"--entry", "add", "--block", "16,2", "--shared", "512"}, 16, 2, 512,
			"", ""},
		{"the block wins", "", tritonJSON, []string{"--block", "64"}, 64, 1, 2048,
			"--entry add --shared 2048 from k.json.", ""},
		{"none", "", tritonJSON, []string{"--entry", "add", "--metadata", "none"}, 1, 1, 0, "", ""},
		{"reqntid", ".reqntid 8, 4, 1", "", []string{"--entry", "add"}, 8, 4, 0,
			"Filled in: --block 8,4 from .reqntid of k.ptx.", ""},
		{"maxntid", ".maxntid 96, 1, 1", "", []string{"--entry", "add"}, 96, 1, 0,
			"--block 96 from .maxntid of k.ptx.", ""},
		{"metadata before maxntid", ".maxntid 256", tritonJSON, nil, 128, 1, 2048, "--block 128 from k.json", ""},
		{"reqntid and metadata", ".reqntid 128", tritonJSON, nil, 128, 1, 2048,
			"--block 128 from .reqntid of k.ptx", ""},
		{"maxntid and an option", ".maxntid 96, 1, 1", "", []string{"--entry", "add", "--block", "32"}, 32, 1, 0,
			"", ""},
		{"foreign, not needed", "", `{"cycles": 5}`, []string{"--entry", "add", "--block", "32"}, 32, 1, 0,
			"nothing from k.json, which is not metadata", ""},
	} {
		t.Run(c.name, c.run)
	}
}

// TestMetadataRefused: contradictions and files of another kind are refused by name.
func TestMetadataRefused(t *testing.T) {
	cluster := strings.Replace(tritonJSON, `"cluster_dims": [1, 1, 1]`, `"cluster_dims": [2, 1, 1]`, 1)
	for _, c := range []metadataCase{
		{"--block against reqntid", ".reqntid 64", "", []string{"--entry", "add", "--block", "32"}, 0, 0, 0, "",
			"--block 32 contradicts .reqntid 64 of kernel add (k.ptx:4): leave --block out"},
		{"metadata against reqntid", ".reqntid 64", tritonJSON, nil, 0, 0, 0,
			"", "num_warps is 4, 128 threads, and .reqntid of kernel add (k.ptx:4) 64"},
		{"foreign", "", `{"cycles": 5}`, []string{"--entry", "add"}, 0, 0, 0, "",
			"k.json: it is not the metadata of a kernel of Triton, which have num_warps: give --entry, --block and " +
				"--shared with --metadata none"},
		{"no JSON", "", "num_warps: 4", nil, 0, 0, 0, "", "k.json: it is not the metadata"},
		{"a list", "", `[1, 2]`, nil, 0, 0, 0, "", "it is not the metadata"},
		{"a text", "", strings.Replace(tritonJSON, `"num_warps": 4`, `"num_warps": "4"`, 1), nil, 0, 0, 0,
			"", "k.json: num_warps must be of type int, not string"},
		{"no warps", "", strings.Replace(tritonJSON, `"num_warps": 4`, `"num_warps": 0`, 1), nil, 0, 0, 0,
			"", "num_warps must be from 1 to 32"},
		{"null", "", strings.Replace(tritonJSON, `"num_warps": 4`, `"num_warps": null`, 1), nil, 0, 0, 0,
			"", "num_warps must be from 1 to 32"},
		{"negative", "", strings.Replace(tritonJSON, "2048", "-1", 1), nil, 0, 0, 0, "", "shared is -1 bytes"},
		{"clusters", "", cluster, nil, 0, 0, 0, "", "num_ctas and cluster_dims [2 1 1] do not fit together"},
		{"large clusters", "", strings.NewReplacer("[1, 1, 1]", "[9, 1, 1]").Replace(tritonJSON), nil, 0, 0, 0, "",
			"clusters of [9 1 1] CTAs, want 1 to 8"},
		{"AMD", "", strings.ReplaceAll(tritonJSON, `"backend": "cuda"`, `"backend": "hip"`), nil, 0, 0, 0,
			"", `backend "hip"`},
		{"another kernel", "", strings.Replace(tritonJSON, `"add"`, `"mul"`, 1), nil, 0, 0, 0,
			"", `it is of the kernel "mul", and k.ptx has add, other`},
		{"another --entry", "", tritonJSON, []string{"--entry", "other"}, 0, 0, 0,
			"", `it is of the kernel "add", and --entry names "other"`},
		{"given and foreign", "", `{}`, []string{"--entry", "add", "--block", "1", "--metadata", "k.json"}, 0, 0, 0,
			"", "it is not the metadata"},
		{"given and missing", "", "", []string{"--entry", "add", "--metadata", "m.json"}, 0, 0, 0, "", "m.json"},
	} {
		t.Run(c.name, c.run)
	}
}

// TestLargeSharedMemory: a launch may have as much shared memory as the largest GPU; a machine with less refuses it.
func TestLargeSharedMemory(t *testing.T) {
	kernel := filepath.Join(t.TempDir(), "k.ptx")
	if err := os.WriteFile(kernel, []byte(blockPTX("")), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"exec", kernel, "--entry", "add", "--shared", "200000", "--arg", "scratch:o:12", "--preset"}
	mustCall(t, append(args, "h100")...)
	if status, _, errs := call(append(args, "gtx480")...); status == 0 || !strings.Contains(errs, "shared memory") {
		t.Errorf("gtx480: %d %s", status, errs)
	}
}

// TestMetadataClusters: cluster_dims, or num_ctas in older metadata, give the clusters that --cluster leaves out.
func TestMetadataClusters(t *testing.T) {
	two := strings.NewReplacer(`"num_ctas": 1`, `"num_ctas": 2`, "[1, 1, 1]", "[2, 1, 1]").Replace(tritonJSON)
	for _, c := range []struct{ metadata, grid, want string }{
		{two, "4", "--entry add --shared 2048 --cluster 2,1,1 from k.json"},
		{strings.Replace(two, `"cluster_dims": [2, 1, 1], `, "", 1), "4", "--cluster 2 from k.json"},
		{two, "3", "do not divide the grid"},
	} {
		t.Chdir(t.TempDir())
		text := strings.Replace(blockPTX(""), "sm_80", "sm_90", 1)
		if err := os.WriteFile("k.ptx", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("k.json", []byte(c.metadata), 0o600); err != nil {
			t.Fatal(err)
		}
		_, out, errs := call("exec", "k.ptx", "--grid", c.grid, "--preset", "h200", "--arg", "out:o.bin:12")
		if !strings.Contains(out+errs, c.want) {
			t.Errorf("grid %s: %s%s, want %q", c.grid, out, errs, c.want)
		}
	}
}
