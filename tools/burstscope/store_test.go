package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
)

// storedEntry is a stored result of a run that nobody ran, and of traffic.
func storedEntry(t testing.TB, traffic bool) (key string, text []byte) {
	t.Helper()
	s := openStore(t.TempDir())
	j := claim.NewJob(scenario.Default("vecadd"), traffic)
	e := &entry{Key: j.Key}
	if traffic {
		e.Traffic = &experiment.Traffic{ScenarioHash: j.Scenario.Hash(), Blocks: 7}
	} else {
		e.Result = &experiment.Result{ScenarioHash: j.Key, Cycles: 7, Seconds: 0.5}
	}
	if err := s.put(j.Scenario, e); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(s.path(j.Key))
	if err != nil {
		t.Fatal(err)
	}
	if back, err := readEntry(s.path(j.Key), j.Key); err != nil || !traffic && back.Result.Cycles != 7 || traffic && back.Traffic.Blocks != 7 {
		t.Fatalf("%v %+v", err, back)
	}
	return j.Key, b
}

// A result that was cut anywhere or changed anywhere is not read.
func TestTamperedResultsAreRefused(t *testing.T) {
	for _, traffic := range []bool{false, true} {
		key, text := storedEntry(t, traffic)
		for n := range text {
			if _, err := parseEntry(text[:n], key); err == nil {
				t.Fatalf("the first %d of %d bytes are a result", n, len(text))
			}
			changed := slices.Clone(text)
			changed[n] ^= 1
			if _, err := parseEntry(changed, key); err == nil {
				t.Fatalf("byte %d of %d, %q, may be %q", n, len(text), text[n], changed[n])
			}
		}
		if _, err := parseEntry(text, strings.Repeat("0", 64)); err == nil {
			t.Error("a result under another name is read")
		}
	}
	// Whoever writes the digest anew still cannot give a result to another scenario.
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
		if _, err := parseEntry(append(forged, entryEnd(forged)...), key); err == nil {
			t.Errorf("%s in place of %s is read", to, from)
		}
	}
	if _, err := parseEntry(make([]byte, maxEntryBytes+1), key); err == nil {
		t.Error("a large file is read")
	}
}

// A damaged result costs a clear message, and its run again once it is deleted.
func TestDamagedStore(t *testing.T) {
	dir := t.TempDir()
	mustCall(t, sweepArgs(dir)...)
	whole := contents(t, dir)
	name := slices.Sorted(maps.Keys(whole))[0]
	path := filepath.Join(dir, experiment.Version, name)
	if err := os.WriteFile(path, []byte(whole[name][:len(whole[name])/2]), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := call("sweep", "merge", dir, "--store", t.TempDir()); status != exitFault || !strings.Contains(errs, name) || !strings.Contains(errs, "delete it and sweep again") {
		t.Errorf("status %d, %s", status, errs)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	mustCall(t, sweepArgs(dir)...)
	if got := contents(t, dir); got[name] != whole[name] {
		t.Error("the run gives another result")
	}
}

// Files of a store are read or refused, whatever is in them.
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
			e, err := parseEntry(text, key)
			if (e == nil) == (err == nil) {
				t.Errorf("%v and %v", e, err)
			}
			if e != nil && e.Result == nil && e.Traffic == nil {
				t.Error("nothing was read")
			}
		}
	})
}
