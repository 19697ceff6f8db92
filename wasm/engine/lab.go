//go:build js

package main

import (
	"errors"
	"fmt"
	"io"
	"syscall/js"

	"github.com/burstscope/burstscope/core/codec"
	"github.com/burstscope/burstscope/core/codec/codecs"
	"github.com/burstscope/burstscope/core/codec/datafile"
	"github.com/burstscope/burstscope/core/codec/survey"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/mem"
)

// labSurvey is the survey of one set of data for the data lab. It runs in its own
// goroutine, which waits for pieces of the file and lets the worker read its messages.
type labSurvey struct {
	id        int
	cancelled bool
	pauseAt   float64 // time of the next pause for messages
	posted    float64 // time of the last progress message

	blob   *blobReader // nil if the data are not in a file
	file   *datafile.File
	result *survey.Result
	sha256 string
	module string         // of the reader's own codec, which is measured beside the others; empty without one
	coders []codecs.Coder // of the codecs of result, made at the first request for a block
}

// Phases of a survey, and the estimated share of time of each.
const (
	labHashing = "hashing"
	labCounts  = "counting"
	labSizes   = "sizing"

	hashingShare  = 0.15
	countingShare = 0.45
)

var errLabCancelled = errors.New("cancelled")

// lab starts a survey and replaces one in progress. The previous result stays until the
// new survey is done.
func (e *engine) lab(msg js.Value) {
	e.survey(msg, func(l *labSurvey) (finish func(), err error) {
		if err := e.open(l, msg); err != nil {
			return nil, err
		}
		return func() {
			e.labbed = l
			e.explaining.lab = l.result.Trainer.Make
			l.post()
		}, l.work()
	})
}

// survey starts work on the lab's files and cancels the work in progress. What finish does is
// left out if the work fails or is cancelled.
func (e *engine) survey(msg js.Value, work func(*labSurvey) (finish func(), err error)) {
	e.labCancel()
	l := &labSurvey{id: number(msg, "id"), pauseAt: milliseconds() + sliceMilliseconds}
	e.labbing = l
	go func() {
		defer e.recoveredLab(l)
		finish, err := work(l)
		if l.cancelled {
			return
		}
		if e.labbing = nil; err != nil {
			l.fail(err)
			return
		}
		finish()
	}()
}

// labCancel cancels the survey in progress.
func (e *engine) labCancel() {
	if l := e.labbing; l != nil {
		l.cancelled, e.labbing = true, nil
		post(object{"type": "labCancelled", "id": l.id})
	}
}

func (e *engine) recoveredLab(l *labSurvey) {
	if r := recover(); r != nil && !l.cancelled {
		e.labbing = nil
		post(object{
			"type": "labFailed", "id": l.id, "what": "internal error: " + fmt.Sprint(r),
			"mend": "this is a mistake in Burstscope: please report it with the kind of file",
		})
	}
}

func (l *labSurvey) fail(err error) {
	m := object{"type": "labFailed", "id": l.id, "what": err.Error(), "mend": "choose other data, or change how they are decoded"}
	var other *datafile.Refusal
	var missing *datafile.MissingShards
	switch {
	case errors.As(err, &missing):
		m["what"], m["mend"], m["missing"] = missing.What(), "choose or drop the index together with "+missing.List(), true
	case errors.As(err, &other) && !other.Raw:
		m["mend"] = "then choose that one"
	case errors.As(err, &other):
		m["mend"] = "to measure its bytes as they are, set the format to raw under “How to read the file”"
	}
	var at *datafile.Error
	if errors.As(err, &at) {
		m["offset"] = float64(at.Offset)
	}
	post(m)
}

// work reads all data once for the hash and twice for the survey.
func (l *labSurvey) work() error {
	hash := digest.New()
	if err := l.hash(hash); err != nil {
		return err
	}
	l.sha256 = hash.Hex()
	r, err := survey.File(l.file, survey.Params{Names: l.codecs(), Options: codecs.Options{Module: l.module}, Progress: func(done, all int64) bool {
		phase, share := labCounts, hashingShare+2*countingShare*float64(done)/float64(all)
		if 2*done > all {
			phase, share = labSizes, hashingShare+countingShare+(1-hashingShare-countingShare)*(2*float64(done)/float64(all)-1)
		}
		return l.goesOn(phase, share)
	}})
	l.result = r
	return err
}

// codecs are the names of those that are measured.
func (l *labSurvey) codecs() []string {
	if l.module == "" {
		return codecs.Names()
	}
	return append(codecs.Names(), codecs.Plugin)
}

