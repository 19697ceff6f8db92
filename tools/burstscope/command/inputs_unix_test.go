//go:build unix

package command

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// TestWhatIsNoFile: no verb reads a device, waits for the writer of a pipe, or takes a folder for a file, wherever a path is given.
func TestWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	kernel := write("k.ptx", ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\tret;\n}\n")
	odd := map[string]string{"/dev/zero": "device"}
	for name, kind := range map[string]string{"pipe": "pipe", "folder": "folder", "socket": "socket"} {
		at := filepath.Join(dir, name)
		odd[at] = kind
		var err error
		switch kind {
		case "pipe":
			err = syscall.Mkfifo(at, 0o644)
		case "folder":
			err = os.Mkdir(at, 0o755)
		default:
			var l net.Listener
			if l, err = net.Listen("unix", at); err == nil {
				defer l.Close()
			}
		}
		if err != nil {
			t.Skip("no such files here:", err)
		}
	}
	// What has to have an ending is a link to the odd file.
	named := func(at, ending string) string {
		link := filepath.Join(dir, filepath.Base(at)+ending)
		_ = os.Remove(link)
		if err := os.Symlink(at, link); err != nil {
			t.Fatal(err)
		}
		return link
	}
	for at, kind := range odd {
		yaml, json, msgpack, wasm := named(at, ".yaml"), named(at, ".json"), named(at, ".msgpack"), named(at, ".wasm")
		paper := filepath.Join(dir, "paper-"+kind)
		mustCall(t, "paper", "new", "NONE", "--dir", paper)
		for _, name := range []string{"paper.yaml", "claims.csv"} {
			if err := os.Remove(filepath.Join(paper, name)); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(at, filepath.Join(paper, name)); err != nil {
				t.Fatal(err)
			}
		}
		run := []string{"exec", kernel, "--entry", "k", "--grid", "1", "--block", "32"}
		for _, args := range [][]string{
			{"run", yaml}, {"run", json}, {"run", msgpack}, {"run", "vecadd", "--set", "memory.codec=" + wasm}, {"run", "vecadd", "--checkpoint", at},
			{"sweep", yaml, "--store", filepath.Join(dir, "none")}, {"sweep", "vecadd", "--vary", "memory.codec=none," + wasm, "--store", filepath.Join(dir, "none")},
			{"exec", at, "--entry", "k"}, append(run, "--arg", "in:"+at), append(run, "--arg", "inout:"+at+":"+filepath.Join(dir, "o")),
			append(run, "--texture", "name=x,format=u8,width=4,data="+at), append(run, "--arg", "in:"+at, "--as", "raw"),
			{"ptx", "check", at}, {"codec", "sizes", at, "--codec", "bdi"}, {"codec", "report", at}, {"codec", "plugin", kernel, "--module", at}, {"codec", "tslc", at},
			{"codec", "sizes", kernel, "--as", "raw", "--codec", "e2mc16", "--table", at}, {"scenario", "check", yaml}, {"scenario", "pack", yaml}, {"scenario", "unpack", msgpack},
			{"lesson", "check", yaml}, {"grade", dir, "--lesson", yaml}, {"correlate", "compare", at, "--preset", "mini"}, {"paper", "check", paper}, {"paper", "page", paper, "--as-is"},
			{"buddy", "profile", at}, {"fit", at}, {"estimate", yaml, "--to", "memory.codec=bdi"}, {"why", yaml}, {"loads", yaml},
		} {
			done := make(chan struct{})
			var status int
			var said string
			go func() {
				defer close(done)
				var out string
				status, out, said = call(args...)
				said += out
			}()
			select {
			case <-done:
			case <-time.After(time.Minute):
				t.Fatalf("%q still reads a %s after a minute", args, kind)
			}
			if status == 0 || strings.Contains(said, "internal error") || !strings.Contains(said, "and not a file") {
				t.Errorf("%s: %q: status %d, %q", kind, args, status, said)
			}
		}
	}
}

// TestEmptyNames: an empty name of a file is refused, and so is a key that is given twice.
func TestEmptyNames(t *testing.T) {
	for _, args := range [][]string{
		{"run", "vecadd", "--checkpoint", ""}, {"run", "vecadd", "--trace", ""}, {"run", "vecadd", "--phases="}, {"sweep", "vecadd", "--store", ""}, {"claims", "--store", ""},
		{"figure", "SLC-2", "--store="}, {"reproduce", "--store="}, {"reproduce", "--out", ""}, {"scenario", "pack", "vecadd", "--out", ""}, {"correlate", "record", "--out", ""},
		{"correlate", "semantics", "--out="}, {"paper", "page", "x", "--out", ""}, {"paper", "page", "x", "--store", ""}, {"paper", "new", "MINE", "--dir="},
		{"codec", "sizes", "x", "--table", ""}, {"codec", "sizes", "x", "--module", ""},
	} {
		if status, _, errs := call(args...); status != cli.ExitUsage || !strings.Contains(errs, "empty") && !strings.Contains(errs, "not defined") {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
	for _, args := range [][]string{
		{"run", "vecadd", "--set", "memory.mag=32", "--set", "memory.mag=64"}, {"sweep", "vecadd", "--vary", "memory.mag=32", "--vary", "memory.mag=64"},
		{"sweep", "vecadd", "--set", "memory.mag=32", "--vary", "memory.mag=64"}, {"estimate", "vecadd", "--to", "memory.codec=bdi", "--to", "memory.codec=bpc"},
		{"machine", "describe", "mini", "--set", "sms=2", "--set", "sms=3"}, {"workloads", "--set", "sms=2", "--set", "sms=3"},
		{"exec", "k.ptx", "--texture", "name=a,name=b,format=u8,width=4"}, {"exec", "k.ptx", "--texture", "name=a,format=u8,width=4,width=8"},
		{"exec", "k.ptx", "--texture", "name=a,format=u8,width=4,data=x,data=y"},
	} {
		if status, _, errs := call(args...); status != cli.ExitUsage || !strings.Contains(errs, "given twice") && !strings.Contains(errs, "has a value already") {
			t.Errorf("%q: status %d, %s", args, status, errs)
		}
	}
}
