// Package claim is the ledger of the papers: each statement is a row with a predicate in
// Starlark over stored results, and gets a verdict from them. Predicates have a step limit
// and use the vocabulary below only. If a row needs a program, a setting or a run that does
// not exist, it is "not yet measured" and names it.
package claim

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/burstscope/burstscope/core/claim/predicate"
	"github.com/burstscope/burstscope/core/fault"
)

// Source returns what determines the rows of some papers beside results: their claims and our analyses of
// them. Another paper's rows may change without effect on these.
func Source(papers ...string) []byte {
	var b []byte
	for _, c := range All() {
		if slices.Contains(papers, c.Paper) {
			b = fmt.Appendf(b, "%+v %s\n", c, analysisOf(c.ID))
		}
	}
	return b
}

// Claim is one statement of a paper, in our words.
type Claim struct {
	ID        string `json:"id"`
	Paper     string `json:"paper"`
	Tier      string `json:"tier"` // T1 core, T2 detail, T3 not measurable on a GPU simulator
	Kind      string `json:"kind"`
	Figure    string `json:"figure"` // or section
	Statement string `json:"statement"`
	Metric    string `json:"metric"`
	Baseline  string `json:"baseline"`
	Config    string `json:"config"`
	Workloads string `json:"workloads"`
	// PaperValue is the number that the paper states, in Unit; empty if it states none.
	PaperValue string `json:"paperValue"`
	Unit       string `json:"unit"`
	Check      string `json:"check"` // the predicate
	Notes      string `json:"notes"`
	// Value is the expression of the measured number, if it is not in the predicate's
	// first comparison.
	Value string `json:"value,omitempty"`
	// Inputs says which inputs were made to fit the statement: none (""), the calibrated
	// ones ("calibrated"), or all ("always").
	Inputs string `json:"-"`
}

// columns of the table, in its order, which is the order of the fields of a Claim.
var columns = []string{
	"id", "paper", "tier", "kind", "figure", "statement", "metric", "baseline", "config", "workloads", "paperValue",
	"unit", "check", "notes", "value", "inputs",
}

// Tiers, the most important first.
var Tiers = []string{"T1", "T2", "T3"}

// All returns the claims of all papers, in the order of Papers and of their tables.
func All() []Claim {
	var all []Claim
	for _, paper := range Papers {
		claims, err := ParseTable(tableOf(paper))
		if err != nil {
			panic("claim: " + paper + ": " + err.Error()) // it is part of the program
		}
		all = append(all, claims...)
	}
	return all
}

// maxTableBytes bounds a table [ours]: ten times the largest table of the shipped papers.
const maxTableBytes = 1 << 20

// ParseTable reads a table of claims as CSV. It checks the syntax of predicates;
// Evaluate checks their meaning.
func ParseTable(text string) ([]Claim, error) {
	rows, err := readRows(text, Papers)
	if err != nil {
		return nil, err
	}
	var claims []Claim
	for _, r := range rows {
		if r.fault != "" {
			return nil, fmt.Errorf("the table of claims, line %d: %s. Correct the line", r.line, r.fault)
		}
		claims = append(claims, r.Claim)
	}
	return claims, nil
}

// row is a row of a table of claims, right or wrong.
type row struct {
	Claim
	line  int
	fault string
}

// readRows reads the rows of some papers. An error means that the text cannot be read as a table.
func readRows(text string, papers []string) ([]row, error) {
	if len(text) > maxTableBytes {
		return nil, fmt.Errorf("the table of claims has %d bytes; at most %d are allowed: shorten it", len(text), maxTableBytes)
	}
	plain, err := fault.Text("the table of claims", []byte(text))
	if err != nil {
		return nil, err
	}
	in := csv.NewReader(bytes.NewReader(plain))
	head, err := in.Read()
	switch {
	case err != nil:
		return nil, fmt.Errorf("this is not a table of claims: %w. Begin with the line %s", err, strings.Join(columns, ","))
	case !slices.Equal(head, columns):
		return nil, fmt.Errorf("the table of claims has the wrong columns: use %s", strings.Join(columns, ","))
	}
	var rows []row
	seen := map[string]bool{}
	for {
		r, err := in.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the table of claims cannot be read: %w. Correct that line", err)
		}
		var c Claim
		for i, text := range r {
			c.cell(i).SetString(text)
		}
		what := c.fault(papers)
		if seen[c.ID] {
			what = fault.Quote(c.ID) + " appears twice"
		}
		seen[c.ID] = true
		line, _ := in.FieldPos(0)
		rows = append(rows, row{c, line, what})
	}
}

// fault says what is wrong with a row; "" if it is right.
func (c *Claim) fault(papers []string) string {
	switch {
	case !slices.Contains(papers, c.Paper):
		return "unknown paper " + fault.Quote(c.Paper)
	case !slices.Contains(Tiers, c.Tier):
		return "unknown tier " + fault.Quote(c.Tier)
	case !strings.HasPrefix(c.ID, c.Paper+"-") || !claimID.MatchString(c.ID):
		return fault.Quote(c.ID) + " is not an id of " + c.Paper + ": write " + c.Paper + "- and at most 32 letters, digits, dots and hyphens"
	case c.Statement == "":
		return c.ID + " has no statement"
	case c.Check == "":
		return c.ID + " has no check"
	case c.Inputs != "" && c.Inputs != "always" && c.Inputs != "calibrated":
		return fmt.Sprintf("%s has the inputs %s: write always, calibrated or nothing", c.ID, fault.Quote(c.Inputs))
	}
	if v, err := strconv.ParseFloat(c.PaperValue, 64); c.PaperValue != "" && (err != nil || math.IsNaN(v) || math.IsInf(v, 0)) {
		return fmt.Sprintf("%s has the paper's value %s, which is not a number", c.ID, fault.Quote(c.PaperValue))
	}
	for i, column := range columns {
		e := &fault.Errors{}
		if e.Prose(column, c.cell(i).String(), predicate.TextBytesMax); len(e.List) > 0 {
			return c.ID + ": " + e.Error()
		}
	}
	check, err := predicate.Parse(c.ID, c.Check)
	if err == nil && c.Value != "" {
		_, err = predicate.Parse(c.ID, c.Value)
	}
	if err != nil {
		return fmt.Sprintf("%s: %v", c.ID, err)
	}
	if c.Tier != "T3" && !predicate.Compares(check) {
		return "the predicate of " + c.ID + " is wrong: it compares nothing: write a comparison, such as v('speedup', 'BDI', 'TP') > 1"
	}
	return ""
}

// claimID is an id, which marks of a text and links name.
var claimID = regexp.MustCompile(`^[A-Z0-9]+-[A-Za-z0-9.-]{1,32}$`)

// cell is the text of a column.
func (c *Claim) cell(i int) reflect.Value { return reflect.ValueOf(c).Elem().Field(i) }

// Select returns the claims of a paper and a tier, in any case; "" stands for all.
func Select(paper, tier string) ([]Claim, error) {
	for _, f := range []struct {
		what, got string
		legal     []string
	}{{"paper", paper, Papers}, {"tier", tier, Tiers}} {
		if f.got != "" && !slices.Contains(f.legal, strings.ToUpper(f.got)) {
			return nil, fmt.Errorf("unknown %s %q: use one of %s", f.what, f.got, strings.Join(f.legal, ", "))
		}
	}
	var claims []Claim
	for _, c := range All() {
		if (paper == "" || strings.EqualFold(c.Paper, paper)) && (tier == "" || strings.EqualFold(c.Tier, tier)) {
			claims = append(claims, c)
		}
	}
	return claims, nil
}
