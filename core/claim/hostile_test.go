package claim

import (
	"runtime"
	"strings"
	"testing"
)

// hostile predicates try to be endless, large or curious.
func hostile() []string {
	nest := func(open, inner, end string, n int) string {
		return strings.Repeat(open, n) + inner + strings.Repeat(end, n)
	}
	return []string{
		// Endless: comprehensions over comprehensions, and a function that calls itself.
		"len([x for x in range(100) for y in range(100) for z in range(100) for t in range(100)]) > 0",
		"max([gm('cr_raw', 'NONE', SLC9) for a in range(100) for b in range(100)]) > 0",
		"(lambda f: f(f))(lambda f: f(f))",
		// Large: each step as much as it likes.
		"'x' * 1000000000 == ''",
		"len([0] * 1000000000) > 0",
		"len(list(range(1000000000))) > 0",
		"len(sorted(range(1000000000))) > 0",
		"len(set(range(1000000000))) > 0",
		"'%s' % 'x' == ''",
		"'a'.join(['b', 'c']) == ''",
		"1 << 500 > 0",
		nest("(lambda x: x + x)(", "'ab'", ")", 60) + " == ''",
		nest("(lambda x: x * x)(", "123456789", ")", 60) + " > 0",
		// Small to make and endless to look at: each level holds the one below twice.
		"set([" + nest("(lambda x: (x, x))(", "1", ")", 60) + "]) == set()",
		nest("(lambda x: [x, x])(", "1", ")", 60) + " == " + nest("(lambda x: [x, x])(", "1", ")", 60),
		nest("(lambda x: dict(a=x, b=x))(", "1", ")", 60) + " == {}",
		nest("(lambda x: {1: x, 2: x})(", "1", ")", 60) + " == {}",
		"max([x for x in [[y, y] for y in [[1, 1], [1, 1]]]]) > 0",
		// Long and deep.
		strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000),
		"1 < " + strings.Repeat("9", 100_000),
		strings.Repeat("not ", 50_000) + "True",
		// Curious, or not an expression.
		"load('a.star', 'b')", "open('go.mod')", "print('x')", "dir(v)", "getattr(v, 'x')", "v.x", "fail('x')", "hash('x') > 0", "repr(v) == ''",
		"_item()", "_add()", "_and()", "range()", "range(1, 'a')", "v(*[1, 2, 3])", "v(**{'a': 1})", "set([[1]])", "(lambda a=1: a)()", "1 +", "1 < 'a'", "", "x = 1", "def f(): pass",
		"[x for x in 5]", "gm('cr_raw', 'NONE', 5) > 0", "v() > 0", "cfg() > 0", "unit() > 0", "argmax_level() > 0", "gm(1, 2, 3) > 0", "all_w(SLC9, 5)", "argmax_s(5, 5)",
		"v('frac_blocks_at_above_mag', 'E2MC16', 'TP', lo=99999999999999999999) > 0", "fetch(0, 0) > 0", "fetch(1, 2, 3) > 0", "pow('a', 2) > 0", "canonical({'A': 2, 'B': 1, 'C': 99}) == {}", "canonical(5) == {}",
	}
}

// Hostile predicates end soon and take little memory. None of them is true.
func TestHostilePredicates(t *testing.T) {
	c := claimOf(t, "SLC-01")
	for _, check := range hostile() {
		c.Check = check
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		o, err := NewLedger(nil, Suite).Evaluate(c)
		runtime.ReadMemStats(&after)
		short := check[:min(len(check), 60)]
		if err == nil && o.Verdict != NotYetMeasured {
			t.Errorf("%s: %s", short, o.Verdict)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
			t.Errorf("%s: %d MB", short, took>>20)
		}
	}
}

