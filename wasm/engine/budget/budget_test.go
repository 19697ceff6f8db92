package budget

import (
	"strings"
	"testing"
)

const mega = 1 << 20

// Whatever the runs take, everything that the page allows them fits: their machines, what
// they write, the states of the past, and the machine of a replay. A run that may not be
// replayed beside full device memory keeps the fewest states.
func TestSharesFitIntoThePage(t *testing.T) {
	refused := 0
	for a := uint64(0); a <= 400; a += 9 {
		for b := uint64(0); b <= 400; b += 13 {
			runs := []uint64{a * mega, b * mega}
			got, err := Share(runs)
			if err != nil {
				if refused++; a+b+150+2*16 <= 512 {
					t.Fatalf("%d and %d MB are refused: %v", a, b, err)
				}
				continue
			}
			taken := fixedBytes + (a+b)*mega
			if all := taken + 2*got.ResidentBytes; all > pageBytes {
				t.Errorf("%d and %d MB: device memory may grow to %d MB", a, b, all/mega)
			}
			past := 2 * uint64(got.PastBytes)
			if got.PastBytes > pastBytesMin && taken+past+max(a, b)*mega > pageBytes || taken+past > pageBytes {
				t.Errorf("%d and %d MB: with %d MB of states and a replay the page has too little", a, b, past/mega)
			}
			if got.PastBytes < pastBytesMin || got.PastBytes > pastBytes || got.ResidentBytes < pastBytesMin {
				t.Errorf("%d and %d MB: %+v", a, b, got)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
}

// One run alone may write all that is left.
func TestShareOfOneRun(t *testing.T) {
	got, err := Share([]uint64{100 * mega})
	if want := uint64(512-150-100) * mega; err != nil || got.ResidentBytes != want || got.PastBytes != 80*mega {
		t.Errorf("%+v, %v: want %d MB of device memory and 80 MB of states", got, err, want/mega)
	}
}

// The message says what the runs need and what the page has.
func TestTooLargeForThePage(t *testing.T) {
	_, err := Share([]uint64{300 * mega, 200 * mega})
	if err == nil || !strings.Contains(err.Error(), "682 MB") || !strings.Contains(err.Error(), "512 MB") || !strings.Contains(err.Error(), "machine.preset") {
		t.Errorf("%v", err)
	}
}
