package claim

import (
	"fmt"

	"go.starlark.net/starlark"
)

// network is what the model of mini-batches knows of a network (figure 15). The paper refers to
// analytic models and prints no parameters.
type network struct {
	parameters  float64 // millions, as its publication or the framework states
	activations float64 // millions of elements for a sample, rounded [ours]
	half        float64 // mini-batch at half of the greatest throughput [ours]
}

var networks = map[string]network{
	"AlexNet":     {61, 0.7, 8},
	"InceptionV2": {11, 10, 16},
	"SqueezeNet":  {1.2, 6, 8},
	"VGG16":       {138, 14, 32},
	"ResNet50":    {26, 22, 16},
	"BigLSTM":     {800, 1.5, 32},
}

const (
	// bytesPerParameter: weight, gradient and momentum in 4 bytes each.
	bytesPerParameter = 12
	// bytesPerActivation: the value and its gradient.
	bytesPerActivation = 8
	// titanV is the memory of the paper's GPU in GB (section IV-D).
	titanV = 12
)

// bytes is the memory that training with a mini-batch takes.
func (n *network) bytes(batch float64) float64 {
	return 1e6 * (float64(n.parameters*bytesPerParameter) + float64(batch*float64(n.activations*bytesPerActivation)))
}

// throughput is in samples per time, 1 at most.
func (n *network) throughput(batch float64) float64 { return batch / (batch + n.half) }

// largest is the largest mini-batch that fits: a power of two below 16, or a multiple of 16.
func (n *network) largest(bytes float64) (batch int) {
	fits := func(b int) bool { return n.bytes(float64(b)) <= bytes }
	for b := 1; b <= 16 && fits(b); b *= 2 {
		batch = b
	}
	for batch >= 16 && batch < 1<<16 && fits(batch+16) {
		batch += 16
	}
	return batch
}

func networkOf(id string) (*network, error) {
	if n, known := networks[id]; known {
		return &n, nil
	}
	return nil, fmt.Errorf("%s is no network of the model: use one of the set DL6", id)
}

// largestBatch is maxbatch(network, GB, ratio=1).
func (s *session) largestBatch(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var id string
	var size int
	ratio := starlark.Float(1)
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "network", &id, "gb", &size, "ratio?", &ratio); err != nil {
		return nil, err
	}
	n, err := networkOf(id)
	if err != nil {
		return nil, err
	}
	return starlark.MakeInt(n.largest(float64(size) * 1e9 * float64(ratio))), nil
}

// batchModel is a function of a network and a mini-batch in the model, such as batch_gb(network, batch).
func (s *session) batchModel(f func(n *network, batch float64) float64) builtin {
	return func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		var id string
		var batch int
		if err := starlark.UnpackPositionalArgs(b.Name(), args, nil, 2, &id, &batch); err != nil {
			return nil, err
		}
		n, err := networkOf(id)
		if err != nil {
			return nil, err
		}
		return starlark.Float(f(n, float64(batch))), nil
	}
}

// batchSpeedup is what the mini-batch that fits compressed memory gains over the one that fits without
// compression, in the model, with the capacity ratio of the proxy.
func batchSpeedup(s *session, r *request, id string) (float64, *Formula, error) {
	n, err := networkOf(id)
	if err != nil {
		return 0, nil, err
	}
	p, err := s.at(r.system, id, r.on)
	if err != nil {
		return 0, nil, err
	}
	ratio, _, err := s.ofRun("cap", p)
	if err != nil {
		return 0, nil, err
	}
	plain := n.largest(titanV * 1e9)
	if plain == 0 {
		return 0, nil, missing{"a mini-batch of " + id + " that fits without compression"}
	}
	return n.throughput(float64(n.largest(titanV*1e9*ratio))) / n.throughput(float64(plain)), nil, nil
}
