//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"

	"github.com/syumai/workers/cloudflare"

	"github.com/burstscope/burstscope/wasm/edge/api"
)

// Names of the bindings in wrangler.jsonc.
const (
	namespaceBinding = "SCENARIOS"
	bucketBinding    = "LARGE_SCENARIOS"
)

// The stores speak to the bindings themselves and not through the library's kv and
// r2: its KV answers a key that is absent with the text <null>, its streams read a
// value in pieces that are copied twice, and its Put copies once more.

// namespace is a store in Workers KV.
type namespace struct{}

func (namespace) Get(key string) ([]byte, error) {
	options := map[string]any{"type": "arrayBuffer"}
	value, err := call(namespaceBinding, "get", key, options)
	if err != nil {
		return nil, err
	}
	return bytesOf(value)
}

func (namespace) Put(key string, value []byte) error {
	_, err := call(namespaceBinding, "put", key, arrayBuffer(value))
	return err
}

// bucket is a store in R2.
type bucket struct{}

func (bucket) Get(key string) ([]byte, error) {
	object, err := call(bucketBinding, "get", key)
	if err != nil {
		return nil, err
	}
	if object.IsNull() {
		return nil, api.ErrAbsent
	}
	value, err := await(object.Call("arrayBuffer"))
	if err != nil {
		return nil, err
	}
	return bytesOf(value)
}

func (bucket) Put(key string, value []byte) error {
	_, err := call(bucketBinding, "put", key, arrayBuffer(value))
	return err
}

func call(binding, method string, args ...any) (js.Value, error) {
	b := cloudflare.GetBinding(binding)
	if b.IsUndefined() {
		return js.Value{}, errors.New("wrangler.jsonc binds no " + binding)
	}
	return await(b.Call(method, args...))
}

// await waits for a promise.
func await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	kept := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{value: args[0]}
		return nil
	})
	broken := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{err: errors.New(js.Global().Call("String", args[0]).String())}
		return nil
	})
	defer kept.Release()
	defer broken.Release()
	promise.Call("then", kept, broken)
	o := <-settled
	return o.value, o.err
}

// bytesOf copies an ArrayBuffer; null is what KV answers for a key it has not.
func bytesOf(value js.Value) ([]byte, error) {
	if value.IsNull() {
		return nil, api.ErrAbsent
	}
	array := js.Global().Get("Uint8Array").New(value)
	b := make([]byte, array.Get("byteLength").Int())
	js.CopyBytesToGo(b, array)
	return b, nil
}

func arrayBuffer(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array.Get("buffer")
}
