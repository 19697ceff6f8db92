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
