package claim

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// papersNumbers are the numbers of a paper's rows, each under its measured expression.
func papersNumbers(claims []Claim) predicate.Known {
	known := predicate.Known{}
	for _, c := range claims {
		if f, err := strconv.ParseFloat(c.PaperValue, 64); err == nil {
			c.addKnown(known, unitOf(c.Unit).fromPaper(f))
		}
	}
	return known
}

// nudge is far above the rounding of a number and far below a difference that a row is about.
const nudge = 1e-9

// with returns known numbers with another one for a row, a hair to one side.
func with(k predicate.Known, c *Claim, value float64) []predicate.Known {
	var list []predicate.Known
	for _, side := range []float64{-nudge, nudge} {
		other := predicate.Known{}
		for text, v := range k {
			other[text] = v
		}
		c.addKnown(other, value+side)
		list = append(list, other)
	}
	return list
}

// directionless are rows whose predicate does not tell the direction of their number, with why.
var directionless = map[string]string{
	"E2MC-03":  "the number is the larger of two ratios, and the predicate bounds each",
	"LATTE-55": "the number is a ratio of two savings, and the predicate compares them",
	"BUDDY-84": "the paper states an upper bound of slowdowns",
}

// Every predicate fits its statement: the paper's own number satisfies it, the other direction does not, and a
// row with a number that is more than twice off does not plainly hold, whatever its predicate says.
func TestPredicatesFitTheirNumbers(t *testing.T) {
	satisfied, refused := 0, 0
	for _, paper := range Papers {
		claims, err := Select(paper, "")
		if err != nil {
			t.Fatal(err)
		}
		known := papersNumbers(claims)
		for _, c := range claims {
			f, err := strconv.ParseFloat(c.PaperValue, 64)
			if err != nil || c.Tier == "T3" || c.expression() == "" || c.Inputs == "always" || circular(c.ID) != "" {
				continue
			}
			u := unitOf(c.Unit)
			stated := u.fromPaper(f)
			truths := with(known, &c, stated)
			if a, okA := truths[0].Truth(c.Check); okA {
				b, okB := truths[1].Truth(c.Check)
				satisfied++
				if okB && !a && !b {
					t.Errorf("%s: the paper's own %s %s does not satisfy %s", c.ID, c.PaperValue, c.Unit, c.Check)
				}
			}
			for _, x := range otherDirections(u, &c, stated) {
				other := with(known, &c, x)[1]
				truth, decided := other.Truth(c.Check)
				if decided {
					refused++
				}
				if decided && truth && directionless[c.ID] == "" {
					t.Errorf("%s: %g %s is the other direction of %s and satisfies %s",
						c.ID, u.toPaper(x), c.Unit, c.PaperValue, c.Check)
				}
			}
			for _, factor := range []float64{0.49, 2.02} {
				o := &Outcome{Claim: c, Standing: Standing{Verdict: Holds}}
				if f == 0 {
					continue
				}
				if x, ok := scaled(u, &c, stated, factor); ok {
					if o.judge(u.toPaper(x)); o.Verdict != HoldsInOrder || o.Grade != Far {
						t.Errorf("%s: %g times %s %s is %s, %s", c.ID, factor, c.PaperValue, c.Unit, o.Verdict, o.Grade)
					}
				}
			}
		}
	}
	if satisfied < 120 || refused < 80 {
		t.Errorf("the papers' numbers decide %d predicates, other directions %d: too few", satisfied, refused)
	}
}

// aboutOne reports whether a row's number is a change from 1.
func aboutOne(u unit, c *Claim) bool {
	return u.change || u.multiple && slices.Contains(comparisons, c.Metric)
}

// otherDirections are numbers of the same size in the other direction, of rows that have one. A change of at most 1 %
// has none.
func otherDirections(u unit, c *Claim, stated float64) []float64 {
	if d := stated - 1; u.change && (d > 0.011 || d < -0.011) {
		return []float64{1 - d}
	} else if u.multiple && stated != 1 {
		return []float64{1 / stated}
	}
	return nil
}

// scaled is a number of another size.
func scaled(u unit, c *Claim, stated, factor float64) (float64, bool) {
	switch {
	case aboutOne(u, c) && stated != 1:
		return 1 + (stated-1)*factor, true
	case aboutOne(u, c), u.multiple && (stated*factor-1)*(stated-1) < 0:
		return 0, false
	}
	return stated * factor, true
}

