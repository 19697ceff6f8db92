//go:build js

package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/scenario"
)

// pack answers with the canonical msgpack of a scenario, including an image if there is
// one, and with the hash of these bytes, which is its address.
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

// unpack reads a packed scenario. The answer has the hash of the received bytes, so that
// the page can check that they are the requested scenario.
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
