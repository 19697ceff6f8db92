//go:build js && wasm

package main

import (
	"errors"
	"strconv"
	"syscall/js"
	"time"

	"github.com/syumai/workers/cloudflare"

	"github.com/burstscope/burstscope/wasm/edge/api"
)

// Names of the bindings in wrangler.jsonc.
const (
	namespaceBinding = "SCENARIOS"
	bucketBinding    = "LARGE_SCENARIOS"
)

// The stores call the bindings directly and not through the library's kv and r2. The
// library's KV returns the text <null> for a missing key, its streams read a value in
// pieces and copy them twice, and its Put makes one more copy.

// namespace is a store in Workers KV.
type namespace struct{}

func (namespace) Get(key string) (api.Item, error) {
	answer, err := call(namespaceBinding, "getWithMetadata", key, map[string]any{"type": "arrayBuffer"})
	if err != nil {
		return api.Item{}, err
	}
	value := answer.Get("value")
	if value.IsNull() {
		return api.Item{}, api.ErrAbsent
	}
	return item(value, answer.Get("metadata")), nil
}

func (namespace) Put(key string, item api.Item) error {
	options := map[string]any{"metadata": metadata(&item)}
	if !item.Until.IsZero() {
		options["expiration"] = item.Until.Unix()
	}
	_, err := call(namespaceBinding, "put", key, arrayBuffer(item.Value), options)
	return err
}

func (namespace) Delete(key string) error {
	_, err := call(namespaceBinding, "delete", key)
	return err
}

// bucket is a store in R2. A rule of the bucket drops old values (README.md).
type bucket struct{}

func (bucket) Get(key string) (api.Item, error) {
	object, err := call(bucketBinding, "get", key)
	if err != nil {
		return api.Item{}, err
	}
	if object.IsNull() {
		return api.Item{}, api.ErrAbsent
	}
	value, err := await(object.Call("arrayBuffer"))
	if err != nil {
		return api.Item{}, err
	}
	return item(value, object.Get("customMetadata")), nil
}

func (bucket) Put(key string, item api.Item) error {
	_, err := call(bucketBinding, "put", key, arrayBuffer(item.Value), map[string]any{"customMetadata": metadata(&item)})
	return err
}

func (bucket) Delete(key string) error {
	_, err := call(bucketBinding, "delete", key)
	return err
}

// metadata is kept beside a value in both stores; R2 accepts only texts.
func metadata(item *api.Item) map[string]any {
	m := map[string]any{}
	if !item.Until.IsZero() {
		m["until"] = strconv.FormatInt(item.Until.Unix(), 10)
	}
	if item.Of != "" {
		m["of"] = item.Of
	}
	return m
}

// item reads what Put wrote. Values that the site's owner put there have no metadata.
func item(value, metadata js.Value) api.Item {
	it := api.Item{Value: bytesOf(value)}
	if metadata.Type() != js.TypeObject {
		return it
	}
	if until := metadata.Get("until"); until.Type() == js.TypeString {
		if seconds, err := strconv.ParseInt(until.String(), 10, 64); err == nil {
			it.Until = time.Unix(seconds, 0)
		}
	}
	if of := metadata.Get("of"); of.Type() == js.TypeString {
		it.Of = of.String()
	}
	return it
}

func call(binding, method string, args ...any) (js.Value, error) {
	b := cloudflare.GetBinding(binding)
	if b.IsUndefined() {
		return js.Value{}, errors.New("wrangler.jsonc lacks the binding " + binding)
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

// bytesOf copies an ArrayBuffer.
func bytesOf(value js.Value) []byte {
	array := js.Global().Get("Uint8Array").New(value)
	b := make([]byte, array.Get("byteLength").Int())
	js.CopyBytesToGo(b, array)
	return b
}

func arrayBuffer(b []byte) js.Value {
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	return array.Get("buffer")
}
