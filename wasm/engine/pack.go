//go:build js

package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/scenario"
)

// pack answers a scenario, with an image if there is one, in the form in which it
// is kept and exchanged, and the hash of these bytes: its address.
func (e *engine) pack(msg js.Value) {
	reply := object{"type": "packed", "id": msg.Get("id"), "ok": true}
	s, err := parseScenario(msg.Get("scenario"), bytesOf(msg.Get("image")))
	if err != nil {
		reply["ok"], reply["errors"] = false, faultsOf(err)
	} else {
		packed := s.Canonical()
		reply["packed"], reply["address"], reply["hash"] = uint8Array(packed), digest.Hex(packed), s.Hash()
	}
	post(reply)
}

// unpack reads what somebody else packed. Its address is that of the bytes as they
// are, so that who asked for them can tell whether they are the right ones.
func (e *engine) unpack(msg js.Value) {
	packed := bytesOf(msg.Get("packed"))
	reply := object{"type": "unpacked", "id": msg.Get("id"), "ok": true, "address": digest.Hex(packed)}
	s, err := scenario.ParseMsgpack(packed)
	if err != nil {
		reply["ok"], reply["errors"] = false, faultsOf(err)
	} else {
		reply["hash"] = s.Hash()
		if image := s.Workload.Image; len(image) > 0 {
			reply["image"], s.Workload.Image = uint8Array(image), nil
		}
		reply["scenario"] = toJS(s)
	}
	post(reply)
}
