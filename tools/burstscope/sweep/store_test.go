package sweep

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/system/rfvp"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/cli/clitest"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
)

// storedEntry is an invented result of a run, and one of traffic, as stored.
func storedEntry(t testing.TB, traffic bool) (key string, text []byte) {
	t.Helper()
	s := OpenStore(t.TempDir())
	j := claim.NewJob(scenario.Default("vecadd"), traffic)
	e := &Entry{Key: j.Key}
	if traffic {
		e.Traffic = &experiment.Traffic{ScenarioHash: j.Scenario.Hash(), Blocks: 7}
	} else {
		e.Result = &experiment.Result{ScenarioHash: j.Key, Cycles: 7, Seconds: 0.5}
	}
	if err := s.put(j.Scenario, e); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(s.Path(j.Key))
	if err != nil {
		t.Fatal(err)
	}
	if back, err := readEntry(s.Path(j.Key), j.Key); err != nil || !traffic && back.Result.Cycles != 7 || traffic && back.Traffic.Blocks != 7 {
		t.Fatalf("%v %+v", err, back)
	}
	return j.Key, b
}

// TestReportsKeepTheirTypes: what an entry reports is of its own type again after it was stored, to the last digit.
func TestReportsKeepTheirTypes(t *testing.T) {
	sc := scenario.Default("vecadd")
	if err := sc.Set("loads.policy", rfvp.Entry.Name); err != nil {
		t.Fatal(err)
	}
	j := claim.NewJob(sc, false)
	s := OpenStore(t.TempDir())
	want := &rfvp.Report{LoadLanes: 1<<53 + 1, Loads: []rfvp.LoadCounted{{Kernel: "k", Tally: rfvp.Tally{Misses: 3}}}}
	if err := s.put(j.Scenario, &Entry{Key: j.Key, Result: &experiment.Result{ScenarioHash: j.Key, Scheme: sc.Scheme, LoadsReport: want}}); err != nil {
		t.Fatal(err)
	}
	e, err := readEntry(s.Path(j.Key), j.Key)
	if err != nil {
		t.Fatal(err)
	}
	if got := experiment.Reported[rfvp.Report](e.Result); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v instead of %+v", got, want)
	}
	if v, ok := e.Result.Value("loadLanes"); !ok || v != 1<<53+1-1 {
		t.Errorf("loadLanes is %g, %v", v, ok)
	}
}

// A result that was cut or changed at any byte is not read.
func TestTamperedResultsAreRefused(t *testing.T) {
	for _, traffic := range []bool{false, true} {
		key, text := storedEntry(t, traffic)
		for n := range text {
			if _, err := ParseEntry(text[:n], key); err == nil {
				t.Fatalf("the first %d of %d bytes are a result", n, len(text))
			}
			changed := slices.Clone(text)
			changed[n] ^= 1
			if _, err := ParseEntry(changed, key); err == nil {
				t.Fatalf("byte %d of %d, %q, may be %q", n, len(text), text[n], changed[n])
			}
		}
		if _, err := ParseEntry(text, strings.Repeat("0", 64)); err == nil {
			t.Error("a result under another name is read")
		}
	}
	// A new digest does not help to give a result to another scenario.
	key, text := storedEntry(t, false)
	body, _, _ := bytes.Cut(text, []byte(digestField))
	for from, to := range map[string]string{`"name":"vecadd"`: `"name":"nn"`, `"seed":1`: `"seed":2`, experiment.Version: "0.0.1", `"result"`: `"traffic"`} {
		forged := bytes.Replace(body, []byte(from), []byte(to), 1)
		if bytes.Equal(forged, body) {
			forged = bytes.Replace(body, []byte(strings.Replace(from, ":", ": ", 1)), []byte(to), 1)
		}
		if bytes.Equal(forged, body) {
			t.Fatalf("no %s in %s", from, body)
		}
		if _, err := ParseEntry(append(forged, entryEnd(forged)...), key); err == nil {
			t.Errorf("%s in place of %s is read", to, from)
		}
	}
	if _, err := ParseEntry(make([]byte, MaxEntryBytes+1), key); err == nil {
		t.Error("a large file is read")
	}
}

