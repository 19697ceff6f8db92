package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
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
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/input"
)

// Store is a folder of results: one file for each run, named by the hash of its
// scenario, below a folder named by the program's version. A file is written under a
// temporary name and then renamed, so it is whole or missing; any number of processes
// may fill one store.
type Store struct {
	dir    string
	mu     sync.Mutex
	loaded map[string]*Entry // nil: known to be missing
	faults []string
}

// Entry is the content of a file. The file ends with a digest of the text before it,
// which shows whether the file was cut or changed.
type Entry struct {
	Version  string              `json:"version"`
	Key      string              `json:"key"`
	Scenario json.RawMessage     `json:"scenario"`
	Result   *experiment.Result  `json:"result,omitempty"`
	Traffic  *experiment.Traffic `json:"traffic,omitempty"`
}

// DefaultStore is the folder of results without --store.
const DefaultStore = "results"

func OpenStore(dir string) *Store { return &Store{dir: dir, loaded: map[string]*Entry{}} }

// Folder holds the results of this version.
func (s *Store) Folder() string { return filepath.Join(s.dir, experiment.Version) }

const EntrySuffix = ".json"

func (s *Store) Path(key string) string { return filepath.Join(s.Folder(), key+EntrySuffix) }

// statePath is the file with the state of a run in flight. Its folder begins with a dot, so that
// merge leaves it out.
func (s *Store) statePath(key string) string { return filepath.Join(s.Folder(), ".states", key) }

// Has reports whether a job's result is stored and usable. It returns a fault if the
// file of the result was cut or changed, or holds the result of another run.
func (s *Store) Has(key string) (there bool, fault error) {
	e, err := readEntry(s.Path(key), key)
	return e != nil, err
}

// get returns a job's result, or nil if it is missing. An unreadable result counts as
// missing, and check reports it.
func (s *Store) get(key string) *Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, known := s.loaded[key]; known {
		return e
	}
	e, err := readEntry(s.Path(key), key)
	if err != nil {
		s.faults = append(s.faults, err.Error()+": "+MendDamaged)
	}
	s.loaded[key] = e
	return e
}

// Check returns one error that lists the unreadable results.
func (s *Store) Check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(s.faults, "\n"))
}

