package model

// cividisPoints are points of the colour map cividis (Nuñez, Anderton and Renslow, PLoS
// ONE 2018), evenly spaced: red, green and blue of 0 to 255. People with any colour
// vision see it grow brighter.
var cividisPoints = [][3]float64{
	{0, 34, 78}, {18, 53, 112}, {59, 73, 108}, {87, 93, 109}, {112, 113, 115},
	{138, 134, 120}, {165, 156, 116}, {195, 179, 105}, {225, 204, 85}, {254, 232, 56},
}

// Cividis is the colour of a level of 0 to 1, each part 0 to 255.
func Cividis(level float64) (r, g, b float64) {
	at := max(0, min(level, 1)) * float64(len(cividisPoints)-1)
	i := min(int(at), len(cividisPoints)-2)
	f := at - float64(i)
	p, q := cividisPoints[i], cividisPoints[i+1]
	return p[0] + (q[0]-p[0])*f, p[1] + (q[1]-p[1])*f, p[2] + (q[2]-p[2])*f
}
