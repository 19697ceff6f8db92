package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/burstscope/burstscope/core/fault"
	"github.com/burstscope/burstscope/core/ptx"
	"github.com/burstscope/burstscope/core/ptx/compile"
	"github.com/burstscope/burstscope/core/ptx/syntax"
	"github.com/burstscope/burstscope/core/scenario"
	"github.com/burstscope/burstscope/core/workload"
	"github.com/burstscope/burstscope/tools/burstscope/cli"
)

// noMetadata is the word of --metadata for no file.
const noMetadata = "none"

// maxMetadataBytes bounds a metadata file; Triton's have about 1 KB [ours].
const maxMetadataBytes = 1 << 20

// metadata are the fields of the .json that Triton writes beside kernel.ptx in its cache (python/triton/compiler/
// compiler.py; CudaOptions in third_party/nvidia/backend/compiler.py). Other fields say how it compiled the kernel.
type metadata struct {
	file string

	Name        string          `json:"name"`
	Warps       *int            `json:"num_warps"`
	Shared      *int            `json:"shared"` // dynamic, in bytes
	CTAs        *int            `json:"num_ctas"`
	Cluster     []int           `json:"cluster_dims"`
	Cooperative bool            `json:"launch_cooperative_grid"`
	Target      json.RawMessage `json:"target"`
}

// metadataTarget is metadata.Target of Triton 3; Triton 2 writes a list or a number.
type metadataTarget struct {
	Backend  string `json:"backend"`
	WarpSize int    `json:"warp_size"`
}

// refuse says what is wrong with a metadata file, and how to continue.
func (m *metadata) refuse(format string, args ...any) error {
	return fmt.Errorf("%s: %s: give --entry, --block and --shared with --metadata none, or another file with --metadata",
		fault.Visible(m.file), fmt.Sprintf(format, args...))
}

func readMetadata(name string) (*metadata, error) {
	b, err := cli.ReadPlain(name, maxMetadataBytes)
	if err != nil {
		return nil, err
	}
	m := &metadata{file: name}
	var fields map[string]json.RawMessage
	if json.Unmarshal(b, &fields) != nil || fields["num_warps"] == nil {
		return m, m.refuse("it is not the metadata of a kernel of Triton, which have num_warps")
	}
	if err := json.Unmarshal(b, m); err != nil {
		if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) {
			return m, m.refuse("%s must be of type %s, not %s", wrong.Field, wrong.Type.Kind(), wrong.Value)
		}
		return m, m.refuse("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return m, nil
}

// Check refuses metadata that no kernel has, or none that runs here.
func (m *metadata) check() error {
	var t metadataTarget
	_ = json.Unmarshal(m.Target, &t)    // other forms have neither
	cluster, mostCTAs := m.cluster(), 8 // a portable size (CUDA C++ Programming Guide, thread block clusters)
	ctas := 1
	for _, n := range cluster {
		if n < 1 || n > mostCTAs {
			return m.refuse("num_ctas and cluster_dims make clusters of %v CTAs, want 1 to %d", cluster, mostCTAs)
		}
		ctas *= n
	}
	switch most := ptx.MaxThreadsPerCTA / ptx.MaxLanes; {
	case m.Warps == nil || *m.Warps < 1 || *m.Warps > most:
		return m.refuse("num_warps must be from 1 to %d", most)
	case m.Shared != nil && (*m.Shared < 0 || *m.Shared > workload.MaxDynamicSharedBytes):
		return m.refuse("shared is %d bytes, and a CTA has at most %d", *m.Shared, workload.MaxDynamicSharedBytes)
	case ctas > mostCTAs || len(cluster) > 3 || m.CTAs != nil && len(m.Cluster) > 0 && *m.CTAs != ctas:
		return m.refuse("num_ctas and cluster_dims %v do not fit together; a cluster has at most %d CTAs", cluster,
			mostCTAs)
	case t.Backend != "" && t.Backend != "cuda" || t.WarpSize != 0 && t.WarpSize != ptx.MaxLanes:
		return m.refuse("it is for the backend %s with warps of %d lanes", fault.Quote(t.Backend), t.WarpSize)
	}
	return nil
}

// cluster returns the CTAs of a cluster: cluster_dims, or num_ctas in x; none if neither says so.
func (m *metadata) cluster() []int {
	if len(m.Cluster) == 0 && m.CTAs != nil {
		return []int{*m.CTAs}
	}
	return m.Cluster
}

// filling is what the command line leaves open.
type filling struct {
	program *scenario.PTX
	file    string // of the PTX
	source  []byte
	given   string // --metadata
	shared  bool   // --shared is given
	words   []string
}

func (f *filling) add(from string, words ...string) {
	f.words = append(f.words, strings.Join(words, " ")+" from "+fault.Visible(filepath.Base(from)))
}

// fill completes the entry, the block and the dynamic shared memory that no option gives, from the metadata beside the
// PTX and from its .reqntid and .maxntid. It returns a sentence about it, empty if nothing was missing.
func (f *filling) fill() (string, error) {
	var kernels []*syntax.Function
	if m, err := compile.Load(f.file, f.source); err == nil { // the run reports its faults
		for _, fn := range m.Functions {
			if fn.Entry && fn.Defined {
				kernels = append(kernels, fn)
			}
		}
	}
	m, err := f.find()
	if err != nil {
		return "", err
	}
	p := f.program
	if m != nil {
		if err := f.fromMetadata(m, kernels); err != nil {
			return "", err
		}
	}
	if i := slices.IndexFunc(kernels, func(fn *syntax.Function) bool { return fn.Name == p.Entry }); i >= 0 {
		if err := f.fromKernel(kernels[i], m); err != nil {
			return "", err
		}
	} else if m != nil && len(p.Block) == 0 {
		p.Block = []int{*m.Warps * ptx.MaxLanes}
	}
	if len(f.words) == 0 {
		return "", nil
	}
	return "Filled in: " + strings.Join(f.words, ", ") + ".", nil
}

// find reads the metadata: the named file, or the one beside the PTX with its name.
func (f *filling) find() (*metadata, error) {
	name := f.given
	if name == noMetadata {
		return nil, nil
	}
	if name == "" {
		name = strings.TrimSuffix(f.file, filepath.Ext(f.file)) + ".json"
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
			return nil, nil
		}
	}
	m, err := readMetadata(name)
	if err == nil {
		err = m.check()
	}
	if err != nil && f.given == "" && f.program.Entry != "" && len(f.program.Block) > 0 {
		f.words = append(f.words, "nothing from "+fault.Visible(filepath.Base(name))+", which is not metadata of this kernel")
		return nil, nil
	}
	return m, err
}

