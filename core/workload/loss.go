package workload

import "math"

// Loss is a quality metric of RFVP's table I. A program has one of its own beside its Metric if
// RFVP measures it in another way than the paper that its Metric is from.
type Loss struct {
	Kind LossKind
	// Diagonal is the diagonal of the frame in pixels, which distances are shares of [ours: the
	// paper states distances in per cent, and not of what].
	Diagonal float64
}

// LossKind says what a Loss measures.
type LossKind uint8

const (
	// LossOwn is the program's Metric.
	LossOwn LossKind = iota
	// LossNRMSE is MetricNRMSE.
	LossNRMSE
	// LossRelative is the mean relative error, in which an element counts at most 1, as in
	// AxBench's scripts (Elements).
	LossRelative
	// LossDisplacement is the mean distance between a point and its exact place. The outputs
	// are pairs of coordinates, or the x, the y and the weights of particles whose mean is the
	// point.
	LossDisplacement
	// LossMismatch is the share of wrong elements among those that are not 0 in one of the
	// outputs: lines that were found or should have been. The zeros are most of the output.
	LossMismatch
	// LossPixels is the root mean square difference of the 8-bit pixels over 255: that of an image, not of numbers.
	LossPixels
)

var lossNames = []string{"", "nrmse", "relative-error", "displacement", "mismatch", "pixel-difference"}

// LossMetric names what QualityLoss measures.
func (p *Program) LossMetric() string {
	if p.Loss.Kind == LossOwn {
		return p.Metric.String()
	}
	return lossNames[p.Loss.Kind]
}

// QualityLoss is the loss of RFVP's table I of got against exact, in buffer order (see Outputs).
func (p *Program) QualityLoss(exact, got [][]byte) float64 {
	exact, got = p.results(exact), p.results(got)
	switch p.Loss.Kind {
	case LossNRMSE:
		return p.Measure(MetricNRMSE, exact, got)
	case LossRelative:
		e := p.Elements(exact, got)
		if e.Outputs == 0 {
			return 0
		}
		return (e.Capped + float64(e.WrongZeros)) / float64(e.Outputs)
	case LossDisplacement:
		return p.displacement(exact, got)
	case LossMismatch:
		return p.mismatch(exact, got)
	case LossPixels:
		return p.pixels(exact, got)
	}
	return p.Quality(exact, got)
}

func (p *Program) displacement(exact, got [][]byte) float64 {
	is, was := p.points(exact), p.points(got)
	sum := 0.0
	for i := range is {
		dx, wholeX := difference(is[i][0], was[i][0])
		dy, wholeY := difference(is[i][1], was[i][1])
		if d := math.Sqrt(float64(dx*dx)+float64(dy*dy)) / p.Loss.Diagonal; !wholeX && !wholeY && d < 1 {
			sum += d
		} else {
			sum++ // a point is at most as far away as the frame allows
		}
	}
	return sum / float64(max(len(is), 1))
}

// points returns the places that the outputs hold.
func (p *Program) points(bytes [][]byte) (list [][2]float64) {
	outputs := p.Outputs()
	value := func(k, i int) float64 { return p.Buffers[outputs[k]].Element.value(bytes[k], i) }
	n := len(bytes[0]) / p.Buffers[outputs[0]].Element.Bytes()
	if len(outputs) == 1 {
		for i := range n / 2 {
			list = append(list, [2]float64{value(0, 2*i), value(0, 2*i+1)})
		}
		return list
	}
	var at [2]float64
	for i := range n {
		w := value(2, i)
		at[0] += float64(w * value(0, i))
		at[1] += float64(w * value(1, i))
	}
	return [][2]float64{at}
}

func (p *Program) mismatch(exact, got [][]byte) float64 {
	wrong, some := 0, 0
	for k, i := range p.Outputs() {
		e := p.Buffers[i].Element
		for i := range len(exact[k]) / e.Bytes() {
			x, y := e.value(exact[k], i), e.value(got[k], i)
			if x != 0 || y != 0 {
				some++
			}
			if x != y {
				wrong++
			}
		}
	}
	return float64(wrong) / float64(max(some, 1))
}

func (p *Program) pixels(exact, got [][]byte) float64 {
	sum, count := 0.0, 0
	for k, i := range p.Outputs() {
		now := p.Buffers[i].Pixels(got[k])
		for i, was := range p.Buffers[i].Pixels(exact[k]) {
			d := float64(was) - float64(now[i])
			sum += float64(d * d)
		}
		count += len(now)
	}
	return math.Sqrt(sum/float64(max(count, 1))) / 255
}
