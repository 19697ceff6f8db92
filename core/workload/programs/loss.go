package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/workload"
)

// lossOf is a metric of RFVP's table I that does not depend on the size. The table's others are
// the programs' own: the image difference of gaussian, and the NRMSE of matrixmul and
// similarityscore.
func lossOf(kind workload.LossKind) func(*request) workload.Loss {
	return func(*request) workload.Loss { return workload.Loss{Kind: kind} }
}

// heartLoss and particleLoss are distances in the frames.
func heartLoss(r *request) workload.Loss {
	width, height, _ := heartFrames(r.size)
	return displacement(width, height)
}

func particleLoss(r *request) workload.Loss {
	side := particleSide(r.size)
	return displacement(side, side)
}

func displacement(width, height int) workload.Loss {
	return workload.Loss{Kind: workload.LossDisplacement, Diagonal: math.Sqrt(float64(width*width + height*height))}
}
