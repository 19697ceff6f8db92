package datafile

// The page's engine reads no tensors in files beside a model: it would be larger for a case that few have.

type onnxFiles struct{ beside opener }

type onnxPlace struct{}

func (onnxPlace) read(*onnxModel, *protoMessage) {}

func (m *onnxModel) outside(_ *Array, found *onnxFound, at int64) {
	m.failAt(at, "tensor %.40q lies in a file beside the model: open that file as raw bytes, "+
		"or save the model in one file", found.name)
}
