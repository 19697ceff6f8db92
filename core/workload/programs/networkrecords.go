package programs

import (
	"math"

	"github.com/burstscope/burstscope/core/sim"
)

// networkRecords draws connections with the fields of the KDD Cup 1999 data without the
// named ones: duration, bytes sent and received, twelve counts of rare events, two counts
// and seven rates of the last two seconds, two counts and eight rates of the last hundred
// connections. Rodinia's kdd_cup holds the ten percent of these data: 57 of 100 records are
// of the smurf attack, 22 of neptune, 20 are normal. The values are ours, after the usual
// ones of each kind; the file itself is not here. Records of a kind follow one another, as
// in the file, which starts with normal ones.
func networkRecords(rnd *sim.Rand, n int) []float32 {
	features := make([]float32, 0, n*kmeansFeatures)
	draw, left := normalRecord, 0
	for i := range n {
		if left == 0 && i > 0 {
			switch p := rnd.Intn(99); {
			case p < 57:
				draw = smurfRecord
			case p < 79:
				draw = neptuneRecord
			default:
				draw = normalRecord
			}
		}
		if left == 0 {
			left = 1 + rnd.Intn(networkRunMost)
		}
		left--
		record := draw(rnd)
		features = append(features, record[:]...)
	}
	return features
}

// networkRunMost is the longest run of records of one kind [ours].
const networkRunMost = 400

// Fields of a record.
const (
	recordDuration = 0
	recordSent     = 1
	recordReceived = 2
	recordRecent   = 15 // two counts, seven rates
	recordHost     = 24 // two counts, eight rates
)

func rate(hundredths int) float32 { return float32(min(max(hundredths, 0), 100)) / 100 }

// smurfRecord is an echo reply of a flood: nearly all are equal.
func smurfRecord(rnd *sim.Rand) (v [kmeansFeatures]float32) {
	v[recordSent] = 1032
	if rnd.Intn(5) == 0 {
		v[recordSent] = 520
	}
	count := float32(511)
	if rnd.Intn(20) == 0 {
		count = float32(1 + rnd.Intn(511))
	}
	v[recordRecent], v[recordRecent+1] = count, count
	v[recordRecent+6] = 1 // same service
	v[recordHost], v[recordHost+1] = 255, 255
	v[recordHost+2], v[recordHost+4] = 1, 1 // same service, same port
	return v
}

// neptuneRecord is an opening packet of a flood: no bytes, only errors.
func neptuneRecord(rnd *sim.Rand) (v [kmeansFeatures]float32) {
	count, same := 90+rnd.Intn(210), 1+rnd.Intn(20)
	v[recordRecent], v[recordRecent+1] = float32(count), float32(same)
	fault := 2 // connections without an answer; 4: refused ones
	if rnd.Intn(5) == 0 {
		fault = 4
	}
	v[recordRecent+fault], v[recordRecent+fault+1] = 1, 1
	v[recordRecent+6], v[recordRecent+7] = rate(100*same/count), rate(5+rnd.Intn(4))
	hostSame := 1 + rnd.Intn(25)
	v[recordHost], v[recordHost+1] = 255, float32(hostSame)
	v[recordHost+2], v[recordHost+3] = rate(100*hostSame/255), rate(5+rnd.Intn(4))
	v[recordHost+4+fault], v[recordHost+4+fault+1] = 1, 1
	return v
}

// normalRecord is mostly a page fetched from a server.
func normalRecord(rnd *sim.Rand) (v [kmeansFeatures]float32) {
	tail := func(mean float64) float64 {
		u := (float64(rnd.Uint32()>>8) + 0.5) * (1.0 / (1 << 24)) // never 0
		return math.Floor(float64(-mean * logarithm(u)))
	}
	if rnd.Intn(10) == 0 {
		v[recordDuration] = float32(tail(200))
	}
	v[recordSent] = float32(150 + rnd.Intn(200))
	v[recordReceived] = float32(tail(3000))
	if rnd.Intn(30) == 0 {
		v[5] = float32(1 + rnd.Intn(3)) // events that count as hot
	}
	count := 1 + rnd.Intn(20)
	v[recordRecent], v[recordRecent+1] = float32(count), float32(count+rnd.Intn(8))
	v[recordRecent+6] = 1
	if rnd.Intn(3) == 0 {
		v[recordRecent+8] = rate(rnd.Intn(40)) // same service on another host
	}
	host := min(1+int(tail(120)), 255)
	v[recordHost], v[recordHost+1] = float32(host), float32(min(host+rnd.Intn(200), 255))
	v[recordHost+2] = 1
	v[recordHost+4], v[recordHost+5] = rate(100/host), rate(rnd.Intn(8))
	return v
}