func (f *filling) fromMetadata(m *metadata, kernels []*syntax.Function) error {
	p := f.program
	if kernels != nil && m.Name != "" {
		names := []string{}
		for _, fn := range kernels {
			names = append(names, fn.Name)
		}
		if !slices.Contains(names, m.Name) {
			return m.refuse("it is of the kernel %s, and %s has %s", fault.Quote(m.Name), fault.Visible(f.file),
				strings.Join(names, ", "))
		}
	}
	if p.Entry != "" && m.Name != "" && p.Entry != m.Name {
		return m.refuse("it is of the kernel %s, and --entry names %s", fault.Quote(m.Name), fault.Quote(p.Entry))
	}
	var words []string
	if p.Entry == "" && m.Name != "" {
		p.Entry = m.Name
		words = append(words, "--entry "+fault.Visible(m.Name))
	}
	if !f.shared && m.Shared != nil && *m.Shared > 0 {
		p.Shared = *m.Shared
		words = append(words, fmt.Sprintf("--shared %d", p.Shared))
	}
	if cluster := m.cluster(); len(p.Cluster) == 0 && slices.ContainsFunc(cluster, func(n int) bool { return n != 1 }) {
		p.Cluster = cluster
		words = append(words, "--cluster "+strings.Trim(strings.Join(strings.Fields(fmt.Sprint(cluster)), ","), "[]"))
	}
	if m.Cooperative && p.Launch == "" {
		p.Launch = scenario.LaunchCooperative
		words = append(words, "--cooperative")
	}
	if len(words) > 0 {
		f.add(m.file, words...)
	}
	return nil
}

// fromKernel completes the block: .reqntid is exact, and num_warps says more than .maxntid, which is an upper bound.
func (f *filling) fromKernel(fn *syntax.Function, m *metadata) error {
	p := f.program
	required, threads := fn.ReqNTID, int(fn.ReqNTID[0]*fn.ReqNTID[1]*fn.ReqNTID[2])
	switch {
	case threads > 0 && len(p.Block) > 0:
		var given [3]uint32
		for i := range given {
			if given[i] = 1; i < len(p.Block) {
				given[i] = uint32(p.Block[i])
			}
		}
		if given != required {
			return cli.Usagef("--block %s contradicts .reqntid %s of kernel %s (%s:%d): leave --block out", blockText(given),
				blockText(required), fn.Name, fault.Visible(f.file), fn.At.Line)
		}
	case len(p.Block) > 0:
	case threads > 0 && m != nil && threads != *m.Warps*ptx.MaxLanes:
		return m.refuse("num_warps is %d, %d threads, and .reqntid of kernel %s (%s:%d) %s", *m.Warps, *m.Warps*ptx.MaxLanes,
			fn.Name, fault.Visible(f.file), fn.At.Line, blockText(required))
	case threads > 0:
		f.block(required, ".reqntid of "+filepath.Base(f.file))
	case m != nil:
		f.block([3]uint32{uint32(*m.Warps) * ptx.MaxLanes, 1, 1}, m.file)
	case fn.MaxNTID[0] > 0:
		f.block(fn.MaxNTID, ".maxntid of "+filepath.Base(f.file))
	}
	return nil
}

func (f *filling) block(block [3]uint32, from string) {
	f.program.Block = []int{int(block[0]), int(block[1]), int(block[2])}
	f.add(from, "--block "+blockText(block))
}

func blockText(e [3]uint32) string {
	switch {
	case e[2] != 1:
		return fmt.Sprintf("%d,%d,%d", e[0], e[1], e[2])
	case e[1] != 1:
		return fmt.Sprintf("%d,%d", e[0], e[1])
	}
	return fmt.Sprint(e[0])
}
