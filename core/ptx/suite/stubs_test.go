package suite

var numeric []program
