//go:build js

package main

import (
	"errors"
	"syscall/js"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/scenario"
)

// sendExclusions answers which choices of a scenario exclude each other, and which fewest changes
// make it legal.
func sendExclusions(msg js.Value) {
	reply := object{"type": "excluded", "id": msg.Get("id")}
	tree, err := scenario.ParseJSONText("scenario", jsonOf(msg.Get("scenario")))
	if err == nil {
		var s *scenario.Scenario
		_, err = scenario.FromTree(tree, func(read *scenario.Scenario) error { s = read; return nil })
		reply["nearest"] = toJS(s.NearestLegal(msg.Get("keep").String()))
	}
	var faults *fault.Errors
	var excluded []fault.Fault
	if errors.As(err, &faults) {
		for _, f := range faults.List {
			if len(f.Fixes) > 0 {
				excluded = append(excluded, f)
			}
		}
	}
	reply["faults"] = toJS(excluded)
	post(reply)
}
