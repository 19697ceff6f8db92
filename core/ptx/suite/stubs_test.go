package suite

var linear, numeric []program
