package run

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
)

func TestExec(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	kernel := file("k.ptx")
	for name, content := range map[string][]byte{kernel: []byte(clitest.IncrementPTX), file("in.bin"): clitest.Words(256, func(i int) uint32 { return uint32(i) })} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Four launches add 0, 1, 2 and 3.
	exec := func(rest ...string) string {
		return mustCall(t, append([]string{"exec", kernel, "--entry", "increment", "--grid", "2", "--block", "128,1,1", "--preset", "mini"}, rest...)...)
	}
	out := exec("--repeat", "4", "--arg", "inout:"+file("in.bin")+":"+file("out.bin"), "@launch", "--format", "json")
	got, err := os.ReadFile(file("out.bin"))
	if err != nil {
		t.Fatal(err)
	}
	if want := clitest.Words(256, func(i int) uint32 { return uint32(i) + 6 }); !bytes.Equal(got, want) {
		t.Errorf("got %v...", got[:32])
	}
	var result experiment.Result
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	// 256 words are 8 warps, 13 instructions each, four launches.
	if result.WarpInstructions != 8*13*4 || len(result.Launches) != 4 || result.Stats["globalLoadInstructions"] != 8*4 {
		t.Errorf("%d warp instructions, %d launches, stats %v", result.WarpInstructions, len(result.Launches), result.Stats)
	}

	// A buffer of zeros, arguments one by one, another base.
	exec("--base", "0xd0000000", "--arg", "out:"+file("zeros.bin")+":1024", "--arg", "u32:7")
	if got, err = os.ReadFile(file("zeros.bin")); err != nil || !bytes.Equal(got, clitest.Words(256, func(int) uint32 { return 7 })) {
		t.Errorf("%v got %v...", err, got[:min(32, len(got))])
	}

	// Compression loses nothing.
	text := exec("--set", "memory.codec=e2mc16", "--arg", "inout:"+file("in.bin")+":"+file("packed.bin"), "--arg", "u32:6")
	if got, err = os.ReadFile(file("packed.bin")); err != nil || !bytes.Equal(got, clitest.Words(256, func(i int) uint32 { return uint32(i) + 6 })) {
		t.Errorf("%v got %v...", err, got[:min(32, len(got))])
	}
	if !strings.Contains(text, "increment on mini, memory e2mc16") {
		t.Error(text)
	}
}

func TestPTXCheck(t *testing.T) {
	good := clitest.WriteTemp(t, "good.ptx", []byte(clitest.IncrementPTX))
	bad := clitest.WriteTemp(t, "bad.ptx", []byte(strings.Replace(clitest.IncrementPTX, "mad.lo.s32", "madd.lo.s32",
		1)))
	if out := mustCall(t, "ptx", "check", good); out != "ok\n" {
		t.Errorf("%q", out)
	}
	if out, line := mustCall(t, "ptx", "check", good, good), good+": ok\n"; out != line+line {
		t.Errorf("%q", out)
	}
	status, out, errs := call("ptx", "check", good, bad, "nothing.ptx")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if status != 1 || errs != "" || len(lines) != 3 || lines[0] != good+": ok" || !strings.HasPrefix(lines[1], bad+":16:") || !strings.Contains(lines[1], "madd") {
		t.Errorf("%d\n%s%s", status, out, errs)
	}
}

// TestExecTexture binds a file to a texture, and names what is wrong with a binding.
func TestExecTexture(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	const source = `.version 4.0
.target sm_30
.address_size 64
.tex .u32 table;
.visible .entry look(.param .u64 out, .param .u64 given) { .reg .b64 %o, %g; .reg .u32 %i, %v<4>, %w<4>;
	ld.param.u64 %o, [out]; ld.param.u64 %g, [given]; mov.u32 %i, %tid.x; mad.wide.u32 %o, %i, 4, %o;
	tex.1d.v4.u32.s32 {%v0, %v1, %v2, %v3}, [table, {%i, %i, %i, %i}];
	tex.1d.v4.u32.s32 {%w0, %w1, %w2, %w3}, [%g, {%i}];
	mad.lo.u32 %v0, %v0, 1000, %w0; st.global.u32 [%o], %v0; ret; }
`
	for name, content := range map[string][]byte{"k.ptx": []byte(source), "a.bin": {7, 8, 9}, "b.bin": clitest.Words(32, func(i int) uint32 { return uint32(i) })} {
		if err := os.WriteFile(file(name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"exec", file("k.ptx"), "--entry", "look", "--block", "32", "--arg", "out:" + file("o.bin") + ":128", "tex:given"}
	table := []string{"--texture", "name=table,format=u8,width=3,data=" + file("a.bin")}
	given := []string{"--texture", "name=given,format=u32,width=32,data=" + file("b.bin")}
	for _, how := range [][]string{{"--functional"}, {"--preset", "mini"}} {
		mustCall(t, slices.Concat(args, table, given, how)...)
		got, err := os.ReadFile(file("o.bin"))
		if err != nil {
			t.Fatal(err)
		}
		if want := clitest.Words(32, func(i int) uint32 { return uint32(i) + 1000*[]uint32{7, 8, 9, 0}[min(i, 3)] }); !bytes.Equal(got, want) {
			t.Errorf("%v: %v", how, got)
		}
	}
	for _, c := range []struct {
		texture string
		want    string
	}{
		{"name=given,format=u32,width=33,data=" + file("b.bin"), "textures[1].width: 33 x 1 texels of 4 bytes take 132 bytes, and the buffer has 128"},
		{"name=given,format=u32,width=x,data=" + file("b.bin"), "width=x: give a whole number"},
		{"name=given,size=4", `"size" is no setting of a texture`},
		{"given", `"given" is no setting`},
	} {
		if status, _, errs := call(slices.Concat(args, table, []string{"--texture", c.texture})...); status == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%s: %d %s, want %q", c.texture, status, errs, c.want)
		}
	}
}
