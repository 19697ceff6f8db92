package claim

import (
	"reflect"
	"testing"
)

// The grade of a number beside the paper's, in the unit and the metric that the paper has.
func TestGrades(t *testing.T) {
	for _, c := range []struct {
		unit, metric string
		ours, paper  float64
		want         Grade
	}{
		{"% faster", "speedup", 10, 9.7, Within10},
		{"% faster", "speedup", 12, 9.7, Within25},
		{"% faster", "speedup", 4.85, 9.7, WithinTwice}, // half of it
		{"% faster", "speedup", 4.84, 9.7, Far},
		{"% faster", "speedup", 19.4, 9.7, WithinTwice},
		{"% faster", "speedup", 19.5, 9.7, Far},
		{"% faster", "speedup", -12.25, 15, OtherDirection},
		{"% faster", "speedup", -22.4, -8.2, Far}, // the same direction
		{"% faster", "speedup", 1.8, -2, OtherDirection},
		{"% fewer", "l1_misses", 7.9, 24.6, Far},
		{"% fewer", "l1_misses", -1, 24.6, OtherDirection},
		{"% less", "dram_bytes", 8, 14, WithinTwice},
		// A speedup as a multiple is the same statement as one in per cent.
		{"x", "speedup", 1.1388, 2.4, Far},
		{"x", "speedup", 1.061, 1.07, Within25},
		{"x", "speedup", 0.99, 1.07, OtherDirection},
		{"x", "energy_x", 1.1258, 2, Far},
		{"x", "slowdown", 33.9, 87, Far},
		// A compression ratio is an amount.
		{"x", "cr_raw", 1.21, 1.41, Within25},
		{"x", "cr_raw", 2.014, 1.44, WithinTwice},
		{"x", "cr_raw", 0.98, 1.07, OtherDirection}, // it expands
		{"x (upper)", "eff_capacity", 1.166, 2, WithinTwice},
		// Errors and shares are amounts: much smaller is as far as much larger.
		{"%", "mre", 0.37, 0.99, Far},
		{"%", "err", 2.84, 7.3, Far},
		{"%", "err", 6.5, 7.3, Within25},
		{"B", "bytes", 64, 32, WithinTwice},
		{"B", "bytes", 65, 32, Far},
		{"CR points x100", "cr_raw", -4.6, 53, OtherDirection},
		// Nothing is within 10 % of 0: its distance is in per cent.
		{"% faster", "speedup", -0.9, 0, Within10},
		{"% faster", "speedup", 2.4, 0, Within25},
		{"% faster", "speedup", 13.3, 0, Far},
		{"% points", "speedup", -4.9, 0, WithinTwice},
		{"% points", "speedup", -5.1, 0, Far},
		{"% loss", "speedup", 0.7, 0, Within10},
		{"x", "speedup", 1.02, 1, Within25},
	} {
		u := unitOf(c.unit)
		if got := gradeOf(u, c.metric, u.fromPaper(c.ours), u.fromPaper(c.paper)); got != c.want {
			t.Errorf("%g for %g %s of %s: %s, want %s", c.ours, c.paper, c.unit, c.metric, got, c.want)
		}
	}
}

// A true predicate with a number of another size holds in order only; a false one does not hold, whatever its
// number.
func TestSizeDecidesPlainHolds(t *testing.T) {
	c := claimOf(t, "SLC-44")
	for paper, want := range map[string]Verdict{
		"9.7": Holds, "5.1": Holds, "4.9": HoldsInOrder, "20.5": HoldsInOrder, "-10": HoldsInOrder, "": Holds,
	} {
		c.PaperValue, c.Check = paper, "gm('speedup', 'TSLC-OPT', SLC9, over='E2MC16', mag=32, thr=16) > 1"
		if o, err := NewLedger(invented{}, Suite).Evaluate(c); err != nil || o.Verdict != want {
			t.Errorf("10 %% faster, the paper %q: %s, %v, want %s", paper, o.Verdict, err, want)
		}
		c.Check = "gm('speedup', 'TSLC-OPT', SLC9, over='E2MC16', mag=32, thr=16) < 1"
		if o, err := NewLedger(invented{}, Suite).Evaluate(c); err != nil || o.Verdict != DoesNotHold {
			t.Errorf("a false predicate, the paper %q: %s, %v", paper, o.Verdict, err)
		}
	}
}

// Judging written outcomes again gives what the results gave: the same numbers, grades and verdicts.
func TestAgainIsTheSame(t *testing.T) {
	l := NewLedger(invented{}, Suite)
	claims, err := Select("SLC", "T1")
	if err != nil {
		t.Fatal(err)
	}
	var written []*Outcome
	graded := 0
	for _, c := range claims {
		o, err := l.Evaluate(c)
		if err != nil {
			t.Fatal(err)
		}
		if o.Grade != "" {
			graded++
		}
		written = append(written, o)
	}
	again, err := l.Again(claims, written)
	if err != nil || graded < 10 {
		t.Fatal(err, graded)
	}
	for i, o := range again {
		if !reflect.DeepEqual(o, written[i]) {
			t.Errorf("%s: %+v, before %+v", o.ID, o, written[i])
		}
	}
	// A tighter predicate is decided by the numbers of the row and of other rows.
	at := 0
	for claims[at].ID != "SLC-44" {
		at++
	}
	old := claims[at].Check
	for check, want := range map[string]Verdict{
		old + " and gm('speedup', 'TSLC-OPT', SLC9, over='E2MC16', mag=32, thr=16) > 1.2": DoesNotHold,
		old + " and gm('edp', 'TSLC-OPT', SLC9, over='E2MC16', mag=32, thr=16) < 0.96":    Holds,
		"gm('energy', 'TSLC-OPT', SLC9, over='E2MC16', mag=32, thr=16) > 0.95":            DoesNotHold,
	} {
		claims[at].Check = check
		again, err := l.Again(claims, written)
		if err != nil || again[at].Verdict != want {
			t.Errorf("%s: %v, %v, want %s", check, again, err, want)
		}
	}
	claims[at].Check = old + " and gm('speedup', 'TSLC-OPT', SLC9, over='NONE', mag=32, thr=16) > 1"
	if _, err := l.Again(claims, written); err == nil {
		t.Error("a number that nobody wrote decides a predicate")
	}
}
