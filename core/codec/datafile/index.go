package datafile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

const (
	// maxIndexBytes bounds the text of an index, which lists the names of all headers.
	maxIndexBytes = maxTensorHeader
	// maxShards bounds the files of one model [ours]. In shards of 5 GB, that is 20 TB.
	maxShards = 1 << 12
	// maxShardsNamed bounds a list in a message.
	maxShardsNamed = 5
)

// openIndex reads the tensors that an index names from its shards. The format is that of
// "Sharded checkpoints" in the documentation of Hugging Face's transformers.
func openIndex(src io.ReaderAt, size int64, beside opener) (arrays []Array, shards, notes []string, err error) {
	if size > maxIndexBytes {
		return nil, nil, nil, faultAt(0, "an index of %d bytes: at most %d are read", size, maxIndexBytes)
	}
	x := index{s: scanJSON(src, 0, size, "index"), number: map[string]int{}, shardOf: map[string]int{}}
	if err := x.read(); err != nil {
		return nil, nil, nil, err
	}
	if err := x.open(beside); err != nil {
		return nil, nil, nil, err
	}
	left := 0
	for _, name := range slices.Sorted(slices.Values(x.shards)) {
		i := x.number[name]
		list, err := x.files[i].tensors()
		if err != nil {
			return nil, nil, nil, fmt.Errorf("shard %.80q of the index: %w", name, err)
		}
		for _, a := range list {
			if shard, ok := x.shardOf[a.Name]; !ok || shard != i {
				left++
				continue
			}
			delete(x.shardOf, a.Name)
			arrays = append(arrays, a)
		}
		shards = append(shards, name)
	}
	if len(x.shardOf) > 0 {
		missing := slices.Sorted(maps.Keys(x.shardOf))[0]
		return nil, nil, nil, fmt.Errorf("the index has tensor %.80q in shard %.80q, which has no such tensor: use files of one model",
			missing, x.shards[x.shardOf[missing]])
	}
	notes = append(notes, fmt.Sprintf("%d shards beside the index are read", len(shards)))
	if left > 0 {
		notes = append(notes, fmt.Sprintf("%d tensors of the shards are not in the index: they are left out", left))
	}
	return arrays, shards, notes, nil
}

// index is an index and its shards.
type index struct {
	s       *scanner
	shards  []string
	number  map[string]int // of each shard
	shardOf map[string]int // by tensor
	files   []shard
}

// shard is an opened file of an index.
type shard struct {
	src  io.ReaderAt
	size int64
}

func (f shard) tensors() ([]Array, error) {
	if f.size == 0 {
		return nil, faultAt(0, "the file is empty")
	}
	if _, err := formatOf(f.src, f.size, Options{Format: SafeTensors}); err != nil {
		return nil, err
	}
	return openSafeTensors(f.src, f.size)
}

// read reads {"weight_map": {"tensor": "file", ..}, ..}.
func (x *index) read() error {
	s, found := x.s, 0
	s.entries(func(key string, at int64) {
		if key != "weight_map" {
			s.passValue(0)
			return
		}
		if found++; found > 1 {
			s.failAt(at, "weight_map twice in the index")
		}
		s.entries(x.tensor)
	})
	if s.end(); s.err != nil {
		return s.err
	}
	if len(x.shards) == 0 {
		return faultAt(0, "the index has no weight_map with tensors: this is JSON of another kind")
	}
	return nil
}

func (x *index) tensor(name string, at int64) {
	s := x.s
	s.skip()
	fileAt := s.offset()
	file := s.jsonText()
	if s.err != nil {
		return
	}
	if _, twice := x.shardOf[name]; twice {
		s.failAt(at, "two tensors of the index are named %.40q", name)
		return
	}
	i, known := x.number[file]
	if !known {
		switch {
		case !isBeside(file):
			s.failAt(fileAt, "the index names the file %.80q: only files of its own folder are read", file)
		case !strings.HasSuffix(strings.ToLower(file), ".safetensors"):
			s.failAt(fileAt, "the index names the file %.80q: only .safetensors files are read as shards", file)
		case len(x.shards) == maxShards:
			s.failAt(fileAt, "more than %d files in the index", maxShards)
		}
		i = len(x.shards)
		x.number[file], x.shards = i, append(x.shards, file)
	}
	x.shardOf[name] = i
}

// isBeside reports whether a name in a file names one beside it, or in a folder below. Such a name decides which file
// of the reader is opened. fs.ValidPath refuses "..", and names from the root.
func isBeside(name string) bool {
	return fs.ValidPath(name) && name != "." && !strings.ContainsAny(name, `\:`+"\x00")
}

// open opens all shards, or says which are missing.
func (x *index) open(beside opener) error {
	var missing []string
	for _, name := range x.shards {
		if beside == nil {
			missing = append(missing, name)
			continue
		}
		src, size, err := beside(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil:
			return fmt.Errorf("shard %.80q of the index: %w", name, err)
		}
		x.files = append(x.files, shard{src, size})
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	return &MissingShards{missing, len(x.shards)}
}

// MissingShards is the error of an index whose files are not all there.
type MissingShards struct {
	Names []string
	All   int // files of the index
}

// What says how many are missing.
func (m *MissingShards) What() string {
	return fmt.Sprintf("the index needs %d files, and %d of them are missing", m.All, len(m.Names))
}

// List names them, or the first ones.
func (m *MissingShards) List() string {
	if n := len(m.Names); n > maxShardsNamed {
		return fmt.Sprintf("%s and %d more", strings.Join(m.Names[:maxShardsNamed], ", "), n-maxShardsNamed)
	}
	return strings.Join(m.Names, ", ")
}

func (m *MissingShards) Error() string { return m.What() + ": put beside it " + m.List() }

// IsIndexName reports whether a name belongs to an index.
func IsIndexName(name string) bool {
	k := kindNamed(name)
	return k != nil && k.format == Index
}
