//go:build js

package main

import (
	"encoding/binary"
	"math"
	"syscall/js"
)

// object is a message to the page.
type object = map[string]any

// post sends a message; buffers in transfer are moved, not copied.
func post(msg object, transfer ...any) {
	js.Global().Call("burstscopePost", js.ValueOf(msg), js.ValueOf(transfer))
}

func failure(run int, side, what, where, mend string) object {
	return object{"type": "error", "run": run, "side": side, "what": what, "where": where, "mend": mend}
}

// text and number read a field of a message from the page. A field of another type
// reads as empty.
func text(v js.Value, field string) string {
	if f := v.Get(field); f.Type() == js.TypeString {
		return f.String()
	}
	return ""
}

func number(v js.Value, field string) int {
	if f := v.Get(field); f.Type() == js.TypeNumber {
		return int(f.Float())
	}
	return 0
}

// bytesOf copies a Uint8Array; it returns nil if v is not one.
func bytesOf(v js.Value) []byte {
	if v.Type() != js.TypeObject || !v.InstanceOf(js.Global().Get("Uint8Array")) {
		return nil
	}
	b := make([]byte, v.Get("length").Int())
	js.CopyBytesToGo(b, v)
	return b
}

// uint8Array copies b to a new Uint8Array.
func uint8Array(b []byte) js.Value {
	a := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(a, b)
	return a
}

func buffer(a js.Value) js.Value { return a.Get("buffer") }

func uint16Array(v []uint16) js.Value {
	b := make([]byte, 0, 2*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return arrayOf("Uint16Array", b)
}

// arrayOf makes a typed array of a kind from the little-endian bytes of its elements.
func arrayOf(kind string, b []byte) js.Value {
	return js.Global().Get(kind).New(buffer(uint8Array(b)))
}

func float64Array(v []float64) js.Value {
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return arrayOf("Float64Array", b)
}

func milliseconds() float64 { return js.Global().Get("performance").Call("now").Float() }