// readEntry reads the result of a key; it returns nil if there is none.
func readEntry(path, key string) (*Entry, error) {
	b, err := ReadResult(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var e *Entry
	if err == nil {
		e, err = ParseEntry(b, key)
	}
	if err != nil {
		return nil, Damaged(path, err)
	}
	return e, nil
}

// Damaged reports a file that cannot be used.
func Damaged(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, new(input.NotRegular)) {
		err = errors.Unwrap(err)
	} else if errors.As(err, &p) {
		return fmt.Errorf("%s: cannot be read: %w", path, p.Err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// MendDamaged is the advice of verbs that only read the store.
const MendDamaged = "delete it and sweep again"

// MaxEntryBytes bounds a result [ours]: the largest have 50 kB.
const MaxEntryBytes = 4 << 20

// ReadResult reads a file of at most the size of a result.
func ReadResult(path string) ([]byte, error) { return input.Read(path, MaxEntryBytes) }

// ParseEntry reads the content of a file that should be the result of a key.
func ParseEntry(b []byte, key string) (*Entry, error) {
	if len(b) > MaxEntryBytes {
		return nil, input.TooLarge{Size: int64(len(b)), Limit: MaxEntryBytes}
	}
	body, sum, ok := bytes.Cut(b, []byte(digestField))
	if !ok || string(sum) != entryEnd(body)[len(digestField):] {
		return nil, errors.New("it was cut or changed after it was written")
	}
	var e Entry
	if err := decode(b, &e); err != nil {
		return nil, fmt.Errorf("it cannot be read as a result: %w", err)
	}
	if e.Key != key || e.Version != experiment.Version || (e.Result == nil) == (e.Traffic == nil) {
		return nil, errors.New("it holds the result of another run than its name says")
	}
	s, err := scenario.ParseJSON("scenario", e.Scenario)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read as a result: %w", err)
	}
	hash := ""
	if e.Traffic != nil {
		hash = e.Traffic.ScenarioHash
	} else {
		hash = e.Result.ScenarioHash
	}
	if claim.NewJob(s, e.Traffic != nil).Key != key || !strings.HasPrefix(key, hash) {
		return nil, errors.New("its result does not belong to its scenario")
	}
	return &e, nil
}

// decode reads an entry whose reports have the types of their systems.
func decode(b []byte, e *Entry) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // whole numbers of reports keep all their digits
	if err := d.Decode(e); err != nil || e.Result == nil {
		return err
	}
	return e.Result.Retype(func(from, to any) error {
		text, err := json.Marshal(from)
		if err != nil {
			return err
		}
		return json.Unmarshal(text, to)
	})
}

// digestField stands between a file's content and its digest.
const digestField = ",\n \"digest\": \""

// entryEnd is the end of a file, from the comma after its last value.
func entryEnd(body []byte) string { return digestField + digest.Hex(body) + "\"\n}\n" }

// Run and Traffic implement claim.Results.
func (s *Store) Run(j *claim.Job) *experiment.Result {
	if e := s.get(j.Key); e != nil {
		return e.Result
	}
	return nil
}

func (s *Store) Traffic(j *claim.Job) *experiment.Traffic {
	if e := s.get(j.Key); e != nil {
		return e.Traffic
	}
	return nil
}

// put stores a result.
func (s *Store) put(sc *scenario.Scenario, e *Entry) error {
	b, err := e.Text(sc)
	if err != nil {
		return err
	}
	return disk.WriteStored(s.Path(e.Key), b)
}

// Text is the content of the file of an entry: the result of a scenario.
func (e *Entry) Text(sc *scenario.Scenario) ([]byte, error) {
	e.Version = experiment.Version
	only := *sc
	only.Title, only.Notes, only.Compare, only.View, only.Lesson = "", "", nil, nil, nil
	e.Scenario = authoring.ToJSON(&only)
	b, err := json.MarshalIndent(e, "", " ")
	if err != nil {
		return nil, fmt.Errorf("result of %s: %w", e.Key, err)
	}
	body := bytes.TrimSuffix(b, []byte("\n}"))
	return append(body, entryEnd(body)...), nil
}

// merged counts what a merge did.
type merged struct {
	added, known int
	skipped      []string // files whose names no result has
	faults       []error  // results that could not be copied
}

// merge copies the results of another store into s. It skips files that are not
// results, damaged files, and results that differ from s's result of the same run. It
// returns an error only if the folder cannot be read.
func (s *Store) merge(from string) (m merged, err error) {
	other := OpenStore(from)
	files, err := os.ReadDir(other.Folder())
	if err != nil {
		return m, disk.Fault("no store of version "+experiment.Version, err)
	}
	for _, f := range files {
		key, ok := strings.CutSuffix(f.Name(), EntrySuffix)
		switch {
		case strings.HasPrefix(f.Name(), "."): // a file that is being written, or one of the system
		case !ok || !IsKey(key):
			m.skipped = append(m.skipped, filepath.Join(other.Folder(), f.Name()))
		default:
			added, err := s.take(other, key)
			if err != nil {
				m.faults = append(m.faults, err)
			} else if added {
				m.added++
			} else {
				m.known++
			}
		}
	}
	return m, nil
}

// IsKey reports whether a name is the key of a claim.Job: a scenario's hash, followed
// by ".traffic" if no machine ran.
func IsKey(name string) bool {
	hash, _ := strings.CutSuffix(name, claim.TrafficSuffix)
	b, err := hex.DecodeString(hash)
	return err == nil && len(b) == sha256.Size && strings.ToLower(hash) == hash
}

// take copies one result of another store. It replaces a damaged file of s.
func (s *Store) take(other *Store, key string) (added bool, err error) {
	theirs, err := ReadResult(other.Path(key))
	if err == nil {
		_, err = ParseEntry(theirs, key)
	}
	if err != nil {
		return false, fmt.Errorf("%w: %s", Damaged(other.Path(key), err), MendDamaged)
	}
	if ours, err := ReadResult(s.Path(key)); err == nil {
		if string(ours) == string(theirs) {
			return false, nil
		}
		if _, err := ParseEntry(ours, key); err == nil {
			return false, fmt.Errorf("two results of one run: %s and %s: delete the one of another program", s.Path(key), other.Path(key))
		}
	}
	return true, disk.WriteStored(s.Path(key), theirs)
}