// A sweep uses only whole results of a store. It names each damaged file, makes its run
// again and continues. Whole files stay.
func TestSweepReplacesDamagedResults(t *testing.T) {
	dir := t.TempDir()
	mustCall(t, clitest.SweepArgs(dir)...)
	whole := clitest.Contents(t, dir)
	names := slices.Sorted(maps.Keys(whole))
	path := func(i int) string { return filepath.Join(dir, experiment.Version, names[i]) }
	put := func(i int, text string) {
		t.Helper()
		if err := os.WriteFile(path(i), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put(0, whole[names[0]][:len(whole[names[0]])/2])
	put(1, strings.Replace(whole[names[1]], `"cycles": `, `"cycles": 1`, 1))
	put(2, whole[names[3]])
	if out := mustCall(t, clitest.SweepArgs(dir, "--dry-run")...); !strings.Contains(out,
		"3 runs to do, 1 in the store") {
		t.Error(out)
	}
	out := mustCall(t, clitest.SweepArgs(dir)...)
	if !strings.Contains(out, "3 runs done, 1 were in the store, 0 failed") || strings.Contains(out, names[3]) {
		t.Error(out)
	}
	for i, why := range []string{"cut or changed", "cut or changed", "the result of another run than its name says"} {
		if !strings.Contains(out, path(i)+": it") || !strings.Contains(out, why) {
			t.Errorf("%s is not named with %q:\n%s", path(i), why, out)
		}
	}
	if got := clitest.Contents(t, dir); !maps.Equal(got, whole) {
		t.Error("the store is not what it was before it was damaged")
	}
	// A folder in the place of a result fails that run only.
	if err := errors.Join(os.Remove(path(0)), os.MkdirAll(filepath.Join(path(0), "x"), 0o755), os.Remove(path(1))); err != nil {
		t.Fatal(err)
	}
	status, out, errs := call(clitest.SweepArgs(dir)...)
	if status != cli.ExitFault || !strings.Contains(out, "1 runs done, 2 were in the store, 1 failed") || !strings.Contains(out, "is a folder") || !strings.Contains(errs, path(0)) {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}

// A merge copies whole results and names all other files: stray names, damaged and
// swapped results, folders, large files.
func TestMergeGoesOn(t *testing.T) {
	dir, into := t.TempDir(), t.TempDir()
	mustCall(t, clitest.SweepArgs(dir)...)
	whole := clitest.Contents(t, dir)
	names := slices.Sorted(maps.Keys(whole))
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, experiment.Version, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	first := strings.Repeat("0", 64) + EntrySuffix // before all others
	put(first, whole[names[0]])
	put("0.json", "{}")
	put("notes.txt", "mine")
	put(".writing-1", "half")
	put(names[1], whole[names[1]][:100])
	sparse := strings.Repeat("1", 64) + EntrySuffix
	put(sparse, "")
	if err := os.Truncate(filepath.Join(dir, experiment.Version, sparse), 2<<30); err != nil {
		t.Fatal(err)
	}
	folder := strings.Repeat("2", 64) + EntrySuffix
	if err := os.Mkdir(filepath.Join(dir, experiment.Version, folder), 0o755); err != nil {
		t.Fatal(err)
	}
	// A damaged result of the store is replaced.
	if err := disk.WriteStored(filepath.Join(into, experiment.Version, names[2]), []byte("{")); err != nil {
		t.Fatal(err)
	}
	status, out, errs := call("sweep", "merge", "nowhere", dir, "--store", into)
	if status != cli.ExitFault || !strings.Contains(out, "3 results added, 0 known, 4 refused, 2 other files skipped") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
	for name, why := range map[string]string{first: "the result of another run than its name says", names[1]: "delete it and sweep again", sparse: "2147483648 bytes", folder: "is a folder", "nowhere": "no store"} {
		if !strings.Contains(errs, name) || !strings.Contains(errs, why) {
			t.Errorf("%s is not named with %q:\n%s", name, why, errs)
		}
	}
	for _, name := range []string{"0.json", "notes.txt"} {
		if !strings.Contains(out, name+": skipped") {
			t.Errorf("%s is not named:\n%s", name, out)
		}
	}
	delete(whole, names[1])
	if got := clitest.Contents(t, into); !maps.Equal(got, whole) {
		t.Errorf("merged %v", slices.Sorted(maps.Keys(got)))
	}
}

// Every file of a store is read or refused, whatever its content.
func FuzzEntry(f *testing.F) {
	key, text := storedEntry(f, false)
	f.Add(text)
	_, traffic := storedEntry(f, true)
	f.Add(traffic)
	for _, body := range []string{"{", "{}", `{"key":"` + key + `","version":"` + experiment.Version + `","scenario":{},"result":{}`, strings.Repeat(`{"scenario":`, 5000)} {
		f.Add(append([]byte(body), entryEnd([]byte(body))...))
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, text := range [][]byte{b, append(slices.Clone(b), entryEnd(b)...)} {
			e, err := ParseEntry(text, key)
			if (e == nil) == (err == nil) {
				t.Errorf("%v and %v", e, err)
			}
			if e != nil && e.Result == nil && e.Traffic == nil {
				t.Error("nothing was read")
			}
		}
	})
}
