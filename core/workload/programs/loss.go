package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/workload"
)

// lossOf is a metric of RFVP's table I that does not depend on the size. The table's others are
// the programs' own: the image difference of gaussian, and the NRMSE of matrixmul and
// similarityscore. Fastwalsh has an image difference there; its output is no image here, and
// its NRMSE is that of an image whose range is that of the output.
func lossOf(kind workload.LossKind) func(int) workload.Loss {
	return func(int) workload.Loss { return workload.Loss{Kind: kind} }
}

// heartLoss and particleLoss are distances in the frames.
func heartLoss(points int) workload.Loss {
	width, height, _ := heartFrames(points)
	return displacement(width, height)
}

func particleLoss(particles int) workload.Loss {
	side := particleSide(particles)
	return displacement(side, side)
}

func displacement(width, height int) workload.Loss {
	return workload.Loss{Kind: workload.LossDisplacement, Diagonal: math.Sqrt(float64(width*width + height*height))}
}
