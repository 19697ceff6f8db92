package rfvp

import (
	"strings"
	"testing"
)

// Each launch has its own rate, and those after the last one its rate.
func TestRatesOfLaunches(t *testing.T) {
	rates, err := parseRates("0,500,900")
	if err != nil {
		t.Fatal(err)
	}
	c := PolicyConfig{Drop: 250, Rates: rates}
	for launch, want := range []Rate{0, 500, 900, 900, 900} {
		if got := c.drop(int32(launch)); got != want {
			t.Errorf("launch %d has %d", launch, got)
		}
	}
	c.Rates = nil
	if got := c.drop(7); got != 250 {
		t.Errorf("without a list launch 7 has %d", got)
	}
	long := strings.Repeat("1,", mostRates) + "1"
	for _, wrong := range []string{",", "1,", "1001", "-1", "+5", "05", "1;2", "a", " 1", long} {
		if _, err := parseRates(wrong); err == nil {
			t.Errorf("%.20q is a list", wrong)
		}
	}
}

func FuzzRates(f *testing.F) {
	for _, text := range []string{"", "0", "0,500,900", "1000,", "99999999999999999999"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		rates, err := parseRates(text)
		for _, r := range rates {
			if err != nil || r < 0 || r > 1000 {
				t.Fatalf("%q: %v, %v", text, rates, err)
			}
		}
	})
}
