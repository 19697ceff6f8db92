package stat

import (
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/digest"
)

// hashed1 is what the counters of version 1 hash to if every counter holds a number
// made from its name. It was computed when version 1 was frozen.
const hashed1 = "526eb3634540689cb1b857e54d58d202b7767189263b6d9bc80b17df238ced7a"

// The order and the names of the counters in a hash are frozen. The values come from the
// names, so a counter that is moved, added or left out changes the digest.
func TestHashedCountersAreFrozen(t *testing.T) {
	var s Set
	for _, c := range List() {
		h := fnv.New64a()
		h.Write([]byte(Describe(c).Name))
		s[c] = h.Sum64()
	}
	d := digest.New()
	n := 0
	s.Hashed(func(v uint64) {
		d.Write(binary.LittleEndian.AppendUint64(nil, v))
		n++
	})
	if got := d.Hex(); HashVersion != 1 || n != 110 || got != hashed1 {
		t.Errorf("version %d hashes %d counters to %s; version 1 hashes 110 to %s", HashVersion, n, got, hashed1)
	}
}

// A new counter changes no old hash, wherever it stands in the list: the test above
// passes in a program that has one more counter in the middle and one at the end.
func TestNewCountersChangeNoHash(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles this package again")
	}
	source, err := os.ReadFile("counters.go")
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	for _, edit := range [][2]string{
		{"\n\tL1Accesses\n", "\n\tToyMiddle\n\tL1Accesses\n"},
		{"\n\tnumOwn\n", "\n\tToyLast\n\tnumOwn\n"},
		{"infos = [numOwn]Info{", "infos = [numOwn]Info{\n\tToyMiddle: {\"toyMiddle\", \"toys\", \"A toy.\"},\n\tToyLast: {\"toyLast\", \"toys\", \"A toy.\"},"},
	} {
		changed := strings.Replace(text, edit[0], edit[1], 1)
		if changed == text {
			t.Fatalf("counters.go has no %q", edit[0])
		}
		text = changed
	}
	folder := t.TempDir()
	here, err := filepath.Abs("counters.go")
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {here: filepath.Join(folder, "counters.go")}})
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"counters.go": []byte(text), "overlay.json": overlay} {
		if err := os.WriteFile(filepath.Join(folder, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "test", "-overlay", filepath.Join(folder, "overlay.json"), "-run", "^TestHashedCountersAreFrozen$", "-v", ".").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestHashedCountersAreFrozen") {
		t.Errorf("with two more counters: %v\n%s", err, out)
	}
}
