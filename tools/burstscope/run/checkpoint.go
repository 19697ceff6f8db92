package run

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/burstscope/burstscope/core/experiment"
	"github.com/burstscope/burstscope/core/machine"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
	"github.com/burstscope/burstscope/tools/burstscope/disk"
	"github.com/burstscope/burstscope/tools/input"
)

// keeper stores the state of a run in a file now and then, so that the run can go on after
// the process was killed. Storing changes no result.
type keeper struct {
	path   string
	Status io.Writer
	now    func() time.Time
	next   time.Time
	stop   <-chan struct{} // closed when the process is asked to end
	every  time.Duration   // between two states
	cycles uint64          // between two looks at the clock
}

const (
	// keepInterval is the time between two states [ours]: what a kill can lose.
	keepInterval = time.Minute
	// keepShare bounds the time that storing takes: a twentieth of the run [ours].
	keepShare = 20
)

func NewKeeper(path string, stop <-chan struct{}) *keeper {
	return &keeper{path: path, Status: os.Stderr, now: time.Now, next: time.Now().Add(keepInterval), stop: stop, every: keepInterval, cycles: ProgressCycles}
}

// Asked returns a channel that is closed when the process is asked to end, by Ctrl-C or as a
// cluster ends a job. A second signal ends the process at once.
func Asked() <-chan struct{} {
	stop := make(chan struct{})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		signal.Stop(signals)
		close(stop)
	}()
	return stop
}

// ErrStopped ends a run whose state is stored.
var ErrStopped = errors.New("stopped")

// Finish runs to the end and then deletes the file. m may be nil.
func (k *keeper) Finish(r *experiment.Run, m *Meter) (*experiment.Result, error) {
	for {
		done, err := r.Step(k.cycles)
		if err != nil {
			return nil, err
		}
		if done {
			if err := os.Remove(k.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, disk.Fault("cannot delete the state of a run that has ended", err)
			}
			return r.Result(), nil
		}
		if m != nil {
			m.show(r.Progress)
		}
		select {
		case <-k.stop:
			return nil, k.last(r)
		default:
		}
		if begin := k.now(); !begin.Before(k.next) {
			if err := k.keep(r); err != nil {
				return nil, err
			}
			end := k.now()
			k.next = end.Add(max(k.every, keepShare*end.Sub(begin)))
		}
	}
}

// keep stores the state, or leaves the file as it is if the run has no state yet.
func (k *keeper) keep(r *experiment.Run) error {
	build, err := thisBuild()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(k.path), 0o755); err != nil {
		return disk.Fault("cannot write", err)
	}
	for {
		err := disk.WriteWith(k.path, func(w io.Writer) error { return writeState(w, r, build) })
		switch {
		case errors.Is(err, experiment.ErrNothingToStore):
			return nil
		case !errors.Is(err, machine.ErrNotNow):
			return err
		}
		if done, err := r.Step(1); done || err != nil {
			return err
		}
	}
}

// last stores the state before the process ends, and says how to go on.
func (k *keeper) last(r *experiment.Run) error {
	if err := k.keep(r); err != nil {
		return err
	}
	phase, cycle := r.Reached()
	if phase == experiment.PhaseReference {
		return fmt.Errorf("%w before the simulation: the same command begins anew", ErrStopped)
	}
	return fmt.Errorf("%w in phase %s at cycle %d: the same command continues from %s", ErrStopped, phase, cycle, k.path)
}

// writeState writes the compressed state and, after it, the SHA-256 of these bytes.
func writeState(w io.Writer, r *experiment.Run, build string) error {
	h := sha256.New()
	packed, _ := gzip.NewWriterLevel(io.MultiWriter(w, h), gzip.BestSpeed) // the level exists
	buffered := bufio.NewWriterSize(packed, 1<<16)
	if err := r.WriteState(buffered, build); err != nil {
		return err
	}
	if err := errors.Join(buffered.Flush(), packed.Close()); err != nil {
		return err
	}
	_, err := io.WriteString(w, hex.EncodeToString(h.Sum(nil)))
	return err
}

// Resume returns the run that make gets from the file's state, or nil if there is no file.
func (k *keeper) Resume(make func(build string, from io.Reader) (*experiment.Run, error)) (*experiment.Run, error) {
	f, size, err := input.Open(k.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, k.unusable(err)
	}
	defer f.Close()
	size -= sha256.Size * 2
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, size)); err != nil {
		return nil, k.unusable(err)
	}
	sum, err := io.ReadAll(io.LimitReader(f, sha256.Size*2+1))
	if err != nil || size < 0 || string(sum) != hex.EncodeToString(h.Sum(nil)) {
		return nil, k.unusable(errors.New("it was cut or changed after it was written"))
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, k.unusable(err)
	}
	packed, err := gzip.NewReader(io.LimitReader(f, size))
	if err != nil {
		return nil, k.unusable(err)
	}
	build, err := thisBuild()
	if err != nil {
		return nil, err
	}
	r, err := make(build, bufio.NewReaderSize(packed, 1<<16))
	if err != nil {
		return nil, k.unusable(err)
	}
	phase, cycle := r.Reached()
	fmt.Fprintf(k.Status, "going on from %s: phase %s, cycle %s\n", k.path, phase, cli.Group(cycle))
	return r, nil
}

func (k *keeper) unusable(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("state %s: %w: delete it to begin anew, or name another file", k.path, err)
}

// thisBuild names this program by the SHA-256 of its file: a state is its memory, which another
// build would lay out otherwise.
var thisBuild = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
})