// A band around an amount without direction, such as an error, a share or an accuracy, is no wider than from
// half to twice the paper's number: such a row has no order that could hold.
func TestBandsOfAmountsAreNoWiderThanTwice(t *testing.T) {
	bands := 0
	for _, c := range All() {
		f, err := strconv.ParseFloat(c.PaperValue, 64)
		u := unitOf(c.Unit)
		if err != nil || c.Tier == "T3" || u.change || u.multiple || f == 0 || circular(c.ID) != "" || !isBand(&c) {
			continue
		}
		bands++
		stated := u.fromPaper(f)
		for _, factor := range []float64{0.49, 2.02} {
			known := predicate.Known{}
			c.addKnown(known, stated*factor)
			if truth, _ := known.Truth(c.Check); truth {
				t.Errorf("%s: %g times %s %s is inside the band %s", c.ID, factor, c.PaperValue, c.Unit, c.Check)
			}
		}
	}
	if bands < 10 {
		t.Errorf("%d bands: the test sees too few", bands)
	}
}

// isBand reports whether a predicate bounds the row's own number from both sides by numbers, and says nothing else.
func isBand(c *Claim) bool {
	e, err := predicate.Parse(c.ID, c.Check)
	if err != nil {
		return false
	}
	and, ok := e.(*syntax.BinaryExpr)
	if !ok || and.Op != syntax.AND {
		return false
	}
	lower, okX := and.X.(*syntax.BinaryExpr)
	upper, okY := and.Y.(*syntax.BinaryExpr)
	if !okX || !okY {
		return false
	}
	_, low := lower.X.(*syntax.Literal)
	_, high := upper.Y.(*syntax.Literal)
	own := c.expression()
	return low && high && predicate.Text(c.Check, lower.Y) == own && predicate.Text(c.Check, upper.X) == own
}

// partly are statements that say themselves that they are about a part of their programs.
var partly = regexp.MustCompile(`\b([Mm]ost|[Ss]ome|[Aa]bout|but one|means)\b`)

// counted is a predicate that counts programs: its programs, and how many are enough.
var counted = regexp.MustCompile(`sum\(\[.* for w in ([A-Z0-9]+|[(\[][^\])]*[)\]])\]\) >= (\d+)`)

// superlative are the words of a statement about a program or a setting that is ahead of all others.
var superlative = regexp.MustCompile(`\b([Bb]est|highest|[Ll]argest|worst|smallest|[Mm]aximum|(gains|benefit) most)\b`)

// overAll are the words of predicates that look at all of them.
var overAll = regexp.MustCompile(`\b(argmax_w|argmax_s|max_w|min_w|max|min|sorted|all_w|top_sizes)\(`)

var asksRuns = regexp.MustCompile(`\b(v|gm|am)\(`)

// A predicate is as strong as its statement: one about named programs is true of all of them, an order has all its
// steps, and "the best" is compared with the others.
func TestPredicatesAreAsStrongAsTheirStatements(t *testing.T) {
	weaker := map[string]string{
		"BUDDY-07": "the CPU data of other papers are not here; the row is no evidence",
		"BUDDY-83": "the worst program is the one that the paper's text gives a number for",
		"SLC-73":   "three settings, compared one by one",
	}
	programs := func(paper, set string) int {
		if strings.ContainsAny(set, "([") {
			return strings.Count(set, ",") + 1
		}
		s := &session{Ledger: NewLedger(nil, Suite), paper: paper}
		list, err := s.evaluate("", "len("+set+")")
		if err != nil {
			t.Fatalf("%s: %v", set, err)
		}
		n, _ := starlark.AsInt32(list)
		return n
	}
	seen := map[string]int{}
	for _, c := range All() {
		if c.Tier == "T3" || weaker[c.ID] != "" || circular(c.ID) != "" {
			continue
		}
		if m := counted.FindStringSubmatch(c.Check); m != nil && !partly.MatchString(c.Statement) {
			seen["counted"]++
			if enough, _ := strconv.Atoi(m[2]); enough < programs(c.Paper, m[1]) {
				t.Errorf("%s is true of %s of %s: %s", c.ID, m[2], m[1], c.Statement)
			}
		}
		if steps := strings.Count(c.Statement, " > ") + strings.Count(c.Statement, " >= "); steps > 1 {
			seen["order"]++
			if strings.Count(c.Check, ">")+strings.Count(c.Check, "<") < steps {
				t.Errorf("%s compares fewer than its statement: %s", c.ID, c.Statement)
			}
		}
		if superlative.MatchString(c.Statement) && asksRuns.MatchString(c.Check) {
			seen["superlative"]++
			if !overAll.MatchString(c.Check) {
				t.Errorf("%s compares with none: %s: %s", c.ID, c.Statement, c.Check)
			}
		}
	}
	if seen["order"] < 6 || seen["superlative"] < 20 {
		t.Errorf("the test saw %v: too few", seen)
	}
}
