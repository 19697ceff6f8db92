//go:build js

package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/core/jsontext"
)

// toJS builds the object that JSON makes of v. Through syscall/js each field would be calls to the host, and each
// object would have a finalizer.
func toJS(v any) js.Value { return parsed(string(jsontext.Append(nil, v))) }

// parsed is the value of a text of JSON.
func parsed(text string) js.Value { return js.Global().Get("JSON").Call("parse", text) }

// jsonOf is the JSON of a value of the page, or the text that it is. A program may carry megabytes: as bytes they cross
// over in one copy.
func jsonOf(v js.Value) []byte {
	if v.Type() != js.TypeString {
		v = js.Global().Get("JSON").Call("stringify", v)
	}
	return bytesOf(js.Global().Get("TextEncoder").New().Call("encode", v))
}
