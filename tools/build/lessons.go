package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/burstscope/burstscope/assets/lessons"
	"github.com/burstscope/burstscope/core/lesson/steps"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// shippedLesson is one entry of lessons/index.json, as site/src/lessons/lesson.ts reads it.
type shippedLesson struct {
	Name     string          `json:"name"`
	Hash     string          `json:"hash"` // of everything, the words included
	Scenario json.RawMessage `json:"scenario"`
	// Runs are the scenarios of the steps, so that the page need not know how a step
	// changes one.
	Runs []json.RawMessage `json:"runs"`
}

// packLessons writes every lesson as msgpack, and the list of them.
func packLessons(stage string) error {
	folder := filepath.Join(stage, "lessons")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	var index []shippedLesson
	for _, name := range lessons.Names() {
		s, err := authoring.ParseMsgpack(lessons.Packed(name))
		if err != nil {
			return err
		}
		entry := shippedLesson{Name: name, Hash: s.LessonHash(), Scenario: authoring.ToJSON(s)}
		for i := range s.Lesson.Steps {
			run, err := steps.Of(s, i)
			if err != nil {
				return err
			}
			entry.Runs = append(entry.Runs, authoring.ToJSON(run))
		}
		if err := os.WriteFile(filepath.Join(folder, name+".msgpack"), lessons.Packed(name), 0o644); err != nil {
			return err
		}
		index = append(index, entry)
	}
	return writeJSON(filepath.Join(folder, "index.json"), index)
}
