// Package slc is SLC (Lal et al., DATE 2019) in the memory group: the settings of its approximations. Their model is
// package tslc.
package slc

import "github.com/burstscope/burstscope/core/system"

// Headers are the words of the setting Header, which tslc.ParseHeader reads; the first is the default.
var Headers = []string{"fixed32", "variable", "literal"}

// Threshold is the most that an approximation may cut.
var Threshold = system.Setting{
	Name: "threshold", Title: "threshold", Unit: "bytes", Low: 0, High: 64, Default: 16, Ruled: true,
	Term: "threshold", Label: "threshold {} B", Offer: []string{"4", "8", "12", "16"},
	About: "The most that an approximation may cut from a block's code; half the MAG if it is not given.",
}

// Header is how the header of a block is counted, which the paper leaves open.
var Header = system.Setting{
	Name: "header", Title: "header", Optional: true, Words: Headers, Term: "header", Label: "{} header",
	About: "How an approximation's header counts against the budget.",
}
