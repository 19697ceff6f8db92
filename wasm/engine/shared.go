//go:build js

package main

import (
	"syscall/js"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/jsontext"
)

// What a run needs besides its machine comes from wherever it is at hand: from the study of an
// earlier run, from the browser's storage (site/src/engine/store.ts), or from the engine that runs
// the other side in a worker of its own. Of that engine each asks for what it does not make
// itself: the first makes the exact output, the second the symbol statistics that both need.

// keptBytesMax bounds a thing that goes to the browser's storage.
const keptBytesMax = 16 << 20

// sharing is what a run gets from elsewhere and gives away, by keys.
type sharing struct {
	exact    string          // key of the exact output
	awaited  map[string]bool // the other engine makes these
	promised []string        // the other engine waits for these
	stored   map[string]bool // these came from the browser's storage or are there
	then     js.Func         // takes what the storage holds
	asked    int             // questions to the storage; only the latest answer counts
	call     func(found js.Value)
}

// tables is the key of the side's symbol statistics, empty without any, and whether they are there.
func (s *side) tables() (key string, known bool) {
	return s.tablesKey, s.tablesKey == "" || s.study.HasTables(&s.plan.Memory)
}

// recall looks for what the sides lack in the browser's storage, and continues with then. For the result of an earlier visit
// alone it does not wait: that is shown until the run has its own.
func (e *engine) recall(fresh bool, then func()) {
	sh := &e.share
	sh.asked++
	sh.awaited, sh.promised, sh.stored = map[string]bool{}, nil, map[string]bool{}
	var keys []any
	waits := false
	for _, s := range e.sides {
		if s.done || fresh {
			continue
		}
		keys = append(keys, s.key)
		if !s.study.Known() {
			keys, waits = append(keys, sh.exact), true
		}
		if key, known := s.tables(); !known {
			keys, waits = append(keys, key), true
		}
	}
	if len(keys) == 0 {
		then()
		return
	}
	sh.call = func(found js.Value) {
		for i, key := range keys {
			if b := bytesOf(found.Index(i)); b != nil {
				sh.stored[key.(string)] = true
				if e.take(key.(string), b) != nil {
					delete(sh.stored, key.(string))
					js.Global().Call("burstscopeForget", key)
				}
			}
		}
		if waits {
			then()
		} else {
			e.remember()
		}
	}
	js.Global().Call("burstscopeRecall", js.ValueOf(keys), sh.asked, sh.then)
	if !waits {
		then()
	}
}

// recalled takes an answer of the storage. One to a run that was cancelled or replaced comes too late.
func (e *engine) recalled(asked int, found js.Value) {
	if asked == e.share.asked && e.running {
		e.share.call(found)
	}
}

// take gives a kept thing to the sides that lack it.
func (e *engine) take(key string, b []byte) error {
	for _, s := range e.sides {
		var err error
		switch {
		case s.done:
		case key == s.key:
			var result []byte
			if result, err = experiment.Unseal(key, b); err == nil {
				s.remembered = string(result)
			}
		case key == e.share.exact && !s.study.Known():
			err = s.study.UseExact(key, b)
		case key == s.tablesKey && !s.study.HasTables(&s.plan.Memory):
			err = s.study.UseTables(key, &s.plan.Memory, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// kept returns what the engine has under a key, nil if it has not.
func (e *engine) kept(key string) []byte {
	for _, s := range e.sides {
		if key == e.share.exact && s.study.Known() {
			return s.study.KeepExact(key)
		}
		if key == s.tablesKey && key != "" {
			if b := s.study.KeepTables(key, &s.plan.Memory); b != nil {
				return b
			}
		}
	}
	return nil
}

// want asks the other engine for a thing.
func (e *engine) want(key string) {
	e.share.awaited[key] = true
	post(object{"type": "wants", "run": e.run, "key": key})
}

// wanted is asked by the other engine.
func (e *engine) wanted(msg js.Value) {
	if number(msg, "run") == e.run {
		e.share.promised = append(e.share.promised, text(msg, "key"))
		e.deliver()
	}
}

// deliver gives the other engine what it waits for. What this engine has not, and will not make, it answers
// with nothing, so that the other one does not wait for ever.
func (e *engine) deliver() {
	left := e.share.promised[:0]
	for _, key := range e.share.promised {
		b := e.kept(key)
		if b == nil && e.makes(key) {
			left = append(left, key)
			continue
		}
		data := uint8Array(b)
		post(object{"type": "shared", "run": e.run, "key": key, "bytes": data}, buffer(data))
	}
	e.share.promised = left
}

// makes reports whether a run in progress needs a thing itself.
func (e *engine) makes(key string) bool {
	for _, s := range e.sides {
		if e.running && !s.done && (key == e.share.exact || key == s.tablesKey) {
			return true
		}
	}
	return false
}

// shared takes what the other engine has made. A thing that cannot be used is made here.
func (e *engine) shared(msg js.Value) {
	key := text(msg, "key")
	if number(msg, "run") != e.run || !e.running || !e.share.awaited[key] {
		return
	}
	delete(e.share.awaited, key)
	if e.take(key, bytesOf(msg.Get("bytes"))) == nil {
		e.share.stored[key] = true // the engine that made it stores it
	}
	if !e.active {
		e.schedule()
	}
}

// waits reports whether a side can do nothing before the other engine has answered.
func (e *engine) waits(s *side) bool {
	key, known := s.tables()
	switch s.run.Phase() {
	case experiment.PhaseReference:
		return e.share.awaited[e.share.exact] && (known || e.share.awaited[key])
	case experiment.PhaseProfile:
		return !known && e.share.awaited[key]
	}
	return false
}

// store keeps what the run has made for later visits.
func (e *engine) store() {
	keep := func(key string, b []byte) {
		if !e.share.stored[key] && b != nil && len(b) <= keptBytesMax {
			e.share.stored[key] = true
			js.Global().Call("burstscopeKeep", key, uint8Array(b))
		}
	}
	for _, s := range e.sides {
		if s.result == nil || s.was != "" {
			continue
		}
		if b := jsontext.Append(nil, s.result); string(b) != s.remembered {
			e.share.stored[s.key] = false
			keep(s.key, experiment.Seal(s.key, b))
		}
		for _, key := range []string{e.share.exact, s.tablesKey} {
			if key != "" && !e.share.stored[key] {
				keep(key, e.kept(key))
			}
		}
	}
}

// remember posts the results of an earlier visit, which stand until the run has its own.
func (e *engine) remember() {
	for _, s := range e.sides {
		if s.remembered != "" && !s.done {
			post(object{"type": "remembered", "run": e.run, "side": s.name, "result": parsed(s.remembered)})
		}
	}
}