// What is confined is still what predicates are for.
func TestConfinedPredicatesWork(t *testing.T) {
	c := claimOf(t, "SLC-01")
	for check, want := range map[string]Verdict{
		"[1 + 2 * 3, 7 % 4] == [7, 3] and not False":                                        ArithmeticOnly,
		"sorted([3, 1, 2], key=lambda x: -x)[0] == 3":                                       ArithmeticOnly,
		"dict([(w, len(w)) for w in ('TP', 'DCT')]) == dict(TP=2, DCT=3)":                   ArithmeticOnly,
		"set([x * x for x in range(4)]) & set([1, 4]) == set([1, 4])":                       ArithmeticOnly,
		"max(1.5, abs(-2)) == 2 and min([3, 4]) == 3 and int(2.9) == 2":                     ArithmeticOnly,
		"(lambda x: x if x > 1 else 0)(2) == 3":                                             DoesNotHold,
		"{4: 8} == {4: 9} or 'a' in ('a', 'b') and 1 - 2 < 0 and 7 // 2 == 3 and 1 / 2 > 0": ArithmeticOnly,
	} {
		c.Check = check
		if o, err := NewLedger(nil, Suite).Evaluate(c); err != nil || o.Verdict != want {
			t.Errorf("%s: %v %v", check, o, err)
		}
	}
}

// Whatever is written as a predicate, evaluation ends in a verdict or an error.
func FuzzPredicate(f *testing.F) {
	for _, check := range hostile() {
		f.Add(check)
	}
	for i, c := range All() {
		if i%10 == 0 {
			f.Add(c.Check)
		}
	}
	claims := All()
	f.Fuzz(func(t *testing.T, check string) {
		c := claims[0]
		c.Check = check
		o, err := NewLedger(nil, Suite).Evaluate(c)
		if (o == nil) == (err == nil) {
			t.Errorf("%q: %v and %v", check, o, err)
		}
		_ = NewLedger(nil, Suite).Jobs(c)
	})
}

// Tables of claims are read or refused; every row of one that is read can be named.
func FuzzTable(f *testing.F) {
	f.Add(tableOf("SLC")[:strings.Index(tableOf("SLC"), "\nSLC-04")])
	head := strings.Join(columns, ",") + "\n"
	for _, rows := range []string{"", "SLC-1", "SLC-01,SLC,T1" + strings.Repeat(",a", 13), "SLC-01,SLC,T9" + strings.Repeat(",a", 13), "\"", "SLC-01,SLC,T1" + strings.Repeat(",a", 13) + "\nSLC-01,SLC,T1" + strings.Repeat(",a", 13)} {
		f.Add(head + rows)
	}
	f.Fuzz(func(t *testing.T, text string) {
		claims, err := ParseTable(text)
		if err != nil && claims != nil {
			t.Error("claims and an error")
		}
		seen := map[string]bool{}
		for _, c := range claims {
			if seen[c.ID] || c.ID == "" || c.Check == "" {
				t.Errorf("%+v", c)
			}
			seen[c.ID] = true
		}
	})
}

func TestTablesThatAreRefused(t *testing.T) {
	head := strings.Join(columns, ",") + "\n"
	row := func(id, paper, tier, check string) string {
		return id + "," + paper + "," + tier + ",k,f,statement,m,b,c,w,1,x," + check + ",n,,\n"
	}
	good := row("SLC-01", "SLC", "T1", "1 < 2")
	if claims, err := ParseTable(head + good); err != nil || len(claims) != 1 {
		t.Errorf("%v %v", claims, err)
	}
	for text, want := range map[string]string{
		"":                                                "not a table",
		"id,paper\n":                                      "wrong columns",
		head + "SLC-01,SLC\n":                             "wrong number of fields",
		head + good + good:                                `line 3: "SLC-01" appears twice`,
		head + row("SLC-01", "SLD", "T1", "1"):            "line 2: unknown paper",
		head + row("SLC-01", "SLC", "T4", "1"):            "line 2: unknown tier",
		head + row("E2MC-01", "SLC", "T1", "1"):           `line 2: "E2MC-01" is not an id of SLC`,
		head + row("SLC-01", "SLC", "T1", ""):             "line 2: SLC-01 has no check",
		head + row("SLC-01", "SLC", "T1", "1 +"):          "line 2: SLC-01",
		head + row("SLC-01", "SLC", "T1", "open('a')>0"):  "",
		head + row("SLC-01", "SLC", "T1", "getattr(1,2)"): "",
		head + "\"SLC-01":                                 "quote",
		head + strings.Repeat(good, 100_000):              "at most",
	} {
		if _, err := ParseTable(text); want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.80q: %v, want %s", text, err, want)
		}
	}
}
