package buddy

import (
	"fmt"

	"github.com/burstscope/burstscope/core/system"
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

// batchFunctions are batch_gb(network, batch), batch_rate(network, batch) and maxbatch(network, GB, ratio=1).
func batchFunctions() []system.Function {
	model := func(f func(n *network, batch float64) float64) func([]any) (any, error) {
		return func(args []any) (any, error) {
			id, isText := args[0].(string)
			batch, isNumber := args[1].(int)
			if !isText || !isNumber {
				return nil, fmt.Errorf("give a network and a mini-batch")
			}
			n, err := networkOf(id)
			if err != nil {
				return nil, err
			}
			return f(n, float64(batch)), nil
		}
	}
	of := []string{"network", "batch"}
	gigabytes := func(n *network, batch float64) float64 { return n.bytes(batch) / 1e9 }
	return []system.Function{
		{Name: "batch_gb", Parameters: of, Call: model(gigabytes)},
		{Name: "batch_rate", Parameters: of, Call: model((*network).throughput)},
		{Name: "maxbatch", Parameters: []string{"network", "gb", "ratio?"}, Call: func(args []any) (any, error) {
			id, isText := args[0].(string)
			size, isNumber := args[1].(int)
			if args[2] == nil {
				args[2] = 1.
			}
			ratio, isRatio := args[2].(float64)
			if !isText || !isNumber || !isRatio {
				return nil, fmt.Errorf("give a network, whole GB and a ratio")
			}
			n, err := networkOf(id)
			if err != nil {
				return nil, err
			}
			return n.largest(float64(size) * 1e9 * ratio), nil
		}},
	}
}
