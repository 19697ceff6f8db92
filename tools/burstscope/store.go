package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/burstscope/burstscope/core/claim"
	"github.com/burstscope/burstscope/core/digest"
	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/scenario/authoring"
)

// store is a folder of results: one file for each run, named by the hash of its
// scenario, below a folder named by the program's version. A file is written beside
// its place and renamed into it, so it is whole or not there; any number of
// processes may fill one store.
type store struct {
	dir    string
	mu     sync.Mutex
	loaded map[string]*entry // nil entries are known not to be there
	faults []string
}

// entry is the content of a file, which ends with the digest of what is before it:
// a file that was cut or changed is found out.
type entry struct {
	Version  string              `json:"version"`
	Key      string              `json:"key"`
	Scenario json.RawMessage     `json:"scenario"`
	Result   *experiment.Result  `json:"result,omitempty"`
	Traffic  *experiment.Traffic `json:"traffic,omitempty"`
}

// defaultStore is where results are kept unless told.
const defaultStore = "results"

func openStore(dir string) *store { return &store{dir: dir, loaded: map[string]*entry{}} }

// folder holds the results of this version.
func (s *store) folder() string { return filepath.Join(s.dir, experiment.Version) }

const entrySuffix = ".json"

func (s *store) path(key string) string { return filepath.Join(s.folder(), key+entrySuffix) }

// has reports whether a job's result is there, without reading it.
func (s *store) has(key string) bool {
	info, err := os.Stat(s.path(key))
	return err == nil && info.Mode().IsRegular()
}

// get returns a job's result, nil if it is not there. What cannot be read counts as
// not there and is told by check.
func (s *store) get(key string) *entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, known := s.loaded[key]; known {
		return e
	}
	e, err := readEntry(s.path(key), key)
	if err != nil {
		s.faults = append(s.faults, err.Error())
	}
	s.loaded[key] = e
	return e
}

// check returns what could not be read, as one error.
func (s *store) check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(s.faults, "\n"))
}

func readEntry(path, key string) (*entry, error) {
	b, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fileError("cannot read", err)
	}
	e, err := parseEntry(b, key)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: delete it and sweep again", err, path)
	}
	return e, nil
}

// maxEntryBytes bounds a result [ours]: the largest have 50 kB.
const maxEntryBytes = 4 << 20

// parseEntry reads the content of a file that should be the result of a key.
func parseEntry(b []byte, key string) (*entry, error) {
	if len(b) > maxEntryBytes {
		return nil, fmt.Errorf("no result, but %d bytes", len(b))
	}
	body, sum, ok := bytes.Cut(b, []byte(digestField))
	if !ok || string(sum) != entryEnd(body)[len(digestField):] {
		return nil, errors.New("not the result that was written")
	}
	var e entry
	if err := json.Unmarshal(b, &e); err != nil {
		return nil, fmt.Errorf("no result: %w", err)
	}
	if e.Key != key || e.Version != experiment.Version || (e.Result == nil) == (e.Traffic == nil) {
		return nil, errors.New("not the result its name says")
	}
	s, err := scenario.ParseJSON("scenario", e.Scenario)
	if err != nil {
		return nil, fmt.Errorf("no result: %w", err)
	}
	hash := ""
	if e.Traffic != nil {
		hash = e.Traffic.ScenarioHash
	} else {
		hash = e.Result.ScenarioHash
	}
	if claim.NewJob(s, e.Traffic != nil).Key != key || !strings.HasPrefix(key, hash) {
		return nil, errors.New("not the result of its scenario")
	}
	return &e, nil
}

// digestField is what stands between a file's content and its digest.
const digestField = ",\n \"digest\": \""

// entryEnd is how a file ends, from the comma behind its last value.
func entryEnd(body []byte) string { return digestField + digest.Hex(body) + "\"\n}\n" }

// Run and Traffic make a store claim.Results.
func (s *store) Run(j *claim.Job) *experiment.Result {
	if e := s.get(j.Key); e != nil {
		return e.Result
	}
	return nil
}

func (s *store) Traffic(j *claim.Job) *experiment.Traffic {
	if e := s.get(j.Key); e != nil {
		return e.Traffic
	}
	return nil
}

// put stores a result.
func (s *store) put(sc *scenario.Scenario, e *entry) error {
	e.Version = experiment.Version
	only := *sc
	only.Title, only.Notes, only.Compare, only.View, only.Lesson = "", "", nil, nil, nil
	e.Scenario = authoring.ToJSON(&only)
	b, err := json.MarshalIndent(e, "", " ")
	if err != nil {
		return fmt.Errorf("result of %s: %w", e.Key, err)
	}
	body := bytes.TrimSuffix(b, []byte("\n}"))
	return writeWhole(s.path(e.Key), append(body, entryEnd(body)...))
}

// writeWhole writes a file that is there whole or not at all, whenever the process
// or the machine stops.
func writeWhole(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fileError("cannot write", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return fileError("cannot write", err)
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Chmod(f.Name(), 0o644)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fileError("cannot write", err)
	}
	return nil
}

// merge copies the results of other stores into s and returns how many were new.
// Two results of one key that differ are a fault of one of the stores.
func (s *store) merge(from string) (added, known int, err error) {
	other := openStore(from)
	files, err := os.ReadDir(other.folder())
	if err != nil {
		return 0, 0, fileError("no store of version "+experiment.Version, err)
	}
	for _, f := range files {
		key, ok := strings.CutSuffix(f.Name(), entrySuffix)
		if !ok || strings.HasPrefix(key, ".") {
			continue
		}
		if _, err := readEntry(other.path(key), key); err != nil {
			return added, known, err
		}
		theirs, err := os.ReadFile(other.path(key))
		if err != nil {
			return added, known, fileError("cannot read", err)
		}
		if ours, err := os.ReadFile(s.path(key)); err == nil {
			if string(ours) != string(theirs) {
				return added, known, fmt.Errorf("two results of one run: %s and %s: delete the one of another program", s.path(key), other.path(key))
			}
			known++
			continue
		}
		if err := writeWhole(s.path(key), theirs); err != nil {
			return added, known, err
		}
		added++
	}
	return added, known, nil
}
