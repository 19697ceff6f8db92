package programs

import "github.com/burstscope/burstscope/core/workload"

// hotspot is HOT: hotspot of the Rodinia suite.
var hotspot = definition{
	info: Info{
		Name: "hotspot", Title: "Heat of a chip",
		Doc: "Four steps of the heat equation on the cells of a chip, two for each launch, through tiles in shared memory (HOT of LATTE-CC; " +
			"limited by arithmetic). Data `blocks` (also named `suite`; Rodinia reads files): temperatures of 320 to 345 K with two decimals, power only inside its units; `uniform`: " +
			"random temperatures and power with full mantissas.",
		Sizes: []int{64, 128, 256, 512}, DefaultSize: 256, FullSize: 512, SizeLabel: "cells on a side",
		DataModes: []string{"blocks", "uniform", Suite},
	},
	aliases: []string{"hot"},
	number:  26, file: "hotspot", metric: workload.MetricNRMSE, suite: "blocks",
	size:  sizeRule{min: 16, max: 1024, step: 1},
	build: buildHotspot,
}

const (
	hotspotTile          = 16 // TILE of hotspot.cu
	hotspotStepsALaunch  = 2  // pyramid height of Rodinia's example run
	hotspotLaunches      = 2
	hotspotLow           = 320 // kelvin
	hotspotHigh          = 345
	hotspotMostPower     = 0.02 // watts a cell
	hotspotUnitsOnASide  = 8
	hotspotUnitsOfTenOff = 6
)

// heatConstants are kernel arguments computed from the chip of Rodinia's hotspot.cu:
// 16 mm x 16 mm x 0.5 mm of silicon.
func heatConstants(cells int) (stepOverCapacity, inverseRx, inverseRy, inverseRz float32) {
	const (
		maxPowerDensity = 3.0e6 // W/m^3
		precision       = 0.001 // K
		specificHeat    = 1.75e6
		conductivity    = 100.0
		factor          = 0.5
		thickness       = 0.0005
		side            = 0.016
	)
	cell := side / float64(cells)
	capacity := float64(factor * specificHeat * thickness * float64(cell*cell))
	rx := 1 / (2 * conductivity * thickness)
	rz := thickness / float64(conductivity*float64(cell*cell))
	step := precision / (maxPowerDensity / (factor * thickness * specificHeat))
	return float32(step / capacity), float32(1 / rx), float32(1 / rx), float32(1 / rz)
}

func buildHotspot(r *request) ([]workload.Buffer, []workload.Launch) {
	n := r.size
	heat, load, texture := r.rand(0), r.rand(1), r.rand(2)
	temperature := generate(n*n, func(int) float32 { return hotspotLow + float32((hotspotHigh-hotspotLow)*heat.Float32()) })
	power := generate(n*n, func(int) float32 { return float32(hotspotMostPower * load.Float32()) })
	if r.data == "blocks" {
		plane := field(&texture, n, n, float64(n)/4, 5)
		for i, v := range plane {
			hundredths := (hotspotHigh-hotspotLow)*50 + int(v*(hotspotHigh-hotspotLow)*100)
			temperature[i] = float32(hotspotLow*100+min(max(hundredths, 0), (hotspotHigh-hotspotLow)*100)) / 100
		}
		var unit [hotspotUnitsOnASide * hotspotUnitsOnASide]float32
		for i := range unit {
			if load.Intn(10) >= hotspotUnitsOfTenOff {
				unit[i] = float32(1+load.Intn(200)) / 10000
			}
		}
		for i := range power {
			power[i] = unit[i/n*hotspotUnitsOnASide/n*hotspotUnitsOnASide+i%n*hotspotUnitsOnASide/n]
		}
	}
	picture := func(name string, v []float32) workload.Buffer {
		const scale = 255.0 / (hotspotHigh - hotspotLow)
		return f32(name, n*n, v).AsSafe().AsImage(n, n, -hotspotLow*scale, scale)
	}
	buffers := []workload.Buffer{
		f32("MatrixPower", n*n, power).AsSafe().AsImage(n, n, 0, 255/hotspotMostPower),
		picture("MatrixTemp0", temperature).AsOutput(),
		picture("MatrixTemp1", nil),
	}
	ctas := blocks(n, hotspotTile-2*hotspotStepsALaunch)
	stepOverCapacity, inverseRx, inverseRy, inverseRz := heatConstants(n)
	var launches []workload.Launch
	for i := range hotspotLaunches {
		launches = append(launches, workload.Launch{
			Entry: "hotspot", Grid: square(ctas, ctas), Block: square(hotspotTile, hotspotTile),
			Args: []workload.Arg{
				workload.BufferArg(0), workload.BufferArg(1 + i%2), workload.BufferArg(2 - i%2), workload.S32(int32(n)), workload.S32(int32(n)), workload.S32(hotspotStepsALaunch),
				workload.F32(stepOverCapacity), workload.F32(inverseRx), workload.F32(inverseRy), workload.F32(inverseRz),
			},
		})
	}
	return buffers, launches
}
