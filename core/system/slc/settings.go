// Package slc is SLC (Lal et al., DATE 2019) in the memory group: the settings of its approximations. Their model is
// package tslc.
package slc

import (
	"github.com/burstscope/burstscope/core/system"
	"github.com/burstscope/burstscope/core/system/slc/tslc"
)

// Headers are the words of the setting Header, which tslc.ParseHeader reads; the first is the default.
var Headers = []string{"fixed32", "variable", "literal"}

// Predictions are the words of the setting Prediction, those of tslc.ParsePrediction; the first is the default.
var Predictions = []string{"parity", "literal"}

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

// Prediction is the symbol that PRED and OPT put in the place of those that were cut.
var Prediction = system.Setting{
	Name: "prediction", Title: "prediction", Optional: true, Words: Predictions, Term: "prediction",
	Label: "{} prediction",
	About: "The kept symbol that takes the place of cut ones: parity is the first of the same half of a word, " +
		"literal the first of the block (section III-E).",
}

// Predicting are the forms that have a prediction; SIMP puts zeros.
func Predicting() []string { return []string{tslc.PRED.Name(), tslc.OPT.Name()} }

// PredictionOf returns the prediction of a word of the setting; without a word it is the first.
func PredictionOf(word string) tslc.Prediction {
	p, _ := tslc.ParsePrediction(word) // a setting has no other words
	return p
}
