package model

import (
	"fmt"
	"strings"
	"testing"
)

// Numbers are put together by hand, so that the page can do the same; they are those
// that fmt writes.
func TestNumbersReadAsFmtWritesThem(t *testing.T) {
	for _, n := range []int{0, 7, 99, 100, 999, 1000, 1001, 1010, 12345, 100000, 1000007, -4200} {
		if got := strings.ReplaceAll(strings.ReplaceAll(Count(n), ",", ""), "−", "-"); got != fmt.Sprint(n) {
			t.Errorf("%d is written %s", n, Count(n))
		}
	}
	if got := Count(1000007); got != "1,000,007" {
		t.Errorf("a million and seven is written %s", got)
	}
	for v := 0.003; v < 2000; v = v*1.37 + 0.01 {
		for digits := range 4 {
			if got, want := fixed(v, digits), fmt.Sprintf("%.*f", digits, v); got != want {
				t.Errorf("%v with %d digits is written %s, want %s", v, digits, got, want)
			}
		}
	}
}