// goesOn pauses for messages when it is time, posts progress, and reports whether the
// survey should continue.
func (l *labSurvey) goesOn(phase string, share float64) bool {
	if l.cancelled {
		return false
	}
	now := milliseconds()
	if now >= l.pauseAt {
		if now-l.posted > progressMilliseconds {
			l.posted = now
			post(object{"type": "labProgress", "id": l.id, "phase": phase, "fraction": share})
		}
		pause()
		l.pauseAt = milliseconds() + sliceMilliseconds
	}
	return !l.cancelled
}

// hash reads the file, or all arrays if the data are not in a file.
func (l *labSurvey) hash(h *digest.SHA256) error {
	done, all := int64(0), l.file.Bytes
	b := make([]byte, blobPieceBytes)
	read := func(r io.Reader) error {
		for {
			n, err := r.Read(b)
			h.Write(b[:n])
			done += int64(n)
			if !l.goesOn(labHashing, hashingShare*float64(done)/float64(all)) {
				return errLabCancelled
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
		}
	}
	if l.blob != nil {
		all = l.blob.size
		return read(io.NewSectionReader(l.blob, 0, all))
	}
	for _, a := range l.file.Arrays {
		r, err := a.Stream()
		if err == nil {
			err = read(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// mostLabArrays is the number of arrays listed by name; the rest are summed up.
const mostLabArrays = 256

func (l *labSurvey) post() {
	r := l.result
	var arrays, list, transfer []any
	block := int64(0)
	for i, a := range l.file.Arrays {
		if i < mostLabArrays {
			shape := make([]any, len(a.Shape))
			for k, n := range a.Shape {
				shape[k] = float64(n)
			}
			elements := a.Type.String()
			if a.Counted != "" {
				elements = a.Counted
			}
			arrays = append(arrays, object{"name": a.Name, "elements": elements, "shape": shape, "bytes": float64(a.Bytes), "firstBlock": float64(block)})
		}
		block += a.BlockCount()
	}
	for i := range r.Codecs {
		s := &r.Codecs[i]
		bytes := make([]float64, len(s.Bytes))
		for k, n := range s.Bytes {
			bytes[k] = float64(n)
		}
		sizes, cells := float64Array(bytes), uint32Array(s.Cells).(js.Value)
		transfer = append(transfer, buffer(sizes), buffer(cells))
		list = append(list, object{"name": s.Name, "bits": float64(s.Bits), "bytes": sizes, "cells": cells})
	}
	post(object{
		"type": "labDone", "id": l.id, "format": l.file.Title(), "notes": words(l.file.Notes), "bytes": float64(l.file.Bytes), "sha256": l.sha256,
		"arrays": arrays, "arrayCount": len(l.file.Arrays), "blocks": float64(r.Blocks), "paddedBytes": float64(r.PaddedBytes),
		"values": object{
			"elements": float64(r.Values.Elements), "zeros": float64(r.Values.Zeros), "nans": float64(r.Values.NaNs), "infinites": float64(r.Values.Infinites),
		},
		"bounds": toJS(r.Bounds), "blocksPerCell": r.BlocksPerCell, "codecs": list,
	}, transfer...)
}

func words(list []string) []any {
	var all []any
	for _, w := range list {
		all = append(all, w)
	}
	return all
}

// labBlock reads one block of the last surveyed data, with its size for every codec.
func (e *engine) labBlock(msg js.Value) {
	l, index := e.labbed, number(msg, "block")
	reply := object{"type": "labBlock", "id": msg.Get("id"), "block": index, "ok": true}
	if l == nil {
		reply["ok"], reply["what"] = false, "no data have been surveyed"
		post(reply)
		return
	}
	go func() {
		defer e.recovered()
		var lines [1]mem.Line
		_, a, offset, err := l.file.ReadBlocks(int64(index), lines[:])
		if err == nil {
			err = l.makeCoders()
		}
		if err != nil {
			reply["ok"], reply["what"] = false, err.Error()
			post(reply)
			return
		}
		sizes := object{}
		for i, c := range l.coders {
			sizes[l.result.Codecs[i].Name] = c.SizeBits(&lines[0])
		}
		reply["bytes"], reply["array"], reply["elements"] = uint8Array(lines[0][:]), a.Name, a.Type.String()
		reply["offset"], reply["sizes"], reply["rawBits"] = float64(offset), sizes, codec.RawBits
		post(reply)
	}()
}

func (l *labSurvey) makeCoders() error {
	if l.coders != nil {
		return nil
	}
	var list []codecs.Coder
	for i := range l.result.Codecs {
		c, err := l.result.Trainer.Make(l.result.Codecs[i].Name, codecs.Options{Module: l.module})
		if err != nil {
			return err
		}
		list = append(list, c)
	}
	l.coders = list
	return nil
}
